// A field of T-handles: on the left with one method, on the right with another. They spin about their stems, to which
// belongs the middle one of their moments of inertia. That is unstable, so with constant angular momentum they turn over
// and come round again, as one did in Dzhanibekov's spacecraft; explicit Euler keeps the angular velocity instead, and
// they never turn over. The field is after Maciej Mizerski's article on rotation and Erin Catto's presentation.
import { Camera } from '../camera.js';
import { randomFrom } from '../pictures.js';
import { beginDrawing, boxMesh, clear, makeArrays, makeProgram, upload } from '../webgl.js';
import { packed } from '../stage.js';
import { Sides } from '../sides.js';
import { toDigits } from '../controls.js';

// A stem along z, and a bar along x at its top: m, and kg per m.
const STEM = 2, BAR = 4, RADIUS = 0.12, LINEAR_MASS = 2;
const TOP = STEM / 2 * STEM / (STEM + BAR), FOOT = TOP - STEM; // of the stem, from the centre of mass
const about = (length) => LINEAR_MASS * length * (3 * RADIUS ** 2 + length ** 2) / 12; // across a cylinder; kg m^2
const along = (length) => LINEAR_MASS * length * RADIUS ** 2 / 2;
const APART = LINEAR_MASS * STEM * BAR / (STEM + BAR) * (STEM / 2) ** 2; // both masses from their common centre
const MOMENTS = [about(STEM) + along(BAR) + APART, about(STEM) + about(BAR) + APART, along(STEM) + about(BAR)];
const TILT = 5 * Math.PI / 180, SPIN = 5; // from the vertical; rad/s about it
const TURNED = 0.5; // cosine: how far beyond the horizontal a body is that has turned over
const SPACING = 4.6, AISLE = 7; // m
const FOG = 190; // m: range of sight

const METHODS = { 'moser-veselov': 'Moser-Veselov', midpoint: 'implicit midpoint', 'object-trapezoid': 'trapezoid, body',
    trapezoid: 'trapezoid, world', 'explicit-euler': 'explicit Euler' };

const VERTEX = `
in vec3 corner, normal;
in vec4 row0, row1, row2;
uniform mat4 camera;
uniform vec3 left, right, ground, eye;
uniform float fog;
out vec3 colour, pale;
out float height;
void main() {
    vec4 place = vec4(corner, 1);
    vec3 world = vec3(dot(row0, place), dot(row1, place), dot(row2, place));
    vec3 n = vec3(dot(row0.xyz, normal), dot(row1.xyz, normal), dot(row2.xyz, normal));
    float light = 0.45 + 0.55 * max(0.0, dot(n, normalize(vec3(-0.4, -0.7, 0.6))));
    vec3 own = row0.w < 0.0 ? left : right;
    float seen = exp(-distance(world, eye) / fog);
    colour = mix(ground, own * light, seen);
    pale = mix(ground, (1.0 - ground) * light, seen);
    height = corner.z;
    gl_Position = camera * vec4(world, 1);
}`;
const FRAGMENT = `
in vec3 colour, pale;
in float height;
out vec4 pixel;
void main() { pixel = vec4(height < ${TOP - RADIUS} ? pale : colour, 1); }`;

export const title = () => 'Handles that turn over';
export const hint = () => 'There is no gravity. A T-handle that spins about its middle axis, the stem, turns over by itself and ' +
    'comes round again; explicit Euler never turns it over. Drag to look around.';
export const unit = 'bodies';
export const parameters = ['count', 'left', 'right'];
export const actions = { 'Start again': 'restart' };

export const settings = [
    { name: 'count', kind: 'range', label: 'bodies', min: 1000, max: 100000, logarithmic: true, late: true,
        round: (v) => 2 * Math.round(toDigits(2)(v) / 2), show: (v) => v.toLocaleString('en') },
    { name: 'left', kind: 'select', label: 'left', options: METHODS },
    { name: 'right', kind: 'select', label: 'right', options: METHODS },
    { name: 'view', kind: 'hidden', min: -0.5, max: 0.5, round: toDigits(3) }, // how far one has looked round
];

export const defaults = { count: 20000, left: 'moser-veselov', right: 'explicit-euler', view: 0 };

/** Two boxes: the stem and the bar. */
function handleMesh() {
    const mesh = [[boxMesh(RADIUS, RADIUS, STEM / 2), (TOP + FOOT) / 2], [boxMesh(BAR / 2, RADIUS, RADIUS), TOP]];
    return new Float32Array(mesh.flatMap(([box, z]) => Array.from(box, (v, k) => k % 6 === 2 ? v + z : v)));
}

