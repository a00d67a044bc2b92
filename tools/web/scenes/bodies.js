// A field of dancing poles: on the left with one method, on the right with another. The angular momentum of such a pole
// is nearly horizontal and constant, so it falls over and tumbles; explicit Euler keeps the angular velocity instead,
// and the pole stands for ever. After Maciej Mizerski's article on rotation and Erin Catto's presentation.
import { Camera } from '../camera.js';
import { randomFrom } from '../pictures.js';
import { beginDrawing, boxMesh, makeArrays, makeProgram, upload } from '../webgl.js';
import { packed } from '../stage.js';
import { Sides } from '../sides.js';
import { toDigits } from '../controls.js';

const LENGTH = 4, RADIUS = 0.1, MASS = 10; // m, kg
const MOMENTS = [MASS * (3 * RADIUS ** 2 + LENGTH ** 2) / 12, MASS * (3 * RADIUS ** 2 + LENGTH ** 2) / 12, MASS * RADIUS ** 2 / 2];
const TILT = 5 * Math.PI / 180, SPIN = 8; // from the vertical; rad/s about it
const SPACING = 4.6, AISLE = 7; // m
const FOG = 190; // m: range of sight
const TIP = 0.7; // of half a pole: beyond it is the end that was up at the start, in the colour of text

const METHODS = { 'moser-veselov': 'Moser-Veselov', midpoint: 'implicit midpoint', 'object-trapezoid': 'trapezoid, body',
    trapezoid: 'trapezoid, world', 'explicit-euler': 'explicit Euler' };

const VERTEX = `
in vec3 corner, normal;
in vec4 row0, row1, row2;
uniform mat4 camera;
uniform vec3 left, right, ground, eye;
uniform float fog;
out vec3 colour, tip;
out float along;
void main() {
    vec4 place = vec4(corner, 1);
    vec3 world = vec3(dot(row0, place), dot(row1, place), dot(row2, place));
    vec3 n = vec3(dot(row0.xyz, normal), dot(row1.xyz, normal), dot(row2.xyz, normal));
    float light = 0.45 + 0.55 * max(0.0, dot(n, normalize(vec3(-0.4, -0.7, 0.6))));
    vec3 own = row0.w < 0.0 ? left : right;
    float seen = exp(-distance(world, eye) / fog);
    colour = mix(ground, own * light, seen);
    tip = mix(ground, (1.0 - ground) * light, seen);
    along = corner.z;
    gl_Position = camera * vec4(world, 1);
}`;
const FRAGMENT = `
in vec3 colour, tip;
in float along;
uniform float tipFrom;
out vec4 pixel;
void main() { pixel = vec4(along > tipFrom ? tip : colour, 1); }`;

export const title = 'Poles that should fall';
export const hint = () =>
    'Each pole spins about the vertical, a little inclined, and has to fall over. The marked end was up. Drag to look around.';
export const actions = { 'Start again': 'restart' };

export const settings = [
    { name: 'count', kind: 'range', label: 'bodies', min: 1000, max: 100000, logarithmic: true, late: true,
        round: (v) => 2 * Math.round(toDigits(2)(v) / 2), show: (v) => v.toLocaleString('en') },
    { name: 'left', kind: 'select', label: 'left', options: METHODS },
    { name: 'right', kind: 'select', label: 'right', options: METHODS },
];

export const defaults = { count: 20000, left: 'moser-veselov', right: 'explicit-euler' };

export class Bodies {
    constructor(gyre, stage, values) {
        Object.assign(this, { gyre, stage, values });
        this.heading = 0;
        this.allocate();
    }

    allocate() {
        const { gyre } = this, n = this.values.count;
        this.labels = new Sides(this.stage);
        this.bodies = gyre.bodies(n, { inertia: MOMENTS });
        this.place = gyre.float32(3 * n);
        this.omega = gyre.float32(3 * n);
        this.rows = gyre.float32(12 * n);
        this.arrays = null;
        const [x, y, z] = [0, 1, 2].map((k) => this.place.view.subarray(k * n, (k + 1) * n));
        this.places = { x, y, z };
        const half = n / 2, rowWidth = Math.round(Math.sqrt(half));
        for (let i = 0; i < n; i++) { // left half first, row by row away from the camera
            const k = i % half, column = k % rowWidth, row = Math.floor(k / rowWidth), side = i < half ? -1 : 1;
            x[i] = side * (AISLE / 2 + column * SPACING);
            y[i] = row * SPACING;
            z[i] = LENGTH / 2 + 0.3;
        }
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
    }

    press() {}

    step(dt, pointer) {
        if (pointer.down && pointer.moved) {
            this.heading = Math.min(Math.max(this.heading - pointer.dx / this.stage.width, -0.5), 0.5);
        }
        const { bodies, values } = this, half = values.count / 2;
        const started = performance.now();
        bodies.step(dt, { method: values.left }, 0, half);
        bodies.step(dt, { method: values.right }, half, 2 * half);
        this.kernel = performance.now() - started;
        return values.count;
    }

