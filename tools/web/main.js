// The page: loads Gyre, shows one of five scenes, and measures the time of each frame.
import { load } from './gyre/index.js';
import { showControls } from './controls.js';
import { showHashes } from './hashes.js';
import { Stage, hasGpu } from './stage.js';
import * as springs from './scenes/springs.js';
import * as cards from './scenes/cards.js';
import * as bodies from './scenes/bodies.js';
import * as turning from './scenes/turning.js';
import * as herd from './scenes/herd.js';

const SCENES = {
    springs: { ...springs, Scene: springs.Springs },
    cards: { ...cards, Scene: cards.Cards },
    bodies: { ...bodies, Scene: bodies.Bodies },
    turning: { ...turning, Scene: turning.Turning },
    herd: { ...herd, Scene: herd.Herd },
};
const LONGEST_STEP_S = 0.1; // after a pause, the motion continues where it was
const REPORT_S = 0.5; // how often figures are shown
const MEMORY = 96 << 20; // bytes: a million points take 46e6

const $ = (id) => document.getElementById(id);
const options = new URLSearchParams(location.search); // ?renderer=2d&theme=light&count=100000
const reduced = matchMedia('(prefers-reduced-motion: reduce)');

// ---- Theme ----

function setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    $('theme').textContent = theme === 'dark' ? 'Light' : 'Dark';
}
const light = matchMedia('(prefers-color-scheme: light)');
setTheme(options.get('theme') ?? (light.matches ? 'light' : 'dark'));

// ---- The scene ----

let gyre, scene, values = {}, frames = newFrames(), playing = !reduced.matches;
const stage = new Stage($('picture'), options.get('renderer') ?? (hasGpu() ? 'webgl' : '2d'));
const pointer = { x: 0, y: 0, dx: 0, dy: 0, moved: false, down: false, known: false };

/** The part of the screen that no panel covers, in CSS pixels. */
stage.free = () => {
    const { clientWidth: width, clientHeight: height } = stage.place, top = document.querySelector('header').offsetHeight + 8;
    const side = $('side'), phone = side.offsetLeft < 20, right = phone ? 8 : width - side.offsetLeft + 12;
    const below = phone ? side.offsetHeight + 24 : 20;
    return { x: phone ? 8 : 20, y: top, width: Math.max(80, width - right - (phone ? 8 : 20)), height: Math.max(80, height - top - below) };
};

function sceneName() {
    const name = location.hash.slice(1);
    return name in SCENES ? name : 'springs';
}

function showScene() {
    const name = sceneName(), { Scene, title, hint, settings, defaults, actions } = SCENES[name];
    scene?.free();
    stage.resize();
    for (const link of document.querySelectorAll('nav a')) {
        link.toggleAttribute('aria-current', link.hash === `#${name}`);
    }
    values = { ...defaults };
    if (options.has('count') && 'count' in values) {
        values.count = Number(options.get('count'));
    }
    const describe = () => {
        $('title').textContent = title;
        $('hint').textContent = hint(values);
    };
    describe();
    showControls($('controls'), settings, values, actions, (setting, value) => {
        scene.change(setting, value);
        describe();
        frames.stale = true;
    }, (action) => scene[action]());
    scene = new Scene(gyre, stage, values); // last: it asks how much room there is
    frames = newFrames();
}

function say(text) {
    $('message').textContent = text;
}

function play(on) {
    playing = on;
    $('play').textContent = on ? 'Pause' : 'Play';
    $('play').setAttribute('aria-pressed', String(!on));
    say(on ? '' : reduced.matches ? 'Still, because your system asks for reduced motion.\nPress Play to see it move.' : '');
}

// ---- Frames and figures ----

function newFrames() {
    return { count: 0, since: 0, step: 0, upload: 0, drawing: 0, stepped: 0, kernel: 0, stale: true };
}

function measure(what, work) {
    const started = performance.now(), result = work();
    frames[what] += performance.now() - started;
    return result;
}

