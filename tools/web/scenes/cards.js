// A wall of cards, each moved by a published spring. All get the same target at the same moment.

const PRESETS = [ // source, name, parameters
    ['SwiftUI', 'smooth', { duration: 0.5, bounce: 0 }],
    ['SwiftUI', 'snappy', { duration: 0.5, bounce: 0.15 }],
    ['SwiftUI', 'bouncy', { duration: 0.5, bounce: 0.3 }],
    ['SwiftUI', 'interactive', { response: 0.15, ratio: 0.86 }],
    ['Android', 'low, medium bouncy', { stiffness: 200, ratio: 0.5 }],
    ['Android', 'low, high bouncy', { stiffness: 200, ratio: 0.2 }],
    ['Android', 'medium, low bouncy', { stiffness: 1500, ratio: 0.75 }],
    ['Android', 'very low, no bouncy', { stiffness: 50, ratio: 1 }],
    ['Material 3', 'expressive, fast', { stiffness: 800, ratio: 0.6 }],
    ['Material 3', 'expressive, default', { stiffness: 380, ratio: 0.8 }],
    ['Material 3', 'expressive, slow', { stiffness: 200, ratio: 0.8 }],
    ['Material 3', 'standard, default', { stiffness: 700, ratio: 0.9 }],
    ['react-spring', 'default', { stiffness: 170, damping: 26 }],
    ['react-spring', 'gentle', { stiffness: 120, damping: 14 }],
    ['react-spring', 'wobbly', { stiffness: 180, damping: 12 }],
    ['react-spring', 'stiff', { stiffness: 210, damping: 20 }],
    ['react-spring', 'slow', { stiffness: 280, damping: 60 }],
    ['react-spring', 'molasses', { stiffness: 280, damping: 120 }],
    ['Framer Motion', 'default', { stiffness: 100, damping: 10 }],
    ['Rebound', 'tension 40, friction 6', { stiffness: 230.2, damping: 19 }],
];
const UNITS = { duration: ' s', response: ' s' };
const CURVE_S = 1.2, CURVE_POINTS = 73;
const LEFT = 0.2, RIGHT = 0.7; // fractions of the track, with room for overshoot

export const title = () => 'Published springs';
export const hint = () => 'Press anywhere, at any moment: all are sent to the other side, and keep the speed that they have. Or let them follow the pointer.';
export const unit = 'springs';
export const parameters = []; // the springs are as published
export const actions = { 'Send them': 'press' };

export const settings = [{ name: 'follow', kind: 'check', label: 'follow' }];
export const defaults = { follow: false };

function springOf(gyre, { duration, bounce, response, ratio, stiffness, damping }) {
    if (duration) {
        return gyre.springFromDuration(duration, bounce);
    }
    if (response) {
        return gyre.springFromResponse(response, ratio);
    }
    return gyre.springFromStiffness(1, stiffness, damping ?? 2 * ratio * Math.sqrt(stiffness));
}

function place(made, { x, y, width, height }) {
    Object.assign(made.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
}

function element(name, properties = {}, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
}

export class Cards {
    constructor(gyre, stage, values) {
        Object.assign(this, { gyre, stage, values });
        const n = PRESETS.length;
        this.springs = gyre.springs(n, { restDistance: 1e-3, restSpeed: 1e-2, skipAsleep: true });
        this.parameters = PRESETS.map(([, , stated]) => springOf(gyre, stated));
        this.styles = gyre.uint16(n);
        this.styles.view.forEach((_, i, styles) => {
            styles[i] = i;
        });
        this.palette = gyre.float32(16 * n);
        this.shown = new Float32Array(n).fill(NaN);
        this.wall = element('div', { className: 'wall' });
        this.chips = PRESETS.map((preset, i) => this.makeCard(preset, i));
        stage.canvas.hidden = true;
        stage.place.after(this.wall);
        this.resize();
        this.press();
    }

    free() {
        for (const block of [this.springs, this.styles, this.palette]) {
            block.free();
        }
        this.wall.remove();
        this.stage.canvas.hidden = false;
    }

    makeCard([whose, name, stated], i) {
        const text = Object.entries(stated).map(([key, value]) => `${key} ${value}${UNITS[key] ?? ''}`).join(', ');
        const chip = element('i'), card = element('article', {}, element('p', { textContent: whose }),
            element('h2', { textContent: name }), element('p', { textContent: text }));
        const [r, g, b] = this.stage.rampAt(i / (PRESETS.length - 1)).map((v) => Math.round(255 * v));
        card.style.setProperty('--own', `rgb(${r} ${g} ${b})`);
        card.insertAdjacentHTML('beforeend', `<svg viewBox="0 0 ${CURVE_S} 1.6" preserveAspectRatio="none" aria-hidden="true">
            <line x2="${CURVE_S}" y1="0.5" y2="0.5"/><path d="${this.curve(this.parameters[i])}"/></svg>`);
        card.append(element('div', { className: 'track' }, chip));
        this.wall.append(card);
        return chip;
    }

    /** The position of a spring released at 0 with its target at 1, drawn downwards from the target. */
    curve(spring) {
        const { gyre } = this, start = gyre.springs(CURVE_POINTS), times = gyre.float32(3 * CURVE_POINTS);
        const [elapsed, position, velocity] = [0, 1, 2].map((k) => times.view.subarray(k * CURVE_POINTS, (k + 1) * CURVE_POINTS));
        elapsed.forEach((_, k) => {
            elapsed[k] = CURVE_S * k / (CURVE_POINTS - 1);
        });
        start.target.fill(1);
        start.at(spring, elapsed, position, velocity);
        const path = Array.from(position, (p, k) => `${k ? 'L' : 'M'}${elapsed[k].toFixed(3)} ${(1.5 - p).toFixed(3)}`).join('');
        start.free();
        times.free();
        return path;
    }

    send(target) {
        this.springs.target.fill(target);
        this.springs.awake.fill(1);
    }

    press() {
        this.send(this.springs.target[0] > 0.5 ? 0 : 1);
    }

    change() {}
    resize() {
        place(this.wall, this.stage.free());
    }

    step(dt, pointer) {
        if (this.values.follow && pointer.moved) {
            this.send(Math.min(Math.max(pointer.x / this.stage.width, 0), 1));
        }
        const { gyre, springs, palette } = this;
        this.parameters.forEach((spring, k) => palette.view.set(gyre.springMatrixAt(spring, dt), 16 * k));
        const started = performance.now();
        springs.stepPalette(palette.view, this.styles.view);
        this.kernel = performance.now() - started;
        return springs.awake.reduce((sum, flag) => sum + flag, 0);
    }

    get elements() {
        return this.springs.count;
    }

    draw(measure) {
        measure('drawing', () => {
            const { position } = this.springs, width = this.chips[0].parentElement.clientWidth - 22;
            this.chips.forEach((chip, i) => {
                const x = (LEFT + (RIGHT - LEFT) * position[i]) * width;
                if (x !== this.shown[i]) {
                    this.shown[i] = x;
                    chip.style.transform = `translateX(${x.toFixed(2)}px)`;
                }
            });
        });
    }
}
