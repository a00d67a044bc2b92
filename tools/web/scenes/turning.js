// Springs on rotations: heads that look at the pointer, and cards that turn over when it passes.
import { Camera } from '../camera.js';
import { beginDrawing, boxMesh, makeArrays, makeProgram, sphereMesh, upload } from '../webgl.js';
import { toDigits } from '../controls.js';

const RADIUS = 0.42, CARD = [0.34, 0.44, 0.015]; // half sizes; a cell has size 1
const EYES = [[-0.36, 0.2], [0.36, 0.2]], EYE = 0.24, PUPIL = 0.13; // on the front of a unit sphere
const HAIR = 0.5; // above this height on a unit sphere
const RIPPLE_SPEED = 14; // cells a second: how fast a press spreads through the cards

const VERTEX = `
in vec3 corner;
in float qx, qy, qz, qw;
in vec3 place;
uniform mat4 camera;
uniform float size;
out vec3 local, world, own;
uniform vec3 ramp[5];
void main() {
    vec3 q = vec3(qx, qy, qz), p = corner * size;
    world = p + 2.0 * cross(q, cross(q, p) + qw * p);
    local = corner;
    float at = place.z * 4.0;
    int k = min(int(at), 3);
    own = mix(ramp[k], ramp[k + 1], at - float(k));
    gl_Position = camera * vec4(world + vec3(place.xy, 0), 1);
}`;
const FRAGMENT = `
in vec3 local, world, own;
uniform vec3 skin, card;
uniform bool heads;
out vec4 pixel;
const vec3 sun = normalize(vec3(-0.5, 0.7, 0.9));
vec3 head() {
    vec3 d = normalize(local), n = normalize(world);
    vec3 colour = d.y > ${HAIR} + 0.12 * cos(6.0 * d.x) || d.z < -0.25 ? own : skin;
    float light = 0.5 + 0.5 * max(0.0, dot(n, sun));
    if (d.z > 0.0) {
        float eye = min(distance(d.xy, vec2(-0.36, 0.2)), distance(d.xy, vec2(0.36, 0.2)));
        float edge = fwidth(eye);
        colour = mix(vec3(1), colour, smoothstep(${EYE} - edge, ${EYE}, eye));
        colour = mix(vec3(0.08, 0.09, 0.13), colour, smoothstep(${PUPIL} - edge, ${PUPIL}, eye));
        float mouth = abs(length(d.xy - vec2(0, -0.1)) - 0.38);
        if (d.y < -0.32) {
            colour = mix(vec3(0.55, 0.16, 0.2), colour, smoothstep(0.03, 0.03 + edge, mouth));
        }
    }
    return colour * light;
}
vec3 face() {
    vec2 p = local.xy / vec2(${CARD[0]}, ${CARD[1]});
    vec3 n = normalize(cross(dFdx(world), dFdy(world)));
    float light = 0.62 + 0.38 * abs(dot(n, sun)), ring = length(local.xy), edge = fwidth(ring);
    vec3 colour = local.z > 0.0 ? own : card;
    vec3 ink = local.z > 0.0 ? vec3(1) : own;
    float mark = local.z > 0.0 ? abs(ring - 0.16) - 0.035 : abs(fract((p.x + p.y) * 2.5) - 0.5) * 0.12 - 0.02;
    colour = mix(ink, colour, smoothstep(0.0, edge, mark));
    if (max(abs(p.x), abs(p.y)) > 0.93) {
        colour = mix(colour, ink, 0.35);
    }
    return colour * light;
}
void main() { pixel = vec4(heads ? head() : face(), 1); }`;

export const title = () => 'Springs on rotations';
export const hint = ({ kind }) => kind === 'heads' ? 'They look at you until the pointer moves, then at it, and swing on. Press to spin them.' :
    'Pass over cards to turn them; press to turn all.';
export const unit = 'springs on rotations';
export const parameters = ['count', 'response', 'damping'];
export const actions = { Turn: 'turnAll' };

