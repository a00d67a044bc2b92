// Times every kernel over arrays in the package, on the inputs of bench/kernels/bench.cc, and a plain loop over
// Float32Arrays. Results have the format of bench/results/*/results.json.
import { reasonOf } from './failure.js';

const COUNTS = [64, 1024, 16384, 65536];
const TABLE = 'wasm128-portable', LOOP = 'float32array-loop';
const SHORTEST_MS = 4; // per repetition: browsers round times to 0.1 ms
const REPETITIONS = 9;
const DT = 1 / 60;

document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';

/** Arrays of `count` floats in Gyre's memory, from functions of the index. */
function makeArrays(gyre, count) {
    return (...values) => values.map((value) => {
        const { view } = gyre.float32(count);
        view.forEach((_, i) => {
            view[i] = value(i);
        });
        return view;
    });
}

/**
 * The calls to time at a count: {kernel: function without arguments}. States stay in one regime as they are stepped.
 */
function makeWorks(gyre, count) {
    const arrays = makeArrays(gyre, count), zero = () => 0;
    const position = (i) => i % 13, velocity = (i) => i % 7 - 3, target = (i) => i % 97;
    const make = (value) => Float32Array.from({ length: count }, (_, i) => value(i));
    const newSprings = () => gyre.springs(count, // without `awake`, as in bench.cc
        { position: make(position), velocity: make(velocity), target: make(target), awake: false });
    const springs = newSprings(), paletteSprings = newSprings(), eachSprings = newSprings(), start = newSprings();
    const undamped = gyre.springMatrixAt({ angularFrequency: 15, dampingRatio: 0, follow: 0 }, DT);
    const palette = gyre.float32(16 * 64).view, index = gyre.uint16(count).view;
    for (let k = 0; k < 64; k++) {
        palette.set(gyre.springMatrixAt({ angularFrequency: 10 + k, dampingRatio: 0, follow: 0 }, DT), 16 * k);
    }
    index.forEach((_, i) => {
        index[i] = Math.floor(i / 64) % 64;
    });
    const [frequency, ratio, elapsed, damping, x] = arrays((i) => 5 + i % 31, (i) => i % 4 === 0 ? 0 : i % 17 / 8,
        (i) => i % 59 / 30, (i) => 0.1 + 2.2 * (i % 11) / 11, (i) => 0.01 + 0.7 * (i % 101));
    const vector = arrays(...Array(3).fill((i) => 0.05 + i % 37 / 75)), out = arrays(...Array(9).fill(zero));
    const half = () => 0.5, orientation = arrays(half, half, half, half), other = arrays(half, () => -0.5, half, half);

    const turning = gyre.orientationSprings(count, { awake: false });
    turning.orientation.forEach((array) => array.fill(0.5));
    turning.angularVelocity.forEach((array) => array.forEach((_, i) => {
        array[i] = i % 11 / 4 - 1;
    }));
    turning.target.forEach((array, k) => array.fill(k === 1 ? -0.5 : 0.5));

    const chains = gyre.boneChains(count, { bones: [{ tail: [0, -0.1, 0], stiffness: 400 }], awake: false });
    chains.position.forEach((array, k) => array.set(vector[k]));
    chains.orientation.forEach((array) => array.fill(0.5));
    chains.parent.forEach((array, k) => array.fill(k === 1 ? -0.5 : 0.5));

    const newParticles = () => gyre.particles(count, { acceleration: make((i) => -(i % 5)) });
    const particles = newParticles(), eachParticles = newParticles(), damped = gyre.particleMatrixAt(0.7, DT);
    const flings = gyre.flings(count, { position: x, lower: 0, upper: make(target), awake: false,
        damping: 2, spring: { angularFrequency: 14, dampingRatio: 1.1, follow: 0 } });

    const newBodies = (options) => {
        const bodies = gyre.bodies(count, { inertia: [[1, 4, 8], [1.4, 3, 8], [1.8, 5, 16]].map(([least, period, part]) =>
            make((i) => least + i % period / part)), ...options });
        bodies.orientation.forEach((array) => array.fill(0.5));
        bodies.momentum.forEach((array, k) => array.forEach((_, i) => { // 0.1 to 0.3 rad a step
            array[i] = 8 + i % [5, 7, 3][k];
        }));
        return bodies;
    };
    const bodies = newBodies({}), set = newBodies({}), kicked = newBodies({ torque: vector });
    const rows = gyre.float32(12 * count).view, [vx, vy, vz] = vector;
    const awake = gyre.uint8(count).view, found = gyre.uint32(count).view, [before, now, targets] = arrays(position, target, target);
    awake.forEach((_, i) => {
        awake[i] = Number(Math.floor(i / 64) % 100 === 0);
    });
    return {
        math_exp: () => gyre.exp(x, out[0]),
        math_expm1: () => gyre.expm1(x, out[0]),
        math_log: () => gyre.log(x, out[0]),
        math_sin: () => gyre.sin(x, out[0]),
        math_cos: () => gyre.cos(x, out[0]),
        math_sincos: () => gyre.sincos(x, out[0], out[1]),
        springs_step: () => springs.step(undamped),
        springs_step_palette: () => paletteSprings.stepPalette(palette, index),
        springs_step_each: () => eachSprings.stepEach({ angularFrequency: frequency, dampingRatio: ratio }, DT),
        springs_at: () => start.at({ angularFrequency: 15, dampingRatio: 0.5, follow: 0 }, elapsed, out[0], out[1]),
        orientation_springs_step: () => turning.step(undamped, DT),
        limit_targets: () => gyre.limitTargets(vector, turning.angularVelocity, bodies.momentum, bodies.momentum,
            { angularFrequency: 15, dampingRatio: 0.5 }, 195, DT, out.slice(0, 3), out.slice(3, 6)),
        particles_step: () => particles.step(damped),
        particles_step_each: () => eachParticles.stepEach({ damping }, DT),
        flings_step: () => flings.step(DT),
        decelerate: () => gyre.decelerate(vector, turning.angularVelocity, 1, 1e-30), // so short that all stays
        rotation_matrix: () => gyre.rotationMatrix(vector, out),
        rotation_left_jacobian: () => gyre.rotationLeftJacobian(vector, out),
        rotation_quaternion: () => gyre.rotationQuaternion(vector, out.slice(0, 4)),
        rotation_vector: () => gyre.rotationVector(orientation, out.slice(0, 3)),
        rotation_product: () => gyre.rotationProduct(orientation, other, out.slice(0, 4)),
        rotation_between: () => gyre.rotationBetween(orientation, other, 0.3, out.slice(0, 4)),
        rotation_apply: () => gyre.rotationApply(orientation, vector, out.slice(0, 3)),
        bone_chains_step: () => chains.step(DT),
        bone_chains_reset: () => chains.reset(DT),
        bodies_step: () => bodies.step(DT),
        bodies_kick: () => kicked.kick(1e-30), // so short that the momentum does not change
        bodies_energy: () => bodies.energy(out[0]),
        bodies_angular_velocity: () => bodies.angularVelocity(out.slice(0, 3)),
        bodies_set_angular_velocity: () => set.setAngularVelocity(vector),
        bodies_transforms: () => bodies.transforms(rows, { x: vx, y: vy, z: vz }),
        gather: () => gyre.gather(rows, 48, out.slice(0, 3)),
        scatter: () => gyre.scatter(vector, rows, 48),
        interpolate: () => gyre.interpolate(before, now, 0.3, out[0]),
        limit_length: () => gyre.limitLength(vector, 10),
        find_awake: () => gyre.findAwake(awake, found),
        hash: () => gyre.hash(vector),
        hash_bytes: () => gyre.hashBytes(awake),
        turn_targets: () => gyre.turnTargets(targets, before, 2 * Math.PI),
    };
}