    get elements() {
        return this.bodies.count;
    }

    /** Shown in the panel at intervals: how many poles stand, and the change of a pole's angular momentum. */
    report() {
        const { bodies, values } = this, half = values.count / 2, [qx, qy] = bodies.orientation;
        ['left', 'right'].forEach((name, side) => {
            let standing = 0;
            for (let i = side * half; i < (side + 1) * half; i++) {
                standing += 1 - 2 * (qx[i] * qx[i] + qy[i] * qy[i]) > Math.SQRT1_2; // within 45 degrees of upright
            }
            const before = this.momentum[side], now = bodies.momentum.map((array) => array[side * half]);
            const off = Math.hypot(...now.map((value, k) => value - before[k])) / Math.hypot(...before);
            this.labels.show(side, METHODS[values[name]], `${Math.round(100 * standing / half)} % stand · ` +
                (off < 1e-6 ? 'angular momentum kept' : `angular momentum off by ${Math.round(100 * off)} %`));
        });
    }

    camera() {
        const { width, height, scale } = this.stage, free = this.stage.free(), tangent = 0.42 * height / (free.height * scale);
        const eye = [-60 * Math.sin(this.heading), -17, 17];
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
            const mesh = boxMesh(RADIUS, RADIUS, LENGTH / 2), stride = 48;
            this.program = makeProgram(gl, VERTEX, FRAGMENT);
            this.arrays = { gl, ...makeArrays(gl, this.program, {
                corner: { data: mesh, size: 3, stride: 24 }, normal: { data: mesh, size: 3, stride: 24, offset: 12 },
                row0: { data: rows, size: 4, each: 1, stride }, row1: { data: rows, size: 4, each: 1, stride, offset: 16 },
                row2: { data: rows, size: 4, each: 1, stride, offset: 32 } }) };
        }
        measure('upload', () => upload(gl, this.arrays, [rows]));
        measure('drawing', () => {
            const { uniforms } = this.program, camera = this.camera();
            beginDrawing(gl, stage, this.program, this.arrays, true);
            gl.uniformMatrix4fv(uniforms.camera, false, camera.matrix);
            gl.uniform3fv(uniforms.left, stage.accent);
            gl.uniform3fv(uniforms.right, stage.other);
            gl.uniform3fv(uniforms.ground, stage.ground);
            gl.uniform3fv(uniforms.eye, camera.eye);
            gl.uniform1f(uniforms.fog, FOG);
            gl.uniform1f(uniforms.tipFrom, TIP * LENGTH / 2);
            gl.drawArraysInstanced(gl.TRIANGLES, 0, 36, this.values.count);
        });
    }

    /** Canvas 2D: each pole is a line of pixels, the farthest rows first. */
    plot() {
        const { stage, values, places } = this, rows = this.rows.view, { width, height } = stage, pixels = stage.pixels();
        const camera = this.camera(), half = values.count / 2, reach = LENGTH / 2;
        const text = stage.ground.map((v) => 1 - v);
        const shades = [stage.accent, stage.other, text].map((colour) => Array.from({ length: 64 }, (_, k) =>
            packed(colour.map((v, c) => stage.ground[c] + (v - stage.ground[c]) * k / 63))));
        for (let k = half - 1; k >= 0; k--) {
            for (const i of [k, k + half]) {
                const [x, y, z] = [places.x[i], places.y[i], places.z[i]];
                const [ax, ay, az] = [rows[12 * i + 2] * reach, rows[12 * i + 6] * reach, rows[12 * i + 10] * reach];
                const [u0, v0, w0] = camera.project([x - ax, y - ay, z - az], width, height);
                const [u1, v1, w1] = camera.project([x + ax, y + ay, z + az], width, height);
                if (w0 < 1 || w1 < 1) {
                    continue;
                }
                const seen = Math.exp(-Math.hypot(x - camera.eye[0], y - camera.eye[1]) / FOG);
                const [colour, tip] = [i < half ? 0 : 1, 2].map((shade) => shades[shade][Math.round(63 * seen)]);
                const thick = Math.max(1, Math.round(RADIUS * this.stage.height / w0 * 2));
                const steps = Math.max(1, Math.ceil(Math.max(Math.abs(u1 - u0), Math.abs(v1 - v0))));
                const flat = Math.abs(v1 - v0) < Math.abs(u1 - u0) ? width : 1;
                const tipFrom = (1 + TIP) / 2 * steps;
                for (let s = 0; s <= steps; s++) {
                    const column = u0 + (u1 - u0) * s / steps | 0, row = v0 + (v1 - v0) * s / steps | 0;
                    if (column >= 0 && column < width - thick && row >= 0 && row < height - thick) {
                        for (let t = 0; t < thick; t++) {
                            pixels[row * width + column + t * flat] = s > tipFrom ? tip : colour;
                        }
                    }
                }
            }
        }
        stage.show();
    }
}