export const settings = [
    { name: 'kind', kind: 'select', label: 'what', options: { heads: 'Heads that look', cards: 'Cards that turn' } },
    { name: 'count', kind: 'range', label: 'count', min: 12, max: 2000, logarithmic: true, late: true, round: toDigits(2),
        show: (v) => v.toLocaleString('en') },
    { name: 'response', kind: 'range', label: 'response', min: 0.1, max: 3, logarithmic: true, round: toDigits(2),
        show: (v) => `${v} s` },
    { name: 'damping', kind: 'range', label: 'damping', min: 0.05, max: 1.5, round: toDigits(2), show: (v) => `${v}` },
];
export const defaults = { kind: 'heads', count: 24, response: 0.5, damping: 0.4 };

/** v turned by the unit quaternion (x, y, z, w). */
function turned([x, y, z, w], [a, b, c]) {
    const [u, v, t] = [y * c - z * b + w * a, z * a - x * c + w * b, x * b - y * a + w * c];
    return [a + 2 * (y * t - z * v), b + 2 * (z * u - x * t), c + 2 * (x * v - y * u)];
}

export class Turning {
    constructor(gyre, stage, values) {
        Object.assign(this, { gyre, stage, values });
        this.clock = 0;
        this.allocate();
    }

    allocate() {
        const { gyre } = this, n = this.values.count;
        this.springs = gyre.orientationSprings(n, { restAngle: 1e-3, restSpeed: 1e-2, skipAsleep: true });
        this.place = new Float32Array(3 * n);
        this.sides = new Uint8Array(n); // of cards: which one faces up
        this.due = new Float32Array(n).fill(Infinity); // when a press turns it
        this.arrays = null;
        this.layOut();
    }

    free() {
        this.springs.free();
    }

    /** Cells in rows, as many as fit best into the free part of the screen. */
    layOut() {
        const n = this.values.count, free = this.stage.free(), { scale, width, height } = this.stage;
        const rows = Math.ceil(n / Math.max(1, Math.round(Math.sqrt(n * free.width / free.height))));
        const columns = Math.ceil(n / rows);
        for (let i = 0; i < n; i++) {
            const row = Math.floor(i / columns), inRow = Math.min(columns, n - row * columns);
            this.place.set([i % columns - (inRow - 1) / 2, (rows - 1) / 2 - row, (i % columns + row) / (columns + rows)], 3 * i);
        }
        // The grid fills the free part of the picture; the camera is far away, so that all look alike.
        const cell = Math.min(free.width / columns, free.height / rows) * scale, distance = 3 * Math.max(rows, columns);
        this.cell = cell;
        this.depth = 0.45 * Math.max(rows, columns);
        this.centre = [(free.x + free.width / 2) * scale, (free.y + free.height / 2) * scale];
        this.camera = new Camera([0, 0, distance], [0, 0, 0], [0, 1, 0], height / cell / 2 / distance, width / cell / 2 / distance,
            [2 * this.centre[0] / width - 1, 1 - 2 * this.centre[1] / height]);
        this.arrays = null;
        this.springs.awake.fill(1);
    }

    resize() {
        this.layOut();
    }

    change(name) {
        if (name === 'count' || name === 'kind') {
            this.free();
            this.allocate();
        }
    }

    turnAll() {
        this.press(...this.centre);
    }

    /** The position of a pixel, in cells. */
    cellsOf(x, y) {
        return [(x - this.centre[0]) / this.cell, (this.centre[1] - y) / this.cell];
    }

    press(x, y) {
        const { springs, place, values } = this, [px, py] = this.cellsOf(x, y);
        for (let i = 0; i < values.count; i++) {
            const [dx, dy] = [place[3 * i] - px, place[3 * i + 1] - py];
            if (values.kind === 'cards') {
                this.due[i] = this.clock + Math.hypot(dx, dy) / RIPPLE_SPEED;
            } else { // at the start: a spin about the line of sight
                springs.angularVelocity[2][i] += 9;
                springs.awake[i] = 1;
            }
        }
    }

    setTarget(i, x, y, z, w) {
        const { target, awake } = this.springs, length = Math.hypot(x, y, z, w);
        [x, y, z, w].forEach((value, k) => {
            target[k][i] = value / length;
        });
        awake[i] = 1;
    }

