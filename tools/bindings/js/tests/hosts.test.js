// The package in the ways that its page names for each host, as far as Node has them: require, workers, and modules that
// are compiled as they arrive.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';

import { load } from 'gyre';
import * as core from 'gyre/core';

const run = promisify(execFile);
const bytesOf = (name) => readFile(`node_modules/gyre/${name}.wasm`);

/** A program in a file here, from where packages are found, and what it prints. */
const printedBy = async (name, program) => {
    await writeFile(name, program);
    try {
        return (await run(process.execPath, [name])).stdout;
    } finally {
        await rm(name);
    }
};

test(`hosts: CommonJS in Node ${process.versions.node}`, async () => {
    for (const entry of ['gyre', 'gyre/ui']) {
        const body = `load().then((gyre) => console.log(gyre.version))`;
        assert.equal(await printedBy('imports.cjs', `import('${entry}').then(({ load }) => ${body})`), '0.1.0\n');
        const required = printedBy('requires.cjs', `const { load } = require('${entry}'); ${body}`);
        if (process.features.require_module) {
            assert.equal(await required, '0.1.0\n');
        } else {
            await assert.rejects(required, /ERR_REQUIRE_ESM/);
        }
    }
});

test('hosts: a module that was compiled once, in workers', async () => {
    const module = await WebAssembly.compile(await bytesOf('gyre'));
    const program = `
        import { parentPort, workerData } from 'node:worker_threads';
        import { load } from 'gyre/core';
        const gyre = await load(workerData);
        const springs = gyre.springs(3, { target: 1 });
        springs.step(gyre.springMatrixAt(gyre.springFromResponse(0.5, 1), 0.1));
        parentPort.postMessage(gyre.hash([springs.position, springs.velocity]));`;
    await writeFile('worker.mjs', program);
    const workers = [1, 2].map(() => new Worker('./worker.mjs', { workerData: module }));
    const hashes = (await Promise.all(workers.map((worker) => once(worker, 'message')))).flat();
    await rm('worker.mjs');
    const gyre = await load();
    const springs = gyre.springs(3, { target: 1 });
    springs.step(gyre.springMatrixAt(gyre.springFromResponse(0.5, 1), 0.1));
    assert.deepEqual(hashes, Array(2).fill(gyre.hash([springs.position, springs.velocity])));
});

let origin;
const server = createServer(async (request, response) => {
    const [, type, name] = /^\/([^/]*)\/(.*)$/.exec(request.url);
    const headers = type === 'none' ? {} : { 'content-type': decodeURIComponent(type) };
    try {
        const bytes = await bytesOf(name);
        response.writeHead(200, headers);
        response.end(bytes);
    } catch {
        response.writeHead(404, headers);
        response.end();
    }
});
before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    origin = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
    server.closeAllConnections();
    server.close();
});

/** How often a call compiles as a stream, and from bytes. */
const counted = async (call) => {
    const kept = { ...WebAssembly, compile: WebAssembly.compile, compileStreaming: WebAssembly.compileStreaming };
    const counts = { compile: 0, compileStreaming: 0 };
    for (const name of Object.keys(counts)) {
        WebAssembly[name] = (...values) => {
            counts[name]++;
            return kept[name].apply(WebAssembly, values);
        };
    }
    try {
        await call();
    } finally {
        WebAssembly.compile = kept.compile;
        WebAssembly.compileStreaming = kept.compileStreaming;
    }
    return counts;
};

const STREAMED = { compile: 0, compileStreaming: 1 };
const WHOLE = { compile: 1, compileStreaming: 0 };

test('hosts: core compiles as a stream', async () => {
    const url = `${origin}/${encodeURIComponent('application/wasm')}`;
    for (const source of [() => `${url}/ui`, () => new URL(`${url}/ui`), () => fetch(`${url}/ui`)]) {
        assert.deepEqual(await counted(() => core.loadUi(source())), STREAMED, String(source));
    }
    assert.deepEqual(await counted(async () => core.load(await fetch(`${url}/gyre`))), STREAMED);
});

test('hosts: core compiles whole modules where the type of the response is another, or the host cannot stream', async () => {
    for (const type of ['application/octet-stream', 'application/wasm; charset=utf-8', 'Application/WASM', 'none']) {
        const url = `${origin}/${encodeURIComponent(type)}/ui`;
        assert.deepEqual(await counted(() => core.loadUi(url)), WHOLE, type);
    }
    const { compileStreaming } = WebAssembly;
    WebAssembly.compileStreaming = undefined;
    try {
        const gyre = await core.load(`${origin}/${encodeURIComponent('application/wasm')}/gyre`);
        assert.equal(gyre.version, '0.1.0');
    } finally {
        WebAssembly.compileStreaming = compileStreaming;
    }
});

test('hosts: core says what the server answered', async () => {
    const url = `${origin}/${encodeURIComponent('application/wasm')}/none`;
    await assert.rejects(core.load(url), new RegExp(`${url}: 404 Not Found`));
});
