// The page: loads Gyre, shows one of five scenes, and measures the time of each frame.
import { showControls } from './controls.js';
import { reasonOf } from './failure.js';
import { showHashes } from './hashes.js';
import { PAGE, readLink, writeLink } from './link.js';
import { prepare, showShare } from './share.js';
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
const FEWEST = 1000; // elements: of fewer, the time of a step is that of the call
const TIMED_MS = { least: 2, most: 400 }; // browsers round times to 0.1 ms; older frames count less

const $ = (id) => document.getElementById(id);
const reduced = matchMedia('(prefers-reduced-motion: reduce)');

// ---- Faults: of the address, and whatever else goes wrong ----

function say(text) {
    $('message').textContent = text;
}

const faults = new Set();
function showFaults(...texts) {
    texts.forEach((text) => faults.add(text)); // each once, even if it comes in every frame
    $('faults').querySelector('ul').replaceChildren(...Array.from(faults, (text) =>
        Object.assign(document.createElement('li'), { textContent: text })));
    $('faults').hidden = faults.size === 0;
}

function forgetFaults() {
    faults.clear();
    showFaults();
}
$('faults').querySelector('button').onclick = forgetFaults;
window.addEventListener('error', ({ error, message }) => showFaults(`Something went wrong: ${error?.message ?? message}.`));
window.addEventListener('unhandledrejection', ({ reason }) => showFaults(`Something went wrong: ${reason.message}.`));
say('');

// ---- The address ----

/** The scene that the address names, the values that it has for it, and what is wrong with it. */
function readAddress() {
    const named = location.hash.slice(1), name = Object.hasOwn(SCENES, named) ? named : 'springs';
    const { values, wrong } = readLink(new URLSearchParams(location.search), [...SCENES[name].settings, ...PAGE]);
    if (named && named !== name) {
        wrong.unshift(`“${named.slice(0, 24)}” is not a scene. There are ${Object.keys(SCENES).join(', ')}.`);
    }
    return { name, values, wrong };
}

const kept = {}; // values of each scene
const chosen = {}; // theme and renderer, if the address or the user chose them

function linkTo(name, page = chosen) {
    const { settings, defaults } = SCENES[name], query = writeLink(settings, defaults, kept[name] ?? defaults);
    for (const { name: key } of PAGE.filter((setting) => page[setting.name])) {
        query.set(key, page[key]);
    }
    return `${location.pathname}${String(query) && `?${query}`}#${name}`;
}

let current, link, seen; // the scene that is shown, the link to it, and the address that was read or written last

/** Changes the address, and those of the other scenes, with what the screen shows. */
function updateAddress() {
    if (link !== linkTo(current)) {
        link = linkTo(current);
        history.replaceState(null, '', link);
        seen = location.href;
        updateLinks();
    }
}

function updateLinks() {
    for (const each of document.querySelectorAll('nav a')) {
        each.href = linkTo(each.hash.slice(1));
    }
}

// ---- Theme and renderer ----

function setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    $('theme').textContent = theme === 'dark' ? 'Light' : 'Dark';
}
const light = matchMedia('(prefers-color-scheme: light)'), asked = readAddress();
setTheme(asked.values.theme ?? (light.matches ? 'light' : 'dark'));

function changeTheme(theme) {
    chosen.theme = theme;
    setTheme(theme);
    stage.readColours();
    frames.stale = true;
}

function changeRenderer(renderer) {
    chosen.renderer = renderer;
    stage.use(renderer);
    $('renderer').value = stage.renderer;
    stage.canvas.hidden = current === 'cards';
    frames.stale = true;
    scene.resize();
    if (stage.renderer !== renderer) {
        showFaults('There is no WebGL2 in this browser: canvas 2D draws.');
    }
}

// ---- The scene ----

