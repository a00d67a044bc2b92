// Everything that C declares can be called, and everything that the types declare exists.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import * as gyreEntry from 'gyre';
import * as core from 'gyre/core';
import * as three from 'gyre/three';
import * as ui from 'gyre/ui';
import ts from 'typescript';

import { callsOf } from './calls.js';
import { allParts } from './node_modules/gyre/lib/all_parts.js';
import { Host } from './node_modules/gyre/lib/host.js';

const source = process.env.GYRE_SOURCE;
const N = 4;

const kernelNames = [...readFileSync(`${source}/kernels/list.h`, 'utf8').matchAll(/^ +ROW\(\w+, (gyre_\w+),/gm)].map(
    ([, name]) => name,
);
const declaredNames = readdirSync(`${source}/include/gyre`)
    .filter((file) => file.endsWith('.h'))
    .flatMap((file) =>
        [...readFileSync(`${source}/include/gyre/${file}`, 'utf8').matchAll(/^GYRE_API [^;]*?\b(gyre_\w+)\(/gm)].map(
            ([, name]) => name,
        ),
    );
// They select a table; the module has only one.
const tableNames = [
    'gyre_kernels_for',
    'gyre_kernels_best',
    'gyre_use',
    'gyre_in_use',
    'gyre_isa_name',
    'gyre_rounding_name',
    'gyre_kernels_isa',
    'gyre_kernels_rounding',
];

/** Makes the calls that are written by hand. */
const callOthers = (gyre) => {
    const bodies = gyre.bodies(N);
    bodies.step(1 / 60);
    bodies.drift(1 / 60);
    bodies.transforms(gyre.float32(12 * N).view);
    gyre.cssLinear(gyre.springFromResponse(0.5, 1), 0.01);
};

test('reach: the package calls every kernel of the list', async () => {
    const called = new Set();
    const { exports } = await gyreEntry.load();
    const recording = Object.fromEntries(
        Object.entries(exports).map(([name, value]) => [
            name,
            typeof value !== 'function' ? value : (...values) => called.add(name) && value(...values),
        ]),
    );
    const gyre = allParts(new Host(recording));
    for (const { path, on, taken } of callsOf(gyre)) {
        on[path.split('.').at(-1)](...taken);
    }
    callOthers(gyre);
    assert.ok(kernelNames.length > 50);
    assert.deepEqual(
        kernelNames.filter((name) => !called.has(name)),
        [],
    );
});

test('reach: no call writes beyond the space for its results', async () => {
    const gyre = await gyreEntry.load();
    const after = gyre.uint8(4096).view.fill(0xaa); // the first block, right behind that space
    const calls = callsOf(gyre);
    calls.push({ path: 'cssLinear', on: gyre, taken: [gyre.springFromResponse(0.5, 1), 0.1] });
    for (const { path, on, taken } of calls) {
        for (let i = 0; i < 1500; i++) {
            for (let k = 0; k < i % 8; k++) {
                gyre.dampingFromHalfLife(1); // takes 8 bytes of it, so that the call begins everywhere
            }
            on[path.split('.').at(-1)](...taken);
        }
        assert.ok(
            after.every((byte) => byte === 0xaa),
            path,
        );
    }
});

test('reach: the module exports every function of the headers except those that select a table', async () => {
    const { exports } = await gyreEntry.load();
    assert.deepEqual(
        kernelNames.filter((name) => !declaredNames.includes(name)),
        [],
    );
    assert.deepEqual(declaredNames.filter((name) => !exports[name]).sort(), [...tableNames].sort());
});

test('reach: the small module has all kernels except those of bodies, rotations and elementary functions', async () => {
    const { exports } = await ui.load();
    const others = kernelNames.filter((name) =>
        /^gyre_(bodies_.*|inertia_.*|rotation_.*|exp|expm1|log|sin|cos|sincos)$/.test(name),
    );
    assert.deepEqual(kernelNames.filter((name) => !exports[name]).sort(), others.sort());
});

test('reach: the package has the version of the library', async () => {
    const { version } = JSON.parse(readFileSync('node_modules/gyre/package.json', 'utf8'));
    assert.equal(version, (await gyreEntry.load()).version);
});

/** The property names of values of these types. */
const namesOf = (path, types) => {
    const file = `${process.cwd()}/declared.ts`;
    const text =
        `import * as entry from '${path}';\n` +
        Object.entries(types)
            .map(([name, type]) => `export declare const ${name}: ${type};\n`)
            .join('');
    const options = {
        module: ts.ModuleKind.NodeNext,
        target: ts.ScriptTarget.ES2022,
        strict: true,
        types: [],
        skipDefaultLibCheck: true,
    };
    const host = ts.createCompilerHost(options);
    const { getSourceFile, fileExists, readFile } = host;
    host.getSourceFile = (name, how) =>
        name === file ? ts.createSourceFile(name, text, how) : getSourceFile(name, how);
    host.fileExists = (name) => name === file || fileExists(name);
    host.readFile = (name) => (name === file ? text : readFile(name));
    const program = ts.createProgram([file], options, host);
    assert.deepEqual(
        ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText),
        [],
    );
    const checker = program.getTypeChecker();
    const variables = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)));
    return Object.fromEntries(
        variables.map((variable) => [
            variable.name,
            checker
                .getTypeOfSymbol(variable)
                .getProperties()
                .map(({ name }) => name)
                .sort(),
        ]),
    );
};

const membersOf = (object) => {
    const names = Object.keys(object);
    for (let from = Object.getPrototypeOf(object); from !== Object.prototype; from = Object.getPrototypeOf(from)) {
        names.push(...Object.getOwnPropertyNames(from));
    }
    return [...new Set(names)].filter((name) => !['constructor', 'host', 'call'].includes(name)).sort();
};

test('reach: objects have exactly the members of their types', async () => {
    const gyre = await gyreEntry.load();
    const objects = {
        gyre,
        small: await ui.load(),
        springs: gyre.springs(1),
        orientationSprings: gyre.orientationSprings(1),
        particles: gyre.particles(1),
        flings: gyre.flings(1),
        boneChains: gyre.boneChains(1, { bones: [{}] }),
        springBones: new three.SpringBones(gyre),
        bodies: gyre.bodies(1),
        block: gyre.float32(1),
    };
    const declared = namesOf('gyre', {
        gyre: 'entry.Gyre',
        small: 'entry.GyreUi',
        springs: 'entry.Springs',
        orientationSprings: 'entry.OrientationSprings',
        particles: 'entry.Particles',
        flings: 'entry.Flings',
        boneChains: 'entry.BoneChains',
        springBones: "import('gyre/three').SpringBones",
        bodies: 'entry.Bodies',
        block: 'entry.Block<Float32Array>',
    });
    for (const [name, object] of Object.entries(objects)) {
        assert.deepEqual(membersOf(object), declared[name], name);
    }
});

test('reach: entries export exactly what their types declare', () => {
    for (const [name, entry] of Object.entries({
        gyre: gyreEntry,
        'gyre/ui': ui,
        'gyre/core': core,
        'gyre/three': three,
    })) {
        assert.deepEqual(Object.keys(entry).sort(), namesOf(name, { all: 'typeof entry' }).all, name);
    }
});
