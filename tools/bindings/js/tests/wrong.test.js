// Everything that can be called, with a wrong value in place of each argument and of each part of it: all that is thrown
// is a GyreError, and such a call changes and takes no memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { apply, GyreError, load } from 'gyre';
import * as core from 'gyre/core';
import * as ui from 'gyre/ui';

import { callsOf } from './calls.js';
import { membersOf } from './node_modules/gyre/lib/struct.js';

const N = 4;
const gyre = await load({ memory: 1 << 17 });

/** The memory of arrays, behind the space for arguments. */
const begin = 64 * Math.ceil(gyre.exports.__heap_base.value / 64) + 8192;
const arrays = Buffer.from(gyre.memory.buffer, begin);

/** Of what makes a batch, which may write to memory that it gives back. */
const refusesToMake = (name, call) => {
    const { used } = gyre.toJSON();
    assert.throws(
        call,
        (error) => {
            assert.ok(error instanceof GyreError, `${name}: ${error.stack}`);
            assert.ok(['null', 'range', 'value'].includes(error.code) && error.message.length > 10, error.message);
            return true;
        },
        `${name} is taken`,
    );
    assert.equal(gyre.toJSON().used, used, `${name} takes memory`);
};

const refuses = (name, call) => {
    const before = Buffer.from(arrays);
    refusesToMake(name, call);
    assert.ok(before.equals(arrays), `${name} has changed the memory`);
};

/** May succeed. */
const allows = (name, call) => {
    try {
        call();
    } catch (error) {
        assert.ok(error instanceof GyreError, `${name}: ${error.stack}`);
    }
};

const text = (value) => {
    if (typeof value === 'object' && value !== null) {
        return `${value.constructor?.name} ${Object.keys(value).slice(0, 4)}`;
    }
    return typeof value === 'bigint' ? `${value}n` : String(value);
};

const ABSENT = [undefined, null];
const PRIMITIVES = ['1', 'x', true, Symbol('a'), 1n, () => 1];
const NOT_NUMBERS = [...ABSENT, ...PRIMITIVES, {}, Object.create(null), [], [1], new Float32Array(1)];
const NOT_OBJECTS = [null, 5, ...PRIMITIVES, [], [1], new Map(), new Float32Array(2)];
const ODD_NUMBERS = [NaN, Infinity, -Infinity, -1, 1.5, 1e300, 2 ** 32, 2 ** 53];

const isInMemory = (value) => ArrayBuffer.isView(value) && value.buffer === gyre.memory.buffer;
const isPlain = (value) => Object.getPrototypeOf(value) === Object.prototype;
const replaced = (list, i, value) => Object.assign([...list], { [i]: value });

/** [name, value, whether it may be taken]: all that may stand wrongly where `value` is right. */
function* wrongOf(name, value, optional) {
    const own = name.split('.').at(-1);
    const wrong = function* (values) {
        for (const each of values) {
            yield [`${name} = ${text(each)}`, each, optional.includes(own) && ABSENT.includes(each)];
        }
    };
    if (typeof value === 'number') {
        yield* wrong(NOT_NUMBERS);
        for (const each of ODD_NUMBERS) {
            yield [`${name} = ${each}`, each, !['begin', 'end'].includes(own)];
        }
    } else if (typeof value === 'boolean') {
        yield* wrong([5, ...NOT_NUMBERS.filter((each) => typeof each !== 'boolean')]);
    } else if (typeof value === 'string') {
        yield* wrong([5, ...NOT_NUMBERS]);
    } else if (isInMemory(value)) {
        const kinds = [Float32Array, Uint8Array, Uint16Array, Uint32Array].filter((Kind) => !(value instanceof Kind));
        yield* wrong([
            5,
            ...NOT_NUMBERS,
            new value.constructor(value.length),
            ...kinds.map((Kind) => new Kind(gyre.memory.buffer, value.byteOffset, 1)),
            new DataView(gyre.memory.buffer),
        ]);
    } else if (ArrayBuffer.isView(value) || Array.isArray(value)) {
        yield* wrong([5, ...NOT_NUMBERS]);
        const list = [...value];
        if (list.length > 1) {
            yield [`${name}, one less`, list.slice(1), false];
        }
        for (const [part, each] of wrongOf(`${name}.${list.length - 1}`, list.at(-1), [])) {
            yield [part, replaced(list, list.length - 1, each), ODD_NUMBERS.includes(each)];
        }
    } else if (isPlain(value)) {
        const canBeEmpty = Object.keys(value).every((key) => optional.includes(key));
        for (const each of [undefined, ...NOT_OBJECTS]) {
            yield [`${name} = ${text(each)}`, each, each === undefined && optional.includes(own)];
        }
        yield [`${name} = {}`, {}, canBeEmpty];
        yield [`${name} with a property more`, { ...value, nmae: 1 }, false];
        for (const key of Object.keys(value)) {
            for (const [part, each, isFine] of wrongOf(`${name}.${key}`, value[key], optional)) {
                yield [part, { ...value, [key]: each }, isFine];
            }
        }
    }
}