let gyre, scene, frames = newFrames(), speed = newSpeed(), playing = !reduced.matches, room = '';
const stage = new Stage($('picture'), asked.values.renderer ?? (hasGpu() ? 'webgl' : '2d'));
const pointer = { x: 0, y: 0, dx: 0, dy: 0, moved: false, down: false, known: false };

/** The part of the screen that no panel covers, in CSS pixels; `right` and `bottom` are where panels begin. */
stage.free = () => {
    const { clientWidth: width, clientHeight: height } = stage.place, top = document.querySelector('header').offsetHeight + 8;
    const side = $('side'), phone = side.offsetLeft < 20;
    const right = phone ? width : side.offsetLeft - 12, bottom = phone ? side.offsetTop - 8 : height;
    const [x, below] = phone ? [8, 8] : [20, 20];
    return { x, y: top, width: Math.max(80, right - x - (phone ? x : 0)), height: Math.max(80, bottom - top - below), right, bottom };
};

const roomNow = () => Object.values(stage.free()).join();
/** Panels that open or close leave the scene less or more room. */
new ResizeObserver(() => {
    if (scene && room !== roomNow()) {
        room = roomNow();
        scene.resize();
        frames.stale = true;
    }
}).observe($('side'));

function describe(values) {
    const { title, hint, unit } = SCENES[current];
    $('title').textContent = title(values);
    $('hint').textContent = hint(values);
    $('unit').textContent = `${unit}/s by the step alone`;
    document.title = `Gyre: ${title(values)}`;
}

function showScene(name) {
    const { Scene, settings, defaults, actions } = SCENES[name], values = kept[name] ??= { ...defaults };
    scene?.free();
    scene = null;
    current = name;
    link = linkTo(name);
    stage.resize();
    for (const each of document.querySelectorAll('nav a')) {
        each.toggleAttribute('aria-current', each.hash === `#${name}`);
    }
    updateLinks();
    describe(values);
    showControls($('controls'), settings, values, actions, {
        change(setting, value) {
            describe(values);
            frames.stale = true;
            speed = newSpeed();
            scene.change(setting, value)?.catch(({ message }) => showFaults(`${message}.`)); // of files that are chosen
        },
        look: describe,
        act: (action) => scene[action](),
    });
    room = roomNow();
    scene = new Scene(gyre, stage, values); // last: it asks how much room there is
    frames = newFrames();
    speed = newSpeed();
    prepare(name);
}

/** Shows what the address says. */
function showAddress({ name, values, wrong }) {
    const { theme, renderer, ...own } = values;
    seen = location.href;
    kept[name] = { ...SCENES[name].defaults, ...own };
    Object.assign(chosen, theme && { theme }, renderer && { renderer });
    if (theme && theme !== document.documentElement.dataset.theme) {
        changeTheme(theme);
    }
    forgetFaults();
    showFaults(...wrong);
    showScene(name);
    if (renderer && renderer !== stage.renderer) {
        changeRenderer(renderer);
    }
}

function goTo(name) {
    if (gyre && name !== current) {
        history.pushState(null, '', linkTo(name));
        seen = location.href;
        forgetFaults();
        showScene(name);
    }
}

showShare(() => ({ scene: current, names: SCENES[current].parameters, values: kept[current],
    link: new URL(linkTo(current, { theme: document.documentElement.dataset.theme, ...chosen }), location.href).href,
    note: kept[current].image ? ', without the image' : '' }));

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

