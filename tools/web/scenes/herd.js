// A herd whose tails and ears are chains of bones: on the left stepped by Gyre, on the right by VRM's recurrence, at the
// same rate. Thin lines show where each method has the same bones at 60 steps a second.
import { Animals, POSE, RATE, carried, partsOf, rootsOf } from '../animals.js';
import { Camera } from '../camera.js';
import { Recurrence } from '../recurrence.js';
import { Sides } from '../sides.js';
import { randomFrom } from '../pictures.js';
import { beginDrawing, clear, makeArrays, makeProgram, sphereMesh, upload } from '../webgl.js';
import { toDigits } from '../controls.js';

/**
 * A bone: VRM's parameters; its tail, in m; and its rest orientation, turned from the bone before by an angle, in rad.
 * Tails rise about y from -x, ears about x from y.
 */
const TAIL = [[1, 0.75], [0.9, 0.3], [0.8, 0.1], [0.7, -0.2], [0.6, -0.4]].map(([stiffness, rise]) => ({
    stiffness, dragForce: 0.35, gravityPower: 0.1, tail: [-0.15, 0, 0], rest: [0, Math.sin(rise / 2), 0, Math.cos(rise / 2)] }));
const EAR = [[1, 0.35], [0.8, -0.7], [0.8, -0.5]].map(([stiffness, rise]) => ({
    stiffness, dragForce: 0.45, gravityPower: 0.2, tail: [0, 0.09, 0], rest: [Math.sin(rise / 2), 0, 0, Math.cos(rise / 2)] }));
const BONES = TAIL.length + 2 * EAR.length; // of an animal

const STROLL = 2; // m/s, about, without a pointer
const REACH = [0.7, 1.3]; // of the point that the herd follows, in its radii
const TICKS = 720; // a second: every step of 1/30, 1/60 and 1/144 s is a number of ticks
const DISTANCE = 3.2, ELEVATION = 0.68, VIEW = 1.05; // of the camera; rad; half the width that it sees; in radii of the herd
const GRASS = 160;
const [FUR, DARK, BONE, USUAL, BALL, BLADE, SHADOW] = Array.from({ length: 7 }, (_, k) => k); // tints of limbs
const LIMB = 9; // floats: an end and its radius, the other, and a tint, whose fraction is a shade
const LIMBS = 11 + 2 * BONES; // of an animal
// Radii of a chain's joints, in m, and a tint.
const FULL = { tail: [[0.045, 0.06, 0.065, 0.06, 0.045, 0.015], BONE], ear: [[0.05, 0.06, 0.06, 0.03], BONE] };
const THIN = { tail: [TAIL.concat(0).map(() => 0.016), USUAL], ear: [EAR.concat(0).map(() => 0.016), USUAL] };
const DARKER = 0.45, SHADES = 16; // how much a shade of 1 is darker; of canvas 2D
const FOG = 3.4; // how far one sees, in radii of the herd

const VERTEX = `
in vec3 corner;
in vec4 from, to;
in float tint;
uniform mat4 camera;
uniform vec3 tints[7];
uniform vec3 ground, eye;
uniform float fog;
out vec3 colour;
void main() { // a sphere, of which one half is at each end
    vec3 way = to.xyz - from.xyz;
    vec3 y = length(way) > 1e-4 ? normalize(way) : vec3(1, 0, 0);
    vec3 x = normalize(cross(y, abs(y.z) < 0.9 ? vec3(0, 0, 1) : vec3(1, 0, 0)));
    vec3 n = x * corner.x + y * corner.y + cross(x, y) * corner.z;
    vec4 end = corner.y > -0.01 ? to : from;
    vec3 world = end.xyz + n * end.w;
    int kind = int(tint);
    bool lies = kind == ${SHADOW};
    world.z = lies ? 0.005 : world.z;
    float light = lies || kind == ${USUAL} ? 1.0 : 0.6 + 0.4 * dot(n, normalize(vec3(-0.4, -0.5, 0.8)));
    float seen = exp(-max(0.0, distance(world, eye) - fog) / fog);
    colour = mix(ground, tints[kind] * light * (1.0 - ${DARKER} * fract(tint)), seen);
    gl_Position = camera * vec4(world, 1);
}`;
const FRAGMENT = `
in vec3 colour;
out vec4 pixel;
void main() { pixel = vec4(colour, 1); }`;