let before = 0;
function frame(now) {
    requestAnimationFrame(frame);
    const dt = Math.min((now - before) / 1000, LONGEST_STEP_S);
    before = now;
    if (stage.resize()) {
        scene.resize();
        frames.stale = true;
    }
    if (playing && dt > 0) {
        const awake = measure('step', () => scene.step(dt, pointer));
        Object.assign(pointer, { dx: 0, dy: 0, moved: false });
        frames.kernel += scene.kernel;
        frames.stepped += scene.stepped ?? scene.elements; // a scene may take several steps in a frame, or none
        frames.awake = awake;
        frames.stale ||= awake > 0; // whatever a step has changed is awake after it
    }
    if (frames.stale) {
        scene.draw(measure);
        frames.stale = false;
    }
    frames.count++;
    if (now - frames.since > 1000 * REPORT_S) {
        report(now);
    }
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const ms = (value) => `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`;

function report(now) {
    const { count, since, step, upload, drawing, stepped, kernel, awake = 0 } = frames, seconds = (now - since) / 1000;
    if (since > 0) {
        const figures = { fps: count / seconds, rate: stepped / seconds, step: kernel / count, frame: step / count,
            upload: upload / count, drawing: drawing / count, elements: scene.elements, awake, renderer: stage.renderer };
        $('fps').textContent = Math.round(figures.fps);
        $('rate').textContent = compact.format(figures.rate);
        $('step').textContent = ms(figures.step);
        $('upload').textContent = stage.gl ? ms(figures.upload) : 'none';
        $('drawing').textContent = ms(figures.drawing);
        $('awake').textContent = `${awake.toLocaleString('en')} of ${scene.elements.toLocaleString('en')}`;
        globalThis.gyrePage = { gyre, figures, get scene() { return scene; } }; // for tests and for the curious
    }
    scene.report?.();
    frames = { ...newFrames(), since: now, stale: frames.stale, awake };
}

// ---- Pointer and keys ----

function movePointer(x, y) {
    if (pointer.known) {
        pointer.dx += x - pointer.x;
        pointer.dy += y - pointer.y;
    }
    Object.assign(pointer, { x, y, moved: true, known: true });
}

const main = $('stage');
const at = (event) => [event.clientX * stage.scale, event.clientY * stage.scale];
main.addEventListener('pointermove', (event) => movePointer(...at(event)));
main.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'mouse') {
        pointer.known = false; // a new touch: it has not moved yet
    }
    movePointer(...at(event));
    pointer.down = true;
    scene.press(...at(event));
});
for (const kind of ['pointerup', 'pointercancel']) {
    window.addEventListener(kind, () => {
        pointer.down = false;
    });
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
window.addEventListener('keydown', (event) => {
    const typing = event.target.matches('input, select, button, summary, a'), name = Object.keys(SCENES)[Number(event.key) - 1];
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target.matches('input[type=text]'))) {
        return;
    }
    if (name) {
        location.hash = name;
    } else if (event.key === 't') {
        $('theme').click();
    } else if (event.key === ' ' && !typing) {
        event.preventDefault();
        play(!playing);
    } else if (document.activeElement === main && event.key in ARROWS) {
        event.preventDefault();
        const [dx, dy] = ARROWS[event.key].map((v) => v * 24 * stage.scale);
        if (!pointer.known) {
            movePointer(stage.width / 2, stage.height / 2);
        }
        movePointer(pointer.x + dx, pointer.y + dy);
    } else if (document.activeElement === main && event.key === 'Enter') {
        scene.press(pointer.known ? pointer.x : stage.width / 2, pointer.known ? pointer.y : stage.height / 2);
    }
});

$('play').onclick = () => play(!playing);
$('theme').onclick = () => {
    setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
    stage.readColours();
    frames.stale = true;
};
$('renderer').value = stage.renderer;
$('renderer').onchange = () => {
    stage.use($('renderer').value);
    $('renderer').value = stage.renderer;
    stage.canvas.hidden = sceneName() === 'cards';
    frames.stale = true;
    scene.resize();
};
reduced.addEventListener('change', () => play(!reduced.matches));
window.addEventListener('hashchange', showScene);

// ---- Start ----

if (matchMedia('(max-width: 760px)').matches) {
    $('settings').open = $('hashes').open = false;
}
try {
    gyre = await load({ memory: MEMORY });
    showScene();
    play(playing);
    requestAnimationFrame((now) => {
        before = now;
        frame(now);
    });
    showHashes(gyre);
} catch (error) {
    say(`This page needs WebAssembly with SIMD, which all browsers have had since 2023.\n${error.message}`);
    throw error;
}