const floats = () => gyre.float32(N).view;
const spring = { angularFrequency: 10, dampingRatio: 0.5, follow: 0 };
const solver = {
    method: 'midpoint',
    order: 8,
    tolerance: 1e-5,
    maxIterations: 20,
    maxSubsteps: 3,
    substeps: 2,
    fixedPoint: true,
};
const steps = {
    on: gyre.bodies(N),
    parameters: ['dt', 'solver', 'begin', 'end'],
    taken: [1 / 60, solver, 0, N],
    optional: ['solver', ...Object.keys(solver), 'begin', 'end'],
};
/** Those that are written by hand. */
const others = [
    { path: 'bodies.step', ...steps },
    { path: 'bodies.drift', ...steps },
    {
        path: 'bodies.transforms',
        on: gyre.bodies(N),
        parameters: ['rows', 'options', 'begin', 'end'],
        taken: [gyre.float32(12 * N).view, { x: floats(), y: floats(), z: floats(), strideBytes: 48 }, 0, N],
        optional: ['options', 'x', 'y', 'z', 'strideBytes', 'begin', 'end'],
    },
    {
        path: 'cssLinear',
        on: gyre,
        parameters: ['spring', 'tolerance', 'options'],
        taken: [spring, 0.01, { velocity: 1 }],
        optional: ['follow', 'options', 'velocity'],
    },
    ...['float32', 'uint8', 'uint16', 'uint32'].map((path) => ({
        path,
        on: gyre,
        parameters: ['length'],
        taken: [N],
        optional: [],
    })),
];
const calls = [...callsOf(gyre), ...others];