export const title = () => 'A herd with tails and ears';
export const hint = ({ rate }) => `Tails and ears at ${rate} steps a second, by two methods. Thin lines: at 60; where they stick out, ` +
    'the rate changes the motion. The herd follows the pointer; press to make it jump.';
export const unit = 'bones';
export const parameters = ['count', 'rate'];
export const actions = { 'Let them jump': 'jump' };

export const settings = [
    { name: 'rate', kind: 'select', label: 'steps/s', options: { 30: '30', 60: '60', 144: '144' } },
    { name: 'count', kind: 'range', label: 'animals', min: 10, max: 1000, logarithmic: true, late: true, round: toDigits(2),
        show: (v) => v.toLocaleString('en') },
    { name: 'lines', kind: 'check', label: 'thin lines' },
];
export const defaults = { rate: '30', count: 100, lines: true };

/** The limbs of an animal that are no bones. */
function shapeBody({ place, body, swing, head, headPlace }, shade, write) {
    const on = (point) => carried(body, point, place), face = (point) => carried(head, point, headPlace);
    const fur = FUR + shade, [rump, chest] = [on([-0.2, 0, 0]), on([0.2, 0, 0.02])];
    write(rump, 0.16, chest, 0.16, SHADOW);
    write(rump, 0.16, chest, 0.18, fur);
    write(chest, 0.13, headPlace, 0.1, fur);
    write(headPlace, 0.15, face([0.18, 0, -0.05]), 0.075, fur);
    const nose = face([0.25, 0, -0.03]);
    write(nose, 0.035, nose, 0.035, DARK);
    for (const side of [1, -1]) {
        const eye = face([0.115, side * 0.085, 0.055]);
        write(eye, 0.03, eye, 0.03, DARK);
        for (const front of [1, -1]) { // diagonal legs swing together
            const reach = side * front * swing * 0.25;
            write(on([front * 0.2, side * 0.09, -0.05]), 0.065, on([front * 0.21 + reach, side * 0.1, -0.4 + Math.abs(reach) / 3]),
                0.05, fur);
        }
    }
}

/** Chains of the same bones by both methods, which have the same roots. */
class Strands {
    constructor(gyre, count, joints) {
        Object.assign(this, { gyre, count, joints });
        this.chains = gyre.boneChains(count, {
            bones: joints.map(({ stiffness, dragForce, gravityPower, tail, rest }) =>
                gyre.boneFromVrm(stiffness, dragForce, gravityPower, Math.hypot(...tail), RATE, { tail, rest })),
            tail: true, gravity: [0, 0, -1], positionBefore: true, parentBefore: true, awake: false });
        const bones = count * joints.length;
        this.block = gyre.float32(12 * bones);
        // Of each method, and each axis: tails when the step began, and when the picture is.
        [this.before, this.shown] = [0, 6].map((from) => [0, 3].map((method) => [0, 1, 2].map((axis) =>
            this.block.view.subarray((from + method + axis) * bones, (from + method + axis + 1) * bones))));
    }

    free() {
        [this.chains, this.recurrence, this.block].forEach((block) => block.free());
    }

    hang(c, place, turn) {
        const { position, parent } = this.chains;
        [position[0][c], position[1][c], position[2][c]] = place;
        [parent[0][c], parent[1][c], parent[2][c], parent[3][c]] = turn;
    }

    reset() {
        this.chains.reset(0);
        this.recurrence = new Recurrence(this.gyre, this.chains, this.joints);
    }

    get tails() {
        return [this.chains.tail, this.recurrence.tail];
    }

    /** Keeps what the next step begins with. */
    keep() {
        const { chains, before, tails } = this;
        before.forEach((axes, method) => axes.forEach((array, k) => array.set(tails[method][k])));
        chains.positionBefore.forEach((array, k) => array.set(chains.position[k]));
        chains.parentBefore.forEach((array, k) => array.set(chains.parent[k]));
    }