/** The same step as springs_step, as a plain loop. */
function makeLoop(gyre, count) {
    const make = (value) => Float32Array.from({ length: count }, (_, i) => value(i));
    const position = make((i) => i % 13), velocity = make((i) => i % 7 - 3), target = make((i) => i % 97);
    const [a, b, c, d] = gyre.springMatrixAt({ angularFrequency: 15, dampingRatio: 0, follow: 0 }, DT);
    return () => {
        for (let i = 0; i < position.length; i++) {
            const x = position[i] - target[i], v = velocity[i];
            position[i] = target[i] + (a * x + b * v);
            velocity[i] = c * x + d * v;
        }
    };
}

const pause = (ms = 0) => new Promise((done) => setTimeout(done, ms)); // keeps the page responsive

/**
 * Makes the browser optimise the timed code. It does that in the background after some calls, and only later calls
 * profit.
 */
async function warmUp(works) {
    for (let pass = 0; pass < 2; pass++) {
        for (const [, , work] of works) {
            for (const started = performance.now(); performance.now() - started < 50;) {
                work();
            }
            await pause();
        }
        await pause(500);
    }
}

/** ns per element: the shortest of several repetitions. */
function time(work, count) {
    let times = 1, shortest = Infinity;
    for (let repetition = 0; repetition < REPETITIONS;) {
        const started = performance.now();
        for (let k = 0; k < times; k++) {
            work();
        }
        const ms = performance.now() - started;
        if (ms < SHORTEST_MS) { // too short to measure
            times = Math.ceil(times * Math.min(10, 1.2 * SHORTEST_MS / Math.max(ms, 0.1)));
        } else {
            shortest = Math.min(shortest, 1e6 * ms / times / count);
            repetition++;
        }
    }
    return Number(shortest.toPrecision(4));
}