export class Bodies {
    constructor(gyre, stage, values) {
        Object.assign(this, { gyre, stage, values });
        this.allocate();
    }

    allocate() {
        const { gyre } = this, n = this.values.count;
        this.labels = new Sides(this.stage);
        this.bodies = gyre.bodies(n, { inertia: MOMENTS });
        this.place = gyre.float32(3 * n);
        this.omega = gyre.float32(3 * n);
        this.rows = gyre.float32(12 * n);
        this.up = new Int8Array(n); // which way each points: 1 or -1
        this.arrays = null;
        const [x, y, z] = [0, 1, 2].map((k) => this.place.view.subarray(k * n, (k + 1) * n));
        this.places = { x, y, z };
        const half = n / 2, rowWidth = Math.round(Math.sqrt(half));
        for (let i = 0; i < n; i++) { // left half first, row by row away from the camera
            const k = i % half, column = k % rowWidth, row = Math.floor(k / rowWidth), side = i < half ? -1 : 1;
            x[i] = side * (AISLE / 2 + column * SPACING);
            y[i] = row * SPACING;
            z[i] = BAR / 2 + 0.3;
        }
        this.resize();
        this.restart();
    }

    free() {
        for (const block of [this.bodies, this.place, this.omega, this.rows]) {
            block.free();
        }
        this.labels.remove();
    }

    restart() {
        const { bodies, values } = this, n = values.count, random = randomFrom(5);
        const omega = [0, 1, 2].map((k) => this.omega.view.subarray(k * n, (k + 1) * n));
        for (let i = 0; i < n; i++) {
            // Inclined by TILT about a horizontal axis, roughly the same for all, so that neighbours fall together.
            const axis = Math.PI / 2 + 0.5 * Math.sin(this.places.y[i] / 24) + 0.25 * (random() - 0.5);
            const [qx, qy, qz, qw] = bodies.orientation;
            qx[i] = Math.sin(TILT / 2) * Math.cos(axis);
            qy[i] = Math.sin(TILT / 2) * Math.sin(axis);
            qz[i] = 0;
            qw[i] = Math.cos(TILT / 2);
            omega[0][i] = omega[1][i] = 0;
            // Spins vary with the position, so that waves of tumbling run through the field.
            omega[2][i] = SPIN * (1 + 0.35 * Math.sin(Math.abs(this.places.x[i]) / 17 + this.places.y[i] / 23));
        }
        bodies.setAngularVelocity(omega);
        this.momentum = [0, n / 2].map((first) => bodies.momentum.map((array) => array[first]));
        this.up.fill(1);
        this.turned = [0, 0];
    }

    change(name) {
        if (name === 'count') {
            this.free();
            this.allocate();
        } else {
            this.restart();
        }
    }

    resize() {
        this.labels.resize();
        const { right, bottom } = this.stage.free();
        [this.right, this.bottom] = [right, bottom].map((v) => Math.round(v * this.stage.scale)); // panels begin there
    }

    press() {}

    step(dt, pointer) {
        const { bodies, values } = this, half = values.count / 2;
        if (pointer.down && pointer.moved) {
            values.view = toDigits(3)(Math.min(Math.max(values.view - pointer.dx / this.stage.width, -0.5), 0.5));
        }
        const started = performance.now();
        bodies.step(dt, { method: values.left }, 0, half);
        bodies.step(dt, { method: values.right }, half, 2 * half);
        this.kernel = performance.now() - started;
        this.countTurns();
        return values.count;
    }

    /** Counts the bodies that have turned over since they last did. */
    countTurns() {
        const { up, turned } = this, [qx, qy] = this.bodies.orientation, half = up.length / 2;
        for (let i = 0; i < up.length; i++) {
            if ((1 - 2 * (qx[i] * qx[i] + qy[i] * qy[i])) * up[i] < -TURNED) {
                up[i] = -up[i];
                turned[i < half ? 0 : 1]++;
            }
        }
    }

    get elements() {
        return this.bodies.count;
    }

    /** Shown at intervals: how often bodies have turned over, and the change of one's angular momentum. */
    report() {
        const { bodies, values, turned } = this, half = values.count / 2;
        ['left', 'right'].forEach((name, side) => {
            const before = this.momentum[side], now = bodies.momentum.map((array) => array[side * half]);
            const off = Math.hypot(...now.map((value, k) => value - before[k])) / Math.hypot(...before);
            const times = turned[side] === 0 ? 'never turned over' : `turned over ${(turned[side] / half).toFixed(1)} times each`;
            this.labels.show(side, METHODS[values[name]], `${times} · ` +
                (off < 1e-6 ? 'momentum kept' : `momentum off by ${(100 * off).toPrecision(2)} %`));
        });
    }

