// The programs of README.md print what it shows.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { brotliCompressSync } from 'node:zlib';

const page = readFileSync('node_modules/gyre/README.md', 'utf8');
const programs = [...page.matchAll(/^```js\n(.*?)^```\n\n```text\n(.*?)^```$/gms)];

const anchorOf = (heading) =>
    heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-');

test('readme: all that it and the pages beside it link to is in the package', () => {
    let count = 0;
    for (const file of ['README.md', ...readdirSync('node_modules/gyre/docs').map((name) => `docs/${name}`)]) {
        const text = readFileSync(`node_modules/gyre/${file}`, 'utf8').replace(/^ *```.*?^ *```$/gms, '');
        for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
            const [path, anchor] = target.split('#');
            const linked = new URL(path || file.split('/').at(-1), `file:///gyre/${file}`).pathname;
            if (!target.startsWith('https:')) {
                assert.ok(linked.startsWith('/gyre/') && existsSync(`node_modules${linked}`), `${file}: ${target}`);
                const headings = anchor ? readFileSync(`node_modules${linked}`, 'utf8').match(/^#+ .*$/gm) : [];
                const anchors = headings.map((line) => anchorOf(line.replace(/^#+ /, '')));
                assert.ok(!anchor || anchors.includes(anchor), `${file}: ${target}`);
                count++;
            }
        }
    }
    assert.ok(count > 15);
});

test('readme: pages that the headers name are in the package', () => {
    const headers = readdirSync('node_modules/gyre/include/gyre').map((name) =>
        readFileSync(`node_modules/gyre/include/gyre/${name}`, 'utf8'),
    );
    const named = new Set(headers.flatMap((text) => text.match(/[\w-]+\.md\b/g) ?? []));
    assert.deepEqual(readdirSync('node_modules/gyre/docs').sort(), [...named].sort());
    assert.ok(named.size > 5);
});

test('readme: package.json says where the package comes from', () => {
    const file = readFileSync('node_modules/gyre/package.json', 'utf8');
    const { author, bugs, homepage, repository } = JSON.parse(file);
    assert.doesNotMatch(file, /@/);
    assert.equal(author, 'The Gyre authors');
    assert.deepEqual([repository.url, bugs], [`git+${homepage}.git`, `${homepage}/issues`]);
    assert.ok(new URL(homepage));
});

test('readme: modules have the sizes that it states', () => {
    const stated = [...page.matchAll(/(\d+) KB(?= \||\s*or)/g)].map(([, kilobytes]) => 1000 * kilobytes);
    const files = ['lib/gyre_module.js', 'lib/ui_module.js', 'gyre.wasm', 'ui.wasm'];
    const sizes = files.map((file) => brotliCompressSync(readFileSync(`node_modules/gyre/${file}`)).length);
    assert.equal(stated.length, sizes.length);
    // The limit is what was measured when the page was written, plus 3 %; much less is out of date too.
    sizes.forEach((size, i) =>
        assert.ok(Math.abs(size - stated[i]) <= 0.03 * stated[i], `${files[i]}: ${size} bytes by brotli`),
    );
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
