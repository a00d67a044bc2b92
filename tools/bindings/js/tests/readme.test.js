// The programs of README.md print what it shows.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { brotliCompressSync } from 'node:zlib';

const page = readFileSync('node_modules/gyre/README.md', 'utf8');
const programs = [...page.matchAll(/^```js\n(.*?)^```\n\n```text\n(.*?)^```$/gms)];

test('readme: linked files are in the package, except pages of the C library', () => {
    const paths = [...page.matchAll(/\]\(([^)]+)\)/g)]
        .map(([, path]) => path)
        .filter((path) => !/^(https:|#)|\.md$/.test(path));
    assert.ok(paths.length > 6);
    paths.forEach((path) => assert.ok(existsSync(`node_modules/gyre/${path}`), path));
});

test('readme: modules have the sizes that it states', () => {
    const stated = [...page.matchAll(/(\d+) KB/g)].map(([, kilobytes]) => 1000 * kilobytes);
    const files = ['lib/gyre_module.js', 'lib/ui_module.js', 'gyre.wasm', 'ui.wasm'];
    const sizes = files.map((file) => brotliCompressSync(readFileSync(`node_modules/gyre/${file}`)).length);
    assert.equal(stated.length, sizes.length);
    sizes.forEach((size, i) => assert.ok(Math.abs(size - stated[i]) < 1500, `${files[i]}: ${size} bytes by brotli`));
});

test('readme: every program shows its output', () => {
    assert.ok(programs.length > 5);
    assert.equal(page.match(/^```js$/gm).length, programs.length);
});

programs.forEach(([, program, printed], i) => {
    test(`readme: program ${i + 1}`, async () => {
        const file = `readme-${i}.mjs`;
        await writeFile(file, program);
        const { stdout } = await promisify(execFile)(process.execPath, [file]);
        assert.equal(stdout, printed);
        await rm(file);
    });
});
