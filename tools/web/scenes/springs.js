// A million points, each on two springs, form a picture. They follow the pointer, send waves, settle and sleep.
import { CHUNK, RUN, STYLES, formPicture, randomFrom } from '../pictures.js';
import { beginDrawing, makeArrays, makeProgram, upload } from '../webgl.js';
import { packed } from '../stage.js';
import { toDigits } from '../controls.js';

const BRUSH = 90; // CSS pixels: the radius around the pointer within which it drags points
const WAVE_SPEED = 900, WAVE_PUSH = 900, WAVE_REACH = 520; // CSS pixels a second, and pixels

const VERTEX = `
in float x, y;
uniform vec2 size;
uniform float count, width;
uniform vec3 ramp[5];
out vec3 colour;
void main() {
    gl_Position = vec4(2.0 * x / size.x - 1.0, 1.0 - 2.0 * y / size.y, 0, 1);
    gl_PointSize = width;
    float at = float(gl_VertexID) / count * 4.0;
    int k = min(int(at), 3);
    colour = mix(ramp[k], ramp[k + 1], at - float(k));
}`;
const FRAGMENT = `
in vec3 colour;
uniform float opacity;
out vec4 pixel;
void main() { pixel = vec4(colour, opacity); }`;

const points = ({ count }) => count === 1000000 ? 'A million points' : `${count.toLocaleString('en')} points`;
export const title = (values) => `${points(values)}, two springs each`;
export const hint = () => 'One spring in x, one in y. Move through them; press for a wave. They come home, settle and sleep.';
export const unit = 'springs';
export const parameters = ['count', 'response', 'damping'];
export const actions = { Scatter: 'explode' };

export const settings = [
    { name: 'count', kind: 'range', label: 'points', min: 10000, max: 1000000, logarithmic: true, late: true,
        round: toDigits(2), show: (v) => v.toLocaleString('en') },
    { name: 'response', kind: 'range', label: 'response', min: 0.1, max: 3, logarithmic: true, round: toDigits(2),
        show: (v) => `${v} s` },
    { name: 'damping', kind: 'range', label: 'damping', min: 0.05, max: 1.5, round: toDigits(2), show: (v) => `${v}` },
    { name: 'picture', kind: 'select', label: 'picture', options: { text: 'Text', galaxy: 'Galaxy', knot: 'Knot' } },
    { name: 'text', kind: 'text', label: 'text' },
    { name: 'image', kind: 'file', label: 'or image', accept: 'image/*' },
    { name: 'sweep', kind: 'check', label: 'sweep' },
];

export const defaults = { count: 1000000, response: 0.7, damping: 0.42, picture: 'text', text: 'Gyre', image: null, sweep: true };

export class Springs {
    constructor(gyre, stage, values) {
        Object.assign(this, { gyre, stage, values });
        this.waves = [];
        this.clock = 0;
        this.awake = Infinity;
        this.allocate();
        this.scatter();
        this.form();
        if (values.image) {
            this.formImage(values.image);
        }
    }

    allocate() {
        const n = this.count = this.values.count;
        // x of all points, then y of all: one call steps both
        const springs = this.springs = this.gyre.springs(2 * n, { restDistance: 0.1, restSpeed: 2, skipAsleep: true });
        [this.x, this.y] = [springs.position.subarray(0, n), springs.position.subarray(n)];
        [this.homeX, this.homeY] = [springs.target.subarray(0, n), springs.target.subarray(n)];
        this.styles = this.gyre.uint16(2 * n);
        this.palette = this.gyre.float32(16 * STYLES);
        this.found = this.gyre.uint32(2 * n);
        const styles = this.styles.view;
        for (let i = 0; i < n; i++) {
            styles[i] = styles[n + i] = Math.floor(i / RUN) % STYLES;
        }
        this.bounds = new Float32Array(4 * Math.ceil(n / CHUNK)); // of the homes of each chunk: left, top, right, bottom
        this.arrays = null;
    }

    free() {
        for (const block of [this.springs, this.styles, this.palette, this.found]) {
            block.free();
        }
    }

