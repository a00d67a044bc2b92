// A herd that follows a point: how its animals stand and run. Metres and seconds; x is forward in an animal, z is up.
import { randomFrom } from './pictures.js';

export const RATE = 60; // steps of the herd a second; poses between two of them are interpolated
const SPACING = 1.25; // m, between animals that stand
const DEPTH = 2; // how much deeper than wide the herd stands: pictures are taller than wide
const SPEED = 2.5; // m/s, at most, of the point that they follow
const STYLES = 8; // slow and quick animals
const STROLL = 0.5; // m: how far they stroll while they wait
const WAG_HZ = 1.2, WAG = 0.4; // of a tail's root while its animal stands, rad
const SHAKE_HZ = 2.3, SHAKE = 0.55, SHAKE_S = 2 / SHAKE_HZ, SHAKE_EVERY_S = 5; // of a head, rad
const JUMP = 3, GRAVITY = 9.81; // m/s, m/s^2
const RIPPLE_SPEED = 12; // m/s: how fast a press spreads

const SHOULDER = 0.44; // m, height of the body
const HEAD = [0.38, 0, 0.27]; // in the body's frame
const TAIL_ROOT = [-0.3, 0, 0.09];
const EAR_ROOTS = [[-0.02, 0.1, 0.1], [-0.02, -0.1, 0.1]]; // in the head's frame

/** Numbers of a pose: place, yaw and pitch of the body, what the tail's root and the head add to its yaw, swing of legs. */
export const POSE = 8;
const [X, Y, Z, YAW, PITCH, WAGGED, LOOK, SWING] = Array.from({ length: POSE }, (_, k) => k);

/** The quaternion of a turn about z, then a rise of the front. */
function turnOf(yaw, pitch) {
    const [s, c, t, d] = [Math.sin(yaw / 2), Math.cos(yaw / 2), Math.sin(-pitch / 2), Math.cos(-pitch / 2)];
    return [-s * t, c * t, s * d, c * d];
}

/** v turned by the unit quaternion (x, y, z, w), from a place. */
export function carried([x, y, z, w], [a, b, c], [px, py, pz]) {
    const [u, v, t] = [y * c - z * b + w * a, z * a - x * c + w * b, x * b - y * a + w * c];
    return [px + a + 2 * (y * t - z * v), py + b + 2 * (z * u - x * t), pz + c + 2 * (x * v - y * u)];
}

/** Places and orientations of animal i's body and head, from poses. */
export function partsOf(poses, i) {
    const at = POSE * i, [x, y, z, yaw, pitch, wag, look, swing] = poses.subarray(at, at + POSE);
    const place = [x, y, z + SHOULDER], body = turnOf(yaw, pitch);
    return { place, body, yaw, pitch, wag, swing, head: turnOf(yaw + look, pitch / 2), headPlace: carried(body, HEAD, place) };
}

/** The place and the orientation that its tail hangs on, and each ear. The right ear is the left one, turned half about z. */
export function rootsOf(poses, i) {
    const { place, body, yaw, pitch, wag, head, headPlace } = partsOf(poses, i), [x, y, z, w] = head;
    return { tail: [carried(body, TAIL_ROOT, place), turnOf(yaw + wag, pitch)],
        ears: [[carried(head, EAR_ROOTS[0], headPlace), head], [carried(head, EAR_ROOTS[1], headPlace), [y, -x, w, -z]]] };
}

export class Animals {
    constructor(gyre, count) {
        Object.assign(this, { gyre, count, time: 0, steps: 0 });
        const random = randomFrom(11);
        this.springs = gyre.springs(2 * count, { awake: false });
        this.styles = gyre.uint16(2 * count);
        this.palette = gyre.float32(16 * STYLES);
        this.block = gyre.float32(2 * POSE * count);
        [this.before, this.now] = [0, 1].map((k) => this.block.view.subarray(k * POSE * count, (k + 1) * POSE * count));
        for (let k = 0; k < STYLES; k++) {
            this.palette.view.set(gyre.springMatrixAt(gyre.springFromResponse(0.8 + 0.9 * k / STYLES, 1), 1 / RATE), 16 * k);
        }
        this.radius = SPACING * Math.sqrt(count / Math.PI);
        this.point = [0, 0];
        this.goal = [0, 0];
        this.own = Array.from({ length: count }, (_, i) => { // places in a spiral that fills an ellipse
            const far = SPACING * Math.sqrt((i + 2) / Math.PI), angle = i * Math.PI * (3 - Math.sqrt(5));
            const style = Math.floor(random() * STYLES);
            this.styles.view[i] = this.styles.view[count + i] = style;
            return { x: far * Math.cos(angle) / Math.sqrt(DEPTH), y: far * Math.sin(angle) * Math.sqrt(DEPTH),
                phase: 7 * random(), due: Infinity, rise: 0, shake: SHAKE_EVERY_S * random() };
        });
        const { position } = this.springs;
        this.own.forEach(({ x, y }, i) => {
            [position[i], position[count + i]] = [x, y];
            this.now.set([x, y, 0, 6.3 * random(), 0, 0, 0, 0], POSE * i);
        });
    }