export async function measure(show = () => {}, counts = COUNTS) {
    const groups = {};
    const { load } = await import('./gyre/index.js');
    for (const count of counts) {
        const gyre = await load({ memory: 128 << 20 });
        const works = Object.entries(makeWorks(gyre, count)).map(([kernel, work]) => [kernel, TABLE, work]);
        works.splice(7, 0, ['springs_step', LOOP, makeLoop(gyre, count)]);
        if (count === counts[0]) {
            $('progress').value = 'the browser compiles';
            await warmUp(works);
        }
        for (const [kernel, candidate, work] of works) {
            await pause();
            const group = groups[kernel] ??= { count: counts };
            (group[candidate] ??= []).push(time(work, count));
            show(kernel, candidate, count, group[candidate].at(-1));
        }
    }
    return { context: { browser: navigator.userAgent, tables: TABLE, lanes: '4' }, times_ns: { kernels: groups } };
}

const $ = (id) => document.getElementById(id), cells = new Map();
$('head').append(...COUNTS.map((count) => Object.assign(document.createElement('th'),
    { scope: 'col', textContent: count.toLocaleString('en') })));

const nameOf = (kernel, candidate) => candidate === TABLE ? kernel : `${kernel}, plain Float32Array loop`;

/** The cell of a time; its row is made if there is none. Long names break after underscores. */
function cellOf(name, count) {
    if (!cells.has(name)) {
        const row = $('rows').insertRow(), head = document.createElement('th');
        head.scope = 'row';
        head.append(...name.split(/(?<=_)/).flatMap((part) => [part, document.createElement('wbr')]));
        row.append(head);
        cells.set(name, COUNTS.map(() => row.insertCell()));
    }
    return cells.get(name)[COUNTS.indexOf(count)];
}

function show(kernel, candidate, count, ns) {
    const name = nameOf(kernel, candidate), cell = cellOf(name, count);
    cell.textContent = ns;
    cell.className = '';
    $('progress').value = `${name}, ${count.toLocaleString('en')} elements`;
}

/** Shows the times of a known machine, which tools/web.sh takes from bench/results, until there are own ones. */
async function showKnown() {
    const answer = await fetch('known.json');
    if (!answer.ok) {
        return;
    }
    const { context, times_ns: { kernels } } = await answer.json();
    for (const [kernel, times] of Object.entries(kernels)) {
        for (const candidate of [TABLE, LOOP].filter((each) => times[each])) {
            times[candidate].forEach((ns, k) => {
                const cell = COUNTS.includes(times.count[k]) && cellOf(nameOf(kernel, candidate), times.count[k]);
                if (cell && !cell.textContent) {
                    cell.textContent = ns;
                    cell.className = 'known';
                }
            });
        }
    }
    $('known').textContent = `In italics: ${context.browser} on ${context.cpu}, ${context.code}, until this browser has measured.`;
}
showKnown();

let results;
$('run').onclick = async () => {
    $('run').disabled = $('save').disabled = true;
    try {
        results = await measure(show);
        $('progress').value = 'done';
        $('save').disabled = false;
    } catch (error) {
        $('progress').value = reasonOf(error);
        $('progress').className = 'wrong';
    } finally {
        $('run').disabled = false;
    }
};
$('save').onclick = () => {
    const url = URL.createObjectURL(new Blob([JSON.stringify(results, null, 1)], { type: 'application/json' }));
    Object.assign(document.createElement('a'), { href: url, download: 'results.json' }).click();
    URL.revokeObjectURL(url);
};