/** Steps of most elements, and their time: what they would reach if nothing else took time. */
function newSpeed() {
    return { stepped: 0, ms: 0 };
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
    if (!scene) { // it did not start, and the page says so
        return;
    }
    if (stage.resize()) {
        room = roomNow();
        scene.resize();
        frames.stale = true;
    }
    if (playing && dt > 0) {
        const awake = measure('step', () => scene.step(dt, pointer));
        Object.assign(pointer, { dx: 0, dy: 0, moved: false });
        const stepped = scene.stepped ?? scene.elements; // a scene may take several steps in a frame, or none
        frames.kernel += scene.kernel;
        frames.stepped += stepped;
        if (2 * stepped >= scene.elements) { // not those that skip sleepers
            speed = { stepped: speed.stepped + stepped, ms: speed.ms + scene.kernel };
        }
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

/** Elements a second by the step alone; NaN if that cannot be told. */
function speedAlone() {
    if (speed.ms > TIMED_MS.most) {
        speed = { stepped: speed.stepped / 2, ms: speed.ms / 2 };
    }
    return scene.elements >= FEWEST && speed.ms >= TIMED_MS.least ? 1000 * speed.stepped / speed.ms : NaN;
}

function report(now) {
    const { count, since, step, upload, drawing, stepped, kernel, awake = 0 } = frames, seconds = (now - since) / 1000;
    if (since > 0) {
        const figures = { fps: count / seconds, rate: stepped / seconds, alone: speedAlone(), step: kernel / count,
            frame: step / count, upload: upload / count, drawing: drawing / count, elements: scene.elements, awake,
            renderer: stage.renderer };
        for (const [id, figure] of [['alone', figures.alone], ['fit', figures.alone / 60]]) {
            $(id).textContent = figure ? compact.format(figure) : '–';
            $(id).parentElement.hidden = scene.elements < FEWEST;
        }
        $('fps').textContent = Math.round(figures.fps);
        $('step').textContent = ms(figures.step);
        $('upload').textContent = stage.gl ? ms(figures.upload) : 'none';
        $('drawing').textContent = ms(figures.drawing);
        $('awake').textContent = `${awake.toLocaleString('en')} of ${scene.elements.toLocaleString('en')} ${SCENES[current].unit}`;
        globalThis.gyrePage = { gyre, figures, get scene() { return scene; } }; // for tests and for the curious
    }
    scene.report?.();
    updateAddress();
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
    scene?.press(...at(event));
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
        goTo(name);
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
        scene?.press(pointer.known ? pointer.x : stage.width / 2, pointer.known ? pointer.y : stage.height / 2);
    }
});

$('play').onclick = () => play(!playing);
$('theme').onclick = () => changeTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
$('renderer').value = stage.renderer;
$('renderer').onchange = () => changeRenderer($('renderer').value);
$('skip').onclick = (event) => {
    event.preventDefault(); // its # is no scene
    main.focus();
};
for (const each of document.querySelectorAll('nav a')) {
    each.addEventListener('click', (event) => {
        if (!(event.ctrlKey || event.metaKey || event.shiftKey)) {
            event.preventDefault();
            goTo(each.hash.slice(1));
        }
    });
}
for (const kind of ['popstate', 'hashchange']) {
    window.addEventListener(kind, () => {
        if (gyre && location.href !== seen) {
            showAddress(readAddress());
        }
    });
}
reduced.addEventListener('change', () => play(!reduced.matches));

/** Where the screen has no room for both, settings and hashes close each other. */
const small = matchMedia('(max-width: 760px), (max-height: 760px)');
for (const [own, other] of [['settings', 'hashes'], ['hashes', 'settings']]) {
    $(own).addEventListener('toggle', () => {
        if ($(own).open && small.matches) {
            $(other).open = false;
        }
    });
}

// ---- Start ----

if (matchMedia('(max-width: 760px)').matches) {
    $('settings').open = false;
}
if (matchMedia('(max-width: 760px), (max-height: 880px)').matches) {
    $('hashes').open = false;
}
try {
    const { load } = await import('./gyre/index.js');
    gyre = await load({ memory: MEMORY });
} catch (error) {
    say(reasonOf(error));
    $('side').hidden = stage.canvas.hidden = true;
    console.error(error);
}
if (gyre) {
    play(playing);
    requestAnimationFrame((now) => {
        before = now;
        frame(now);
    });
    showHashes(gyre);
    showAddress(asked);
}
