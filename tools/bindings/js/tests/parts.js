// What functions cost, as README.md states: how much smaller gyre.wasm is without them.
//   node --test parts.js     in the folder of test.sh, which makes the modules
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';

const page = readFileSync('package/README.md', 'utf8');
const rows = [...page.matchAll(/^\| ([^|]+?) \| ([\d.]+) \|$/gm)];
const parts = readFileSync(`${process.env.GYRE_SOURCE}/tools/bindings/js/module/parts.txt`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));

test('parts: the page has a row for each, and each function is in one', () => {
    assert.deepEqual(
        rows.map(([, name]) => name.replaceAll('`', '')),
        parts.map(([name]) => name),
    );
    const kernels = WebAssembly.Module.exports(new WebAssembly.Module(readFileSync('package/gyre.wasm')))
        .map(({ name }) => name)
        .filter((name) => !/^(memory|__heap_base|gyre_version|gyre_status_name)$/.test(name));
    const named = parts.flatMap(([, functions]) => kernels.filter((name) => new RegExp(`^(${functions})$`).test(name)));
    assert.deepEqual(named.sort(), kernels.sort());
});

const whole = statSync('package/gyre.wasm').size;
const isNear = (size, stated) => assert.ok(Math.abs(size - stated) <= 0.03 * stated, `${size}, stated ${stated}`);

// Not with brotli: what it makes of the same code depends on the rest of the module.
rows.forEach(([, name, kilobytes], i) => {
    test(`parts: ${name}`, () => isNear(whole - statSync(`module/without_${i + 1}.wasm`).size, 1000 * kilobytes));
});

test('parts: the whole, and what brotli makes of it', () => {
    isNear(whole, 1000 * /`gyre\.wasm`, of (\d+) KB/.exec(page)[1]);
    assert.ok(Math.abs(brotliCompressSync(readFileSync('package/gyre.wasm')).length / whole - 1 / 5) < 0.03);
});