    look(px, py) {
        const { place, values } = this;
        for (let i = 0; i < values.count; i++) { // from straight ahead to the point, which is some way in front
            const [dx, dy, dz] = [px - place[3 * i], py - place[3 * i + 1], this.depth];
            this.setTarget(i, -dy, dx, 0, Math.hypot(dx, dy, dz) + dz);
        }
    }

    /**
     * Turns a card over, about the axis across (dx, dy), or an upright one. Slightly less than half a turn, so that the
     * direction is clear.
     */
    turn(i, dx, dy) {
        const length = Math.hypot(dx, dy);
        this.sides[i] ^= 1;
        if (this.sides[i]) {
            this.setTarget(i, ...(length > 0 ? [-dy / length, dx / length] : [0, 1]), 0, 1e-3);
        } else {
            this.setTarget(i, 0, 0, 0, 1);
        }
    }

    step(dt, pointer) {
        const { gyre, springs, values, place, due } = this, n = values.count;
        this.clock += dt;
        if (values.kind === 'heads') {
            if (pointer.moved) { // until then they look straight ahead
                this.look(...this.cellsOf(pointer.x, pointer.y));
            }
        } else {
            const [px, py] = this.cellsOf(pointer.x, pointer.y);
            for (let i = 0; i < n; i++) {
                const [dx, dy] = [place[3 * i] - px, place[3 * i + 1] - py];
                const over = pointer.known && Math.abs(dx) < 0.42 && Math.abs(dy) < 0.5;
                if (pointer.moved && over && this.over !== i) {
                    this.over = i;
                    this.turn(i, pointer.dx, -pointer.dy);
                }
                if (this.clock >= due[i]) {
                    due[i] = Infinity;
                    this.turn(i, dx, dy);
                }
            }
            if (!pointer.known && this.clock % 3 < dt) {
                this.turnAll();
            }
        }
        const matrix = gyre.springMatrixAt(gyre.springFromResponse(values.response, values.damping), dt);
        const started = performance.now();
        springs.step(matrix, dt);
        this.kernel = performance.now() - started;
        return springs.awake.reduce((sum, flag) => sum + flag, 0);
    }

    get elements() {
        return this.springs.count;
    }

    draw(measure) {
        if (this.stage.gl) {
            this.drawByGl(this.stage.gl, measure);
        } else {
            measure('drawing', () => this.paint());
        }
    }

    drawByGl(gl, measure) {
        const { stage, springs, values } = this, heads = values.kind === 'heads', [x, y, z, w] = springs.orientation;
        if (this.arrays?.gl !== gl) {
            const mesh = heads ? sphereMesh(16, 24) : boxMesh(...CARD).filter((_, k) => k % 6 < 3);
            this.program = makeProgram(gl, VERTEX, FRAGMENT);
            this.arrays = { gl, vertices: mesh.length / 3, ...makeArrays(gl, this.program, {
                corner: { data: mesh, size: 3 }, qx: { data: x, each: 1 }, qy: { data: y, each: 1 }, qz: { data: z, each: 1 },
                qw: { data: w, each: 1 }, place: { data: this.place, size: 3, each: 1 } }) };
        }
        measure('upload', () => upload(gl, this.arrays, springs.orientation));
        measure('drawing', () => {
            const { uniforms } = this.program;
            beginDrawing(gl, stage, this.program, this.arrays, true);
            gl.uniformMatrix4fv(uniforms.camera, false, this.camera.matrix);
            gl.uniform1f(uniforms.size, heads ? RADIUS : 1);
            gl.uniform1i(uniforms.heads, heads ? 1 : 0);
            gl.uniform3fv(uniforms.ramp, stage.ramp.flat());
            gl.uniform3fv(uniforms.skin, stage.skin);
            gl.uniform3fv(uniforms.card, stage.dark ? [0.16, 0.18, 0.24] : [1, 1, 1]);
            gl.drawArraysInstanced(gl.TRIANGLES, 0, this.arrays.vertices, values.count);
        });
    }