    /** Points at random positions, from where they form the first picture. */
    scatter() {
        const random = randomFrom(3), { width, height } = this.stage;
        for (let i = 0; i < this.count; i++) {
            const angle = 2 * Math.PI * random(), far = Math.hypot(width, height) * (0.2 + 0.5 * random());
            this.x[i] = width / 2 + far * Math.cos(angle);
            this.y[i] = height / 2 + far * Math.sin(angle);
        }
    }

    /** Sets new targets. Positions and velocities stay: springs continue from where they are. */
    form() {
        const { stage, values } = this, { width, height, scale } = stage;
        const free = stage.free(); // without the panels, in CSS pixels
        const place = { x: free.x * scale, y: free.y * scale, width: free.width * scale, height: free.height * scale };
        const picture = this.bitmap ? { kind: 'image', bitmap: this.bitmap, ground: stage.dark ? 0 : 1 } :
            { kind: values.picture, text: values.text };
        formPicture(picture, width, height, place, this.homeX, this.homeY);
        for (let chunk = 0, start = 0; start < this.count; chunk++, start += CHUNK) {
            let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
            for (let i = start; i < Math.min(start + CHUNK, this.count); i++) {
                const x = this.homeX[i], y = this.homeY[i];
                left = Math.min(left, x), right = Math.max(right, x);
                top = Math.min(top, y), bottom = Math.max(bottom, y);
            }
            this.bounds.set([left, top, right, bottom], 4 * chunk);
        }
        this.springs.awake.fill(1);
    }

    change(name, value) {
        if (name === 'count') {
            this.free();
            this.allocate();
            this.scatter();
            this.form();
        } else if (name === 'image') {
            return this.formImage(value);
        } else if (name === 'picture' || name === 'text') {
            this.bitmap = this.values.image = null;
            this.form();
        }
    }

    async formImage(file) {
        try {
            this.bitmap = await createImageBitmap(file);
        } catch {
            this.values.image = null;
            throw new Error(`“${file.name}” is not an image that this browser reads`);
        }
        this.form();
    }

    explode() {
        const random = randomFrom(this.clock * 1e3), { velocity, awake } = this.springs;
        for (let i = 0; i < velocity.length; i++) {
            velocity[i] += (random() - 0.5) * 9000 * this.stage.scale;
        }
        awake.fill(1);
    }

    resize() {
        this.form();
    }

    press(x, y) {
        this.waves.push({ x, y, before: 0 });
    }