const kinds = {
    springs: {},
    orientationSprings: {},
    particles: {},
    flings: { spring },
    boneChains: { bones: [{}] },
    bodies: {},
};
const recordOf = (kind) => `gyre_${kind.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;

test('wrong: the calls are all that there are', () => {
    const functions = Object.keys(gyre).filter((name) => typeof gyre[name] === 'function' && !(name in kinds));
    const methods = Object.entries(kinds).flatMap(([kind, values]) => {
        const names = new Set();
        for (let from = gyre[kind](1, values); from !== Object.prototype; from = Object.getPrototypeOf(from)) {
            Object.entries(Object.getOwnPropertyDescriptors(from))
                .filter(([, { value }]) => typeof value === 'function')
                .forEach(([name]) => names.add(name));
        }
        ['constructor', 'call', 'free', 'toString', 'toJSON'].forEach((name) => names.delete(name));
        return [...names].map((name) => `${kind}.${name}`);
    });
    assert.deepEqual(calls.map(({ path }) => path).sort(), [...functions, ...methods].sort());
});

for (const { path, on, parameters, taken, optional } of calls) {
    test(`wrong: arguments of ${path}`, () => {
        const call = (list) => on[path.split('.').at(-1)](...list);
        call(taken);
        let count = 0;
        taken.forEach((value, i) => {
            for (const [name, each, isFine] of wrongOf(parameters[i], value, optional)) {
                const isOfNothing = path === 'hash' && Array.isArray(each) && each.length === 0;
                (isFine || isOfNothing ? allows : refuses)(`${path}: ${name}`, () => call(replaced(taken, i, each)));
                count++;
            }
        });
        if (!optional.includes(parameters[0])) {
            refuses(`${path}()`, () => call([]));
        }
        assert.ok(count >= 10 * taken.length);
    });
}

const NO_STARTS = [...PRIMITIVES.filter((each) => each !== true), {}, [], [1], Array(5).fill(1)];
const zerosBut = (count, i, value) => replaced(Array(count).fill(0), i, value);
/** In place of the N values of an array. */
const WRONG_STARTS = [...NO_STARTS, ...NOT_NUMBERS.map((each) => zerosBut(N, 1, each)), new BigInt64Array(N)];
const NO_INTEGERS = [-1, 1.5, NaN, 2 ** 16, zerosBut(N, N - 1, 2 ** 16)];

for (const [kind, needed] of Object.entries(kinds)) {
    const make = (values, count = N) => gyre[kind](count, { ...needed, ...values });
    const members = [...membersOf(recordOf(kind)).values()];

    test(`wrong: counts and values of ${kind}`, () => {
        for (const count of [...NOT_NUMBERS, ...ODD_NUMBERS.slice(0, -1)]) {
            refusesToMake(`a count of ${text(count)}`, () => gyre[kind](count, needed));
        }
        for (const values of NOT_OBJECTS) {
            refusesToMake(`values ${text(values)}`, () => gyre[kind](N, values));
        }
        refusesToMake('a misspelled property', () => make({ retsSpeed: 1 }));
        refusesToMake('what is set by the count', () => make({ count: 1 }));
        refusesToMake('a table that is made here', () => make({ levelBegin: [0, 1] }));
    });

    test(`wrong: numbers and flags of ${kind}`, () => {
        const batch = make();
        for (const { name, scalar } of members.filter((member) => member.scalar)) {
            const right = batch[name];
            const wrong =
                typeof right === 'object'
                    ? [...wrongOf(name, { ...right }, ['follow'])].filter(([, , isFine]) => !isFine)
                    : [...wrongOf(name, right, [])].filter(([, value]) => !ODD_NUMBERS.includes(value));
            for (const [part, value] of wrong) {
                if (value !== undefined) {
                    refusesToMake(`${kind}(${part})`, () => make({ [name]: value }));
                }
                refuses(`${kind}.${part}`, () => {
                    batch[name] = value;
                });
            }
            assert.deepEqual(batch[name], right);
        }
    });

    test(`wrong: initial values of ${kind}`, () => {
        for (const { name, isGroup, pointers, Type } of members.filter((member) => member.pointers)) {
            if (['bones', 'colliders', 'levelBegin'].includes(name)) {
                continue;
            }
            const wrong = isGroup
                ? [...NO_STARTS, ...[...ABSENT, ...WRONG_STARTS].map((each) => zerosBut(pointers, pointers - 1, each))]
                : [...WRONG_STARTS, ...(Type === Float32Array ? [] : NO_INTEGERS)];
            for (const value of wrong) {
                refusesToMake(`${kind}({ ${name}: ${text(value)} })`, () => make({ [name]: value }));
            }
            make({ [name]: true }).free();
            make({ [name]: undefined }).free();
        }
    });
}

test('wrong: levels, bones and colliders of chains', () => {
    const bone = { tail: [0, -1, 0], radius: 0.1 };
    const bones = [bone, bone];
    const levels = [[1], [1, 1, 1, 'x'], [1, 1, 1, null], 2 ** 40, -1, 1.5, ...NOT_NUMBERS.slice(1)];
    for (const each of levels) {
        refusesToMake(`levels ${text(each)}`, () => gyre.boneChains(N, { bones, levels: each }));
    }
    refusesToMake('levels without end', () => gyre.boneChains(1, { bones, bone: 0, levels: 2 ** 32 }));
    const chains = gyre.boneChains(N, { bones });
    for (const each of [null, 5, ...PRIMITIVES, {}, [], [bone], new Set(bones)]) {
        if (!Array.isArray(each) || each.length === 0) {
            refusesToMake(`bones ${text(each)}`, () => gyre.boneChains(N, { bones: each }));
        }
        refuses(`an assignment of ${text(each)} to bones`, () => {
            chains.bones = each;
        });
    }
    const optional = ['tail', 'radius'];
    for (const [name, each] of [...wrongOf('bone', bone, optional)].filter(([, , isFine]) => !isFine)) {
        refusesToMake(name, () => gyre.boneChains(N, { bones: [bone, each] }));
        refuses(`an assignment to bones: ${name}`, () => {
            chains.bones = [{ ...bone, radius: 5 }, each];
        });
    }
    for (const each of [
        null,
        5,
        ...PRIMITIVES,
        {},
        [undefined],
        [null],
        [5],
        ['x'],
        [[]],
        [{ radius: 'x' }],
        [{ kind: 1 }],
    ]) {
        refusesToMake(`colliders ${text(each)}`, () => gyre.boneChains(N, { bones, colliders: each }));
    }
    const [collider] = gyre.boneChains(N, { bones, colliders: [{ radius: 1 }] }).colliders;
    for (const each of [5, ...NOT_NUMBERS]) {
        refuses(`a kind ${text(each)}`, () => {
            collider.kind = each;
        });
    }
});

test('wrong: what objects follow', () => {
    const springs = gyre.springs(2);
    const sprites = [{}, {}];
    for (const each of [...NOT_NUMBERS, 5, gyre.springs(2, { awake: false }), gyre.orientationSprings(2)]) {
        refuses(`apply(${text(each)}, y)`, () => apply(each, springs, sprites));
        refuses(`apply(x, ${text(each)})`, () => apply(springs, each, sprites));
    }
    for (const each of [...ABSENT, 5, ...PRIMITIVES, {}, new Set(sprites)]) {
        refuses(`apply to ${text(each)}`, () => apply(springs, springs, each));
    }
    for (const each of [...ABSENT, 5, ...PRIMITIVES]) {
        refuses(`apply to one of ${text(each)}`, () => apply(springs, springs, [each, {}]));
    }
});

test('wrong: options and sources of load', async () => {
    const isError = (pattern) => (error) => error instanceof GyreError && pattern.test(error.message);
    for (const entry of [{ load }, ui]) {
        for (const each of NOT_OBJECTS) {
            await assert.rejects(entry.load(each), isError(/options/), text(each));
        }
        for (const memory of [...NOT_NUMBERS.slice(1), -1, 1.5, NaN, Infinity, 2 ** 32, 2 ** 53]) {
            await assert.rejects(entry.load({ memory }), isError(/memory/), text(memory));
        }
        for (const growable of [0, 1, ...NOT_NUMBERS.slice(1).filter((each) => each !== true)]) {
            await assert.rejects(entry.load({ growable }), isError(/growable/), text(growable));
        }
        await assert.rejects(
            entry.load({ memry: 3 }),
            isError(/unknown property 'memry' of options; did you mean 'memory'\?/),
        );
        assert.equal((await entry.load({ memory: undefined, growable: undefined })).version, gyre.version);
        assert.equal((await entry.load({ memory: 0 })).version, gyre.version);
    }
    const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]); // a module without contents
    for (const load of [core.load, core.loadUi]) {
        for (const each of [undefined, null, 5, true, {}, [], Symbol('a'), 1n, () => 1, new SharedArrayBuffer(8)]) {
            await assert.rejects(load(each), isError(/expected a WebAssembly.Module/), text(each));
            await assert.rejects(load(Promise.resolve(each)), isError(/expected a WebAssembly.Module/), text(each));
        }
        await assert.rejects(load(empty), isError(/no module of Gyre/));
        await assert.rejects(load(new Uint8Array(8)), WebAssembly.CompileError);
    }
});

test('wrong: messages name what was wrong, and what is near it', () => {
    const springs = gyre.springs(N);
    for (const [pattern, call] of [
        [/^gyre_spring_from_response: expected a number, got '0.5'$/, () => gyre.springFromResponse('0.5', 1)],
        [/^spring: expected an object, got undefined$/, () => gyre.springMatrixAt(undefined)],
        [/^dampingRatio: expected a number, got undefined$/, () => gyre.springMatrixAt({ angularFrequency: 1 }, 1)],
        [/^unknown property 'folow' of spring; did you mean 'follow'\?$/, () => gyre.springMatrixAt({ folow: 1 }, 1)],
        [/^restDistance: expected a number, got 'x'$/, () => (springs.restDistance = 'x')],
        [/^position\[1\]: expected a number, got 'x'$/, () => gyre.springs(3, { position: [1, 'x', 3] })],
        [/^awake\[2\]: expected a whole number from 0 to 255, got 256$/, () => gyre.springs(3, { awake: [0, 1, 256] })],
        [/^unknown property 'taget' of gyre_springs; did you mean 'target'\?$/, () => gyre.springs(3, { taget: true })],
        [/^unknown property 'mass' of gyre_springs, expected position, /, () => gyre.springs(3, { mass: 1 })],
        [
            /^unknown method 'explict-euler'; did you mean 'explicit-euler'\?$/,
            () => gyre.bodies(1).step(1, { method: 'explict-euler' }),
        ],
        [/^skipAsleep: expected true or false, got 'yes'$/, () => gyre.springs(3, { skipAsleep: 'yes' })],
        [/^expected an array of 16 numbers, got Float32Array\(10\)$/, () => springs.step(gyre.particleMatrixAt(1, 1))],
        [/^expected a Float32Array in Gyre's memory, got Array\(2\)$/, () => gyre.turnTargets([1, 2], [1, 2], 1)],
        [/^count must be a whole number, at least 0; got '3'$/, () => gyre.springs('3')],
        [/^inertia: expected 3 components, got 2$/, () => gyre.bodies(1, { inertia: [1, 2] })],
    ]) {
        assert.throws(call, (error) => error instanceof GyreError && pattern.test(error.message), String(pattern));
    }
});