    /** Adds the milliseconds of each method. */
    step(dt, ms) {
        const started = performance.now();
        this.chains.step(dt);
        const between = performance.now();
        this.recurrence.step(dt);
        ms[0] += between - started;
        ms[1] += performance.now() - between;
    }

    show(part) {
        const { gyre, before, tails, shown } = this;
        before.forEach((axes, method) => axes.forEach((array, k) =>
            gyre.interpolate(array, tails[method][k], part, shown[method][k])));
    }

    /** For each method, the sum over the last bones of the squared angle to those of others, in rad^2. */
    apartFrom(others) {
        const { count, joints } = this, ends = (joints.length - 1) * count, heads = ends - count;
        const length = Math.hypot(...joints.at(-1).tail);
        return this.tails.map((tail, method) => {
            const there = others.tails[method];
            let sum = 0;
            for (let c = 0; c < count; c++) { // twice the sine of half the angle is the chord between the directions
                const chord = Math.hypot(...tail.map((own, k) =>
                    own[ends + c] - own[heads + c] - there[k][ends + c] + there[k][heads + c])) / length;
                sum += (2 * Math.asin(Math.min(1, chord / 2))) ** 2;
            }
            return sum;
        });
    }
}

/** The tails and ears of the herd, stepped at one rate. */
class Rig {
    constructor(gyre, animals) {
        const n = animals.count;
        Object.assign(this, { gyre, animals, tick: 0, begun: 0 });
        this.tails = new Strands(gyre, n, TAIL);
        this.ears = new Strands(gyre, 2 * n, EAR);
        this.block = gyre.float32(3 * POSE * n);
        [this.poses, this.posesBefore, this.posesShown] = [0, 1, 2].map((k) =>
            this.block.view.subarray(k * POSE * n, (k + 1) * POSE * n));
        this.hang();
        [this.tails, this.ears].forEach((strands) => strands.reset());
    }

    free() {
        [this.tails, this.ears, this.block].forEach((block) => block.free());
    }

    /** Hangs the strands where the animals are now. */
    hang() {
        const { poses, animals, tick } = this;
        animals.poseAt(tick / TICKS, poses);
        for (let i = 0; i < animals.count; i++) {
            const { tail, ears } = rootsOf(poses, i);
            this.tails.hang(i, ...tail);
            ears.forEach((ear, k) => this.ears.hang(2 * i + k, ...ear));
        }
    }

    /** When the next of `rate` steps a second ends, in ticks. */
    nextOf(rate) {
        const each = TICKS / rate;
        return each * (Math.floor(this.tick / each) + 1);
    }

    /** Moves on to a tick; returns the milliseconds of each method. */
    moveTo(tick) {
        const { tails, ears, posesBefore, poses } = this, dt = (tick - this.tick) / TICKS, ms = [0, 0];
        posesBefore.set(poses);
        tails.keep();
        ears.keep();
        [this.begun, this.tick] = [this.tick, tick];
        this.hang();
        tails.step(dt, ms);
        ears.step(dt, ms);
        return ms;
    }

    /** Interpolates what is shown, between the beginning and the end of the last step. */
    show(tick) {
        const { gyre, posesBefore, poses, posesShown, begun } = this, part = (tick - begun) / (this.tick - begun || 1);
        gyre.interpolate(posesBefore, poses, part, posesShown);
        this.tails.show(part);
        this.ears.show(part);
    }
}

export class Herd {
    constructor(gyre, stage, values) {
        Object.assign(this, { gyre, stage, values, stepped: 0, spent: [0, 0] });
        this.allocate();
    }