    camera() {
        const { width, height, scale } = this.stage, free = this.stage.free(), tangent = 0.42 * height / (free.height * scale);
        const eye = [-60 * Math.sin(this.values.view), -17, 17];
        return new Camera(eye, [0, 42, 0], [0, 0, 1], tangent, tangent * width / height,
            [2 * (free.x + free.width / 2) * scale / width - 1, 1 - 2 * (free.y + free.height / 2) * scale / height]);
    }

    draw(measure) {
        const { stage, bodies, places, rows } = this;
        measure('drawing', () => bodies.transforms(rows.view, places));
        if (stage.gl) {
            this.drawByGl(stage.gl, measure);
        } else {
            measure('drawing', () => this.plot());
        }
    }

    drawByGl(gl, measure) {
        const { stage } = this, rows = this.rows.view;
        if (this.arrays?.gl !== gl) {
            const mesh = handleMesh(), stride = 48;
            this.program = makeProgram(gl, VERTEX, FRAGMENT);
            this.arrays = { gl, vertices: mesh.length / 6, ...makeArrays(gl, this.program, {
                corner: { data: mesh, size: 3, stride: 24 }, normal: { data: mesh, size: 3, stride: 24, offset: 12 },
                row0: { data: rows, size: 4, each: 1, stride }, row1: { data: rows, size: 4, each: 1, stride, offset: 16 },
                row2: { data: rows, size: 4, each: 1, stride, offset: 32 } }) };
        }
        measure('upload', () => upload(gl, this.arrays, [rows]));
        measure('drawing', () => {
            const { uniforms } = this.program, camera = this.camera();
            clear(gl, stage);
            gl.enable(gl.SCISSOR_TEST);
            gl.scissor(0, stage.height - this.bottom, this.right, this.bottom);
            beginDrawing(gl, stage, this.program, this.arrays, true);
            gl.uniformMatrix4fv(uniforms.camera, false, camera.matrix);
            gl.uniform3fv(uniforms.left, stage.accent);
            gl.uniform3fv(uniforms.right, stage.other);
            gl.uniform3fv(uniforms.ground, stage.ground);
            gl.uniform3fv(uniforms.eye, camera.eye);
            gl.uniform1f(uniforms.fog, FOG);
            gl.drawArraysInstanced(gl.TRIANGLES, 0, this.arrays.vertices, this.values.count);
            gl.disable(gl.SCISSOR_TEST);
        });
    }

    /** Canvas 2D: each stem and each bar is a line of pixels, the farthest rows first. */
    plot() {
        const { stage, values, places } = this, rows = this.rows.view, { width, height } = stage, pixels = stage.pixels();
        const camera = this.camera(), half = values.count / 2, text = stage.ground.map((v) => 1 - v);
        const shades = [stage.accent, stage.other, text].map((colour) => Array.from({ length: 64 }, (_, k) =>
            packed(colour.map((v, c) => stage.ground[c] + (v - stage.ground[c]) * k / 63))));
        const line = ([u0, v0, w0], [u1, v1, w1], colour) => {
            if (w0 < 1 || w1 < 1) {
                return;
            }
            const thick = Math.max(1, Math.round(RADIUS * height / w0 * 2));
            const steps = Math.max(1, Math.ceil(Math.max(Math.abs(u1 - u0), Math.abs(v1 - v0))));
            const across = Math.abs(v1 - v0) < Math.abs(u1 - u0) ? width : 1;
            for (let s = 0; s <= steps; s++) {
                const column = u0 + (u1 - u0) * s / steps | 0, row = v0 + (v1 - v0) * s / steps | 0;
                if (column >= 0 && column < this.right - thick && row >= 0 && row < this.bottom - thick) {
                    for (let t = 0, at = row * width + column; t < thick; t++, at += across) {
                        pixels[at] = colour;
                    }
                }
            }
        };
        for (let k = half - 1; k >= 0; k--) {
            for (const i of [k, k + half]) {
                const [x, y, z] = [places.x[i], places.y[i], places.z[i]], at = 12 * i;
                const point = (along, up) => camera.project([x + rows[at] * along + rows[at + 2] * up,
                    y + rows[at + 4] * along + rows[at + 6] * up, z + rows[at + 8] * along + rows[at + 10] * up], width, height);
                const seen = Math.round(63 * Math.exp(-Math.hypot(x - camera.eye[0], y - camera.eye[1]) / FOG));
                line(point(0, FOOT), point(0, TOP), shades[2][seen]);
                line(point(-BAR / 2, TOP), point(BAR / 2, TOP), shades[i < half ? 0 : 1][seen]);
            }
        }
        stage.show();
    }
}