    free() {
        [this.springs, this.styles, this.palette, this.block].forEach((block) => block.free());
    }

    /** Makes them jump, those near a place first. */
    jump(x, y) {
        this.own.forEach((own, i) => {
            own.due = this.time + Math.hypot(this.now[POSE * i] - x, this.now[POSE * i + 1] - y) / RIPPLE_SPEED;
        });
    }

    /** Writes the poses at a time, which is not before that of the last step but one. */
    poseAt(time, poses) {
        while (this.time < time - 1e-9) {
            this.step();
        }
        this.gyre.interpolate(this.before, this.now, 1 - (this.time - time) * RATE, poses);
    }

    step() {
        const { springs, count, point, goal, own, now, before } = this, { position, velocity, target } = springs;
        const far = Math.hypot(goal[0] - point[0], goal[1] - point[1]), part = Math.min(1, SPEED / RATE / far) || 0;
        point.forEach((from, k) => {
            point[k] += part * (goal[k] - from);
        });
        own.forEach(({ x, y, phase }, i) => {
            target[i] = point[0] + x + STROLL * Math.sin(0.5 * this.time + 5 * phase);
            target[count + i] = point[1] + y + STROLL * Math.cos(0.4 * this.time + 3 * phase);
        });
        springs.stepPalette(this.palette.view, this.styles.view);
        this.time = ++this.steps / RATE;
        before.set(now);
        own.forEach((_, i) => this.moveLimbs(i, position[i], position[count + i], velocity[i], velocity[count + i]));
    }

    /** Writes the pose of animal i, which is at (x, y) with velocity (u, v). */
    moveLimbs(i, x, y, u, v) {
        const { own, now, time } = this, at = POSE * i, one = own[i], speed = Math.hypot(u, v);
        const running = Math.min(speed / 2, 1), waiting = Math.max(0, 1 - speed / 1.2);
        now[at + X] = x;
        now[at + Y] = y;
        // It turns to where it runs, the shorter way, the sooner the faster it is.
        const off = Math.atan2(v, u) - now[at + YAW], turn = off - 2 * Math.PI * Math.round(off / (2 * Math.PI));
        now[at + YAW] += turn * Math.min(1, 4 * running / RATE);
        one.phase += 2 * Math.PI * (running > 0.05 ? 1.2 + 0.35 * speed : 0) / RATE;
        now[at + SWING] = 0.8 * running * Math.sin(one.phase);
        if (time >= one.due) {
            [one.due, one.rise] = [Infinity, JUMP];
        }
        const high = now[at + Z] + one.rise / RATE, flying = one.rise !== 0 && high > 0;
        one.rise = flying ? one.rise - GRAVITY / RATE : 0;
        now[at + Z] = flying ? high : 0.07 * running * (0.5 - 0.5 * Math.cos(one.phase));
        now[at + PITCH] = flying ? 0.12 * one.rise : 0.14 * running * Math.sin(one.phase);
        now[at + WAGGED] = WAG * waiting * Math.sin(2 * Math.PI * WAG_HZ * time + 9 * one.shake);
        const shaken = (time + one.shake) % SHAKE_EVERY_S; // s since it began to shake its head
        now[at + LOOK] = 0.25 * Math.sin(0.9 * time + 4 * one.shake) + (shaken > SHAKE_S ? 0 :
            SHAKE * Math.sin(Math.PI * shaken / SHAKE_S) * Math.sin(2 * Math.PI * SHAKE_HZ * shaken));
    }
}