    allocate() {
        const { gyre, stage, values } = this, n = values.count, random = randomFrom(3);
        this.clock = 0;
        this.animals = new Animals(gyre, n);
        this.rigs = [0, 1].map(() => new Rig(gyre, this.animals)); // at the chosen rate, and at 60 Hz
        this.labels = new Sides(stage);
        const { radius } = this.animals, grass = Array.from({ length: GRASS }, () => {
            const [x, y, tall] = [(2 * random() - 1) * 2.6 * radius, (2 * random() - 1) * 3 * radius, 0.1 + 0.15 * random()];
            return [x, y, 0, 0.02, x + 0.1 * random(), y, tall, 0.004, BLADE];
        });
        this.limbs = [0, 1].map(() => new Float32Array(LIMB * (GRASS + 1 + LIMBS * n)));
        this.limbs.forEach((limbs) => limbs.set(grass.flat()));
        this.arrays = null;
        this.begin();
        this.resize();
    }

    free() {
        [this.animals, ...this.rigs].forEach((block) => block.free());
        this.labels.remove();
    }

    /** Begins to sum figures, but not those of the first second, in which code is compiled and the rate has just changed. */
    begin() {
        this.sums = { from: this.clock + TICKS, frames: 0, ms: [0, 0], squares: [0, 0], compared: 0 };
    }

    change(name) {
        if (name === 'count') {
            this.free();
            this.allocate();
        } else if (name === 'rate') {
            this.begin();
        }
    }

    /** One camera for each half: the same view twice. */
    resize() {
        this.labels.resize();
        const { stage, animals } = this, { width, height, scale } = stage, free = stage.free();
        this.middle = (free.x + free.width / 2) * scale;
        [this.right, this.bottom] = [free.right, free.bottom].map((v) => Math.round(v * scale)); // panels begin there
        this.pixel = VIEW / DISTANCE / (free.width / 4 * scale); // its tangent
        const y = (free.y + 0.52 * free.height) * scale;
        this.top = y - Math.tan(0.7 * ELEVATION) / this.pixel; // well below the horizon
        this.cameras = [0.25, 0.75].map((part) => {
            const x = (free.x + part * free.width) * scale;
            const eye = [0, -Math.cos(ELEVATION), Math.sin(ELEVATION)].map((v) => v * DISTANCE * animals.radius);
            return new Camera(eye, [0, 0, 0], [0, 0, 1], this.pixel * height / 2, this.pixel * width / 2,
                [2 * x / width - 1, 1 - 2 * y / height]);
        });
    }

    /** The place on the ground that a pixel shows, in the half in which it is. */
    groundAt(x, y) {
        const { stage, cameras, middle } = this, [across, up, , away] = cameras[x < middle ? 0 : 1].rows;
        const u = 2 * x / stage.width - 1, v = 1 - 2 * Math.max(y, this.top) / stage.height;
        const [a, b, e] = [0, 1, 3].map((k) => across[k] - u * away[k]), [c, d, f] = [0, 1, 3].map((k) => up[k] - v * away[k]);
        return [(b * f - d * e) / (a * d - b * c), (c * e - a * f) / (a * d - b * c)];
    }

    press(x, y) {
        this.animals.jump(...this.groundAt(x, y));
    }

    jump() {
        this.animals.jump(...this.animals.point);
    }

    step(dt, pointer) {
        const { animals, rigs, values, sums } = this, [own, usual] = rigs, { radius } = animals;
        this.clock += dt * TICKS;
        if (pointer.known) {
            animals.goal = this.groundAt(pointer.x, pointer.y).map((v, k) =>
                Math.max(-REACH[k] * radius, Math.min(v, REACH[k] * radius)));
        } else { // without a pointer: a stroll
            const angle = this.clock / TICKS * STROLL / radius;
            animals.goal = [REACH[0] / 3 * radius * Math.sin(2 * angle), REACH[1] / 3 * radius * Math.sin(3 * angle)];
        }
        this.stepped = 0;
        this.spent = [0, 0]; // ms of each method
        for (;;) { // every step that begins before the picture; the one that ends first comes first
            const next = rigs.map((rig, k) => rig.tick < this.clock ? rig.nextOf(k ? RATE : Number(values.rate)) : Infinity);
            if (Math.min(...next) === Infinity) {
                break;
            }
            const which = next[0] <= next[1] ? 0 : 1, ms = rigs[which].moveTo(next[which]);
            if (which === 0) {
                this.stepped += this.elements;
                this.spent = this.spent.map((v, k) => v + ms[k]);
            }
            if (own.tick === usual.tick && this.clock > sums.from) {
                const squares = own.tails.apartFrom(usual.tails);
                sums.squares = sums.squares.map((v, k) => v + squares[k]);
                sums.compared += values.count;
            }
        }
        if (this.clock > sums.from) {
            sums.ms = sums.ms.map((v, k) => v + this.spent[k]);
            sums.frames++;
        }
        return this.elements;
    }