    /** Calls visit(i, dx, dy, distance) for points whose homes are between two distances from a position. */
    eachNear(x, y, from, to, visit) {
        const { bounds, homeX, homeY } = this;
        for (let chunk = 0, start = 0; start < this.count; chunk++, start += CHUNK) {
            const [left, top, right, bottom] = bounds.subarray(4 * chunk, 4 * chunk + 4);
            if (Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom)) >= to ||
                Math.hypot(Math.max(x - left, right - x), Math.max(y - top, bottom - y)) < from) {
                continue;
            }
            for (let i = start, end = Math.min(start + CHUNK, this.count); i < end; i++) {
                const dx = homeX[i] - x, dy = homeY[i] - y, distance = Math.sqrt(dx * dx + dy * dy);
                if (distance >= from && distance < to) {
                    visit(i, dx, dy, distance);
                }
            }
        }
    }

    /**
     * Drags points around (x, y) along by (dx, dy): a push in proportion to the pointer's movement, at any frame rate.
     */
    brush(x, y, dx, dy) {
        const { velocity, awake } = this.springs, n = this.count, reach = BRUSH * this.stage.scale * 2;
        const push = 2 * Math.PI / this.values.response * 1.4;
        this.eachNear(x, y, 0, reach, (i, _dx, _dy, distance) => {
            const near = (1 - (distance / reach) ** 2) ** 2 * push;
            velocity[i] += near * dx;
            velocity[n + i] += near * dy;
            awake[i] = awake[n + i] = 1;
        });
    }

    /** Waves run outwards; each point is pushed once, when the front passes it. */
    runWaves(dt) {
        const { velocity, awake } = this.springs, n = this.count, scale = this.stage.scale;
        for (const wave of this.waves) {
            const now = wave.before + WAVE_SPEED * scale * dt, reach = WAVE_REACH * scale;
            this.eachNear(wave.x, wave.y, wave.before, now, (i, dx, dy, distance) => {
                const push = WAVE_PUSH * scale * Math.max(0, 1 - distance / reach) / Math.max(distance, 1);
                velocity[i] += push * dx;
                velocity[n + i] += push * dy;
                awake[i] = awake[n + i] = 1;
            });
            wave.before = now;
        }
        this.waves = this.waves.filter((wave) => wave.before < WAVE_REACH * scale);
    }

    /** Every eight seconds a stroke through the picture, until a user takes over. */
    sweepFrom(before, now) {
        const place = (t) => {
            const part = (t % 8 - 3.5) / 1.6, free = this.stage.free(), scale = this.stage.scale;
            return part >= 0 && part < 1 ? [scale * (free.x + free.width * part),
                scale * (free.y + free.height * (0.5 + 0.16 * Math.sin(2 * Math.PI * part + Math.floor(t / 8))))] : null;
        };
        const [from, to] = [place(before), place(now)];
        if (from && to && to[0] > from[0]) {
            this.brush(to[0], to[1], (to[0] - from[0]) * 1.2, (to[1] - from[1]) * 1.2);
        }
    }

    step(dt, pointer) {
        const { gyre, values, palette } = this;
        if (pointer.moved) {
            this.brush(pointer.x, pointer.y, pointer.dx, pointer.dy);
        } else if (values.sweep && !pointer.known) {
            this.sweepFrom(this.clock, this.clock + dt);
        }
        this.clock += dt;
        this.runWaves(dt);
        for (let k = 0; k < STYLES; k++) { // each style at its own speed
            const spring = gyre.springFromResponse(values.response * (0.6 + 0.8 * k / (STYLES - 1)), values.damping);
            palette.view.set(gyre.springMatrixAt(spring, dt), 16 * k);
        }
        const { springs } = this, started = performance.now();
        springs.skipAsleep = this.awake < springs.count / 2; // if most are awake, reading the flags takes longer
        this.stepped = springs.skipAsleep ? this.awake : springs.count;
        springs.stepPalette(palette.view, this.styles.view);
        this.kernel = performance.now() - started;
        this.awake = gyre.findAwake(springs.awake, this.found.view);
        return this.awake;
    }

    get elements() {
        return this.springs.count;
    }

    draw(measure) {
        if (this.stage.gl) {
            this.drawByGl(this.stage.gl, measure);
        } else {
            measure('drawing', () => this.plot());
        }
    }

    drawByGl(gl, measure) {
        const { stage, x, y } = this;
        if (this.arrays?.gl !== gl) {
            this.program = makeProgram(gl, VERTEX, FRAGMENT);
            this.arrays = { gl, ...makeArrays(gl, this.program, { x: { data: x }, y: { data: y } }) };
        }
        measure('upload', () => upload(gl, this.arrays, [x, y]));
        measure('drawing', () => {
            const { uniforms } = this.program, perPixel = this.count / (stage.width * stage.height);
            beginDrawing(gl, stage, this.program, this.arrays, false);
            gl.uniform2f(uniforms.size, stage.width, stage.height);
            gl.uniform1f(uniforms.count, this.count);
            gl.uniform1f(uniforms.width, perPixel < 0.1 ? 2 : 1.25);
            gl.uniform1f(uniforms.opacity, 0.8);
            gl.uniform3fv(uniforms.ramp, stage.ramp.flat());
            gl.drawArrays(gl.POINTS, 0, this.count);
        });
    }

    /** Canvas 2D: each point is a pixel. */
    plot() {
        const { stage, x, y, count } = this, { width, height } = stage, pixels = stage.pixels();
        for (let start = 0; start < count; start += CHUNK) {
            const colour = packed(stage.rampAt(start / count)), end = Math.min(start + CHUNK, count);
            for (let i = start; i < end; i++) {
                const column = x[i] | 0, row = y[i] | 0;
                if (column >>> 0 < width && row >>> 0 < height) {
                    pixels[row * width + column] = colour;
                }
            }
        }
        stage.show();
    }
}