    /** Canvas 2D: heads are discs with eyes in their direction, cards are outlines. */
    paint() {
        const { stage, springs, values, place } = this, context = stage.context;
        context.fillStyle = css(stage.ground);
        context.fillRect(0, 0, stage.width, stage.height);
        for (let i = 0; i < values.count; i++) {
            const q = springs.orientation.map((array) => array[i]), own = css(stage.rampAt(place[3 * i + 2]));
            const cx = this.centre[0] + place[3 * i] * this.cell, cy = this.centre[1] - place[3 * i + 1] * this.cell;
            if (values.kind === 'heads') {
                this.paintHead(context, cx, cy, q, own);
            } else {
                this.paintCard(context, cx, cy, q, own);
            }
        }
    }

    paintHead(context, cx, cy, q, own) {
        const size = RADIUS * this.cell, crown = turned(q, [0, 1, 0]);
        const light = context.createRadialGradient(cx - size / 3, cy - size / 2, 0, cx, cy, 1.15 * size);
        light.addColorStop(0, css(this.stage.skin.map((v) => Math.min(1, v * 1.05))));
        light.addColorStop(1, css(this.stage.skin.map((v) => v * 0.6)));
        disc(context, cx, cy, size, light);
        context.save(); // hair: the part of the disc on the crown's side
        context.beginPath();
        context.arc(cx, cy, size, 0, 7);
        context.clip();
        const lift = (HAIR * 1.9 - 0.35 * crown[2]) * size, angle = Math.atan2(-crown[1], crown[0]);
        context.translate(cx, cy);
        context.rotate(angle);
        context.fillStyle = own;
        context.beginPath();
        context.ellipse(lift + size, 0, 1.35 * size, 1.7 * size, 0, 0, 7);
        context.fill();
        context.setTransform(1, 0, 0, 1, 0, 0);
        for (const [ex, ey] of EYES) {
            const out = Math.sqrt(1 - ex * ex - ey * ey), at = turned(q, [ex, ey, out]);
            if (at[2] > 0.1) {
                disc(context, cx + at[0] * size, cy - at[1] * size, EYE * size, '#fff');
                disc(context, cx + at[0] * size * 1.03, cy - at[1] * size * 1.03, PUPIL * size, '#14161f');
            }
        }
        context.strokeStyle = '#8c2a35';
        context.lineWidth = Math.max(1, 0.06 * size);
        context.beginPath();
        for (let k = -4; k <= 4; k++) {
            const [mx, my] = [0.075 * k, -0.42 + 0.006 * k * k], at = turned(q, [mx, my, Math.sqrt(1 - mx * mx - my * my)]);
            if (at[2] > 0) {
                context.lineTo(cx + at[0] * size, cy - at[1] * size);
            }
        }
        context.stroke();
        context.restore();
    }

    paintCard(context, cx, cy, q, own) {
        const facing = turned(q, [0, 0, 1])[2] > 0, draw = (points) => {
            context.beginPath();
            for (const [x, y] of points) {
                const at = turned(q, [x, y, 0]);
                context.lineTo(cx + at[0] * this.cell, cy - at[1] * this.cell);
            }
            context.closePath();
        };
        const back = this.stage.dark ? '#2a2f3d' : '#fff', circle = (radius) => Array.from({ length: 24 }, (_, k) =>
            [radius * Math.cos(k * Math.PI / 12), radius * Math.sin(k * Math.PI / 12)]);
        draw([[-CARD[0], -CARD[1]], [CARD[0], -CARD[1]], [CARD[0], CARD[1]], [-CARD[0], CARD[1]]]);
        context.fillStyle = facing ? own : back;
        context.fill();
        context.strokeStyle = facing ? '#ffffff66' : own;
        context.lineWidth = Math.max(1, this.cell / 40);
        context.stroke();
        draw(circle(0.16));
        context.strokeStyle = facing ? '#fff' : own;
        context.lineWidth = Math.max(1, this.cell / 14);
        context.stroke();
    }
}

const css = (colour) => `rgb(${colour.map((v) => Math.round(255 * v)).join(' ')})`;

function disc(context, x, y, radius, fill) {
    context.fillStyle = fill;
    context.beginPath();
    context.arc(x, y, radius, 0, 7);
    context.fill();
}