    get kernel() {
        return this.spent[0];
    }

    get elements() {
        return BONES * this.values.count;
    }

    /** Shown at intervals: the time of each method, and how far its tails are from those at 60 Hz. */
    report() {
        const { sums } = this, { frames, compared } = sums;
        ['Gyre', 'VRM recurrence'].forEach((name, k) => {
            const degrees = Math.sqrt(sums.squares[k] / compared) * 180 / Math.PI;
            this.labels.show(k, name, frames > 0 && compared > 0 ?
                `${(sums.ms[k] / frames).toFixed(2)} ms a frame · tips ${degrees.toFixed(1)}° from 60 steps/s` : 'measuring');
        });
        if (frames > 300) { // older frames count less
            Object.assign(sums, { frames: frames / 2, compared: compared / 2, ms: sums.ms.map((v) => v / 2),
                squares: sums.squares.map((v) => v / 2) });
        }
    }

    draw(measure) {
        const { rigs, stage } = this;
        measure('drawing', () => {
            rigs.forEach((rig) => rig.show(this.clock));
            this.limbs.forEach((limbs, side) => this.shape(limbs, side));
        });
        if (stage.gl) {
            this.drawByGl(stage.gl, measure);
        } else {
            measure('drawing', () => this.paint());
        }
    }

    /** Writes the limbs of one half: the ball that the animals follow, them, and their bones by one method. */
    shape(limbs, side) {
        const { animals, rigs: [own, usual], values: { count: n, lines } } = this;
        let at = LIMB * GRASS;
        const write = ([ax, ay, az], ra, [bx, by, bz], rb, tint) => {
            limbs[at++] = ax;
            limbs[at++] = ay;
            limbs[at++] = az;
            limbs[at++] = ra;
            limbs[at++] = bx;
            limbs[at++] = by;
            limbs[at++] = bz;
            limbs[at++] = rb;
            limbs[at++] = tint;
        };
        const [x, y] = animals.goal, ball = [x, y, 0.2];
        write(ball, 0.2, ball, 0.2, BALL);
        const writeChain = ({ shown, count, joints }, c, head, radii, tint) => {
            const [xs, ys, zs] = shown[side];
            for (let level = 0, b = c; level < joints.length; level++, b += count) {
                const tail = [xs[b], ys[b], zs[b]];
                write(head, radii[level], tail, radii[level + 1], tint);
                head = tail;
            }
        };
        const writeBones = ({ tails, ears, posesShown }, i, styles) => {
            const roots = rootsOf(posesShown, i);
            writeChain(tails, i, roots.tail[0], ...styles.tail);
            roots.ears.forEach(([place], k) => writeChain(ears, 2 * i + k, place, ...styles.ear));
        };
        for (let i = 0; i < n; i++) {
            shapeBody(partsOf(own.posesShown, i), i * 0.755 % 1 * 0.9, write);
            writeBones(own, i, FULL);
            if (lines) {
                writeBones(usual, i, THIN);
            }
        }
        limbs.used = at / LIMB;
    }

    /** Colours of the tints of one half. */
    tints(side) {
        const { stage } = this, { ground, skin } = stage, text = ground.map((v) => 1 - v);
        const mix = (a, b, part) => a.map((v, k) => v + part * (b[k] - v)), own = side ? stage.other : stage.accent;
        return [skin, [0.1, 0.09, 0.11], own, text, stage.ramp[3], mix(ground, stage.ramp[0], 0.45),
            mix(ground, text, 0.1)];
    }

    drawByGl(gl, measure) {
        const { stage, limbs, cameras, middle, right, bottom, animals } = this;
        if (this.arrays?.gl !== gl) {
            const mesh = sphereMesh(8, 12), stride = 4 * LIMB;
            this.program = makeProgram(gl, VERTEX, FRAGMENT);
            this.arrays = { gl, vertices: mesh.length / 3, sides: limbs.map((data) => makeArrays(gl, this.program, {
                corner: { data: mesh, size: 3 }, from: { data, size: 4, each: 1, stride },
                to: { data, size: 4, each: 1, stride, offset: 16 }, tint: { data, each: 1, stride, offset: 32 } })) };
        }
        measure('upload', () => limbs.forEach((data, side) => upload(gl, this.arrays.sides[side], [data])));
        measure('drawing', () => {
            const { uniforms } = this.program, border = Math.round(middle);
            clear(gl, stage);
            gl.enable(gl.SCISSOR_TEST);
            limbs.forEach((data, side) => {
                gl.scissor(side ? border : 0, stage.height - bottom, side ? right - border : border, bottom);
                beginDrawing(gl, stage, this.program, this.arrays.sides[side], true);
                gl.uniformMatrix4fv(uniforms.camera, false, cameras[side].matrix);
                gl.uniform3fv(uniforms.tints, this.tints(side).flat());
                gl.uniform3fv(uniforms.ground, stage.ground);
                gl.uniform3fv(uniforms.eye, cameras[side].eye);
                gl.uniform1f(uniforms.fog, FOG * animals.radius);
                gl.drawArraysInstanced(gl.TRIANGLES, 0, this.arrays.vertices, data.used);
            });
            gl.disable(gl.SCISSOR_TEST);
        });
    }

    /** Canvas 2D: limbs are thick lines, those whose fronts are farthest first, shadows before all. */
    paint() {
        const { stage, limbs, cameras, middle, right, bottom, animals } = this, { context, width, height } = stage;
        const fog = FOG * animals.radius;
        context.fillStyle = css(stage.ground);
        context.fillRect(0, 0, width, height);
        context.lineCap = 'round';
        limbs.forEach((data, side) => {
            const tints = this.tints(side), camera = cameras[side], lines = [], colours = [];
            const colourOf = (kind, shade, seen) => { // both in SHADES steps: a string for each limb takes too long
                const k = (kind * SHADES + Math.round(shade * (SHADES - 1))) * SHADES + Math.round(seen * (SHADES - 1));
                return colours[k] ??= css(tints[kind].map((v, c) =>
                    stage.ground[c] + (v * (1 - DARKER * shade) - stage.ground[c]) * seen));
            };
            for (let at = 0; at < LIMB * data.used; at += LIMB) {
                const kind = Math.floor(data[at + 8]), low = kind === SHADOW, thick = data[at + 3] + data[at + 7];
                const a = camera.project([data[at], data[at + 1], low ? 0 : data[at + 2]], width, height);
                const b = camera.project([data[at + 4], data[at + 5], low ? 0 : data[at + 6]], width, height);
                const away = (a[2] + b[2]) / 2, seen = Math.exp(-Math.max(0, away - fog) / fog);
                lines.push({ a, b, away: low ? Infinity : away - thick / 2, colour: colourOf(kind, data[at + 8] - kind, seen),
                    wide: thick / away / this.pixel * (low ? Math.sin(ELEVATION) : 1) });
            }
            context.save();
            context.beginPath();
            context.rect(side ? middle : 0, 0, side ? right - middle : middle, bottom);
            context.clip();
            for (const { a, b, wide, colour } of lines.sort((one, other) => other.away - one.away)) {
                context.strokeStyle = colour;
                context.lineWidth = Math.max(1.5, wide);
                context.beginPath();
                context.moveTo(a[0], a[1]);
                context.lineTo(b[0], b[1] + 0.01); // a line of no length has no caps
                context.stroke();
            }
            context.restore();
        });
    }
}

const css = (colour) => `rgb(${colour.map((v) => Math.round(255 * v)).join(' ')})`;
