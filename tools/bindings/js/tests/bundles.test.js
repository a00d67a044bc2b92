// The package with bundlers, in Node and in a browser that forbids everything that a strict content security policy
// forbids.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, test } from 'node:test';

import { build as esbuild } from 'esbuild';
import * as core from 'gyre/core';
import { build as vite } from 'vite';

/** A program that returns the hash of springs after a while, found by `run`. */
const program = (imports, loading) => `
    ${imports}
    export const run = async () => {
        const gyre = await ${loading};
        const springs = gyre.springs(100, { target: 3 });
        const matrix = gyre.springMatrixAt(gyre.springFromResponse(0.5, 0.8), 1 / 60);
        for (let i = 0; i < 10; i++) {
            springs.step(matrix);
        }
        return String(gyre.hash([springs.position, springs.velocity]));
    };`;
const inlined = program(`import { load } from 'gyre';`, 'load()');
const small = program(`import { load } from 'gyre/ui';`, 'load()');
/** How the browser evaluates an easing: '' if it is as close to the spring as requested. */
const easing = `
    import { load } from '/gyre/ui.js';
    const run = async () => {
        const gyre = await load();
        const spring = gyre.springFromResponse(0.5, 0.4);
        const timing = gyre.cssLinear(spring, 0.002);
        const animation = document.documentElement.animate({ opacity: [0, 1] }, { ...timing, fill: 'both' });
        animation.pause();
        const springs = gyre.springs(1000, { target: 1 });
        const elapsed = gyre.float32(1000).view.map((_, i) => (i * timing.duration) / 1e6);
        const at = gyre.float32(1000).view;
        at.set(elapsed);
        springs.at(spring, at, springs.position, springs.velocity);
        const errors = Array.from(springs.position, (position, i) => {
            animation.currentTime = 1000 * elapsed[i];
            return Math.abs(animation.effect.getComputedTiming().progress - position);
        });
        const worst = Math.max(...errors);
        return worst > 0.0018 && worst <= 0.002 ? '' : String(worst);
    };`;
/** In a browser, reports the result to the server. */
const reported = (source, name) => `${source}
    run().catch(String).then((text) => fetch('/report/${name}', { method: 'POST', body: text }));`;

const folder = await mkdtemp(join(process.cwd(), 'bundles-')); // from where node_modules is found
after(() => rm(folder, { recursive: true }));

let bundles = 0;
const runOf = async (source) => {
    const file = join(folder, `${bundles++}.mjs`);
    await writeFile(file, source);
    return (await import(file)).run();
};
const wanted = await runOf(inlined);

const byEsbuild = async (source, options) => {
    const { outputFiles } = await esbuild({
        stdin: { contents: source, resolveDir: folder },
        outdir: folder,
        bundle: true,
        minify: true,
        format: 'esm',
        target: 'es2022',
        write: false,
        logLevel: 'silent',
        ...options,
    });
    return outputFiles;
};
const runs = async ([{ text }]) => assert.equal(await runOf(text), wanted);

test('bundles: esbuild, inlined', async () => {
    const files = await byEsbuild(inlined);
    assert.equal(files.length, 1);
    await runs(files);
});

test('bundles: esbuild, the module as bytes', async () => {
    await runs(
        await byEsbuild(
            program(
                `
        import { load } from 'gyre/core';
        import module from 'gyre/gyre.wasm';`,
                'load(module)',
            ),
            { loader: { '.wasm': 'binary' } },
        ),
    );
});

test('bundles: esbuild, the small module without the parts it lacks', async () => {
    const files = await byEsbuild(small);
    await runs(files);
    assert.doesNotMatch(files[0].text, /inertiaCheck|gyre_sincos/);
    assert.match(files[0].text, /gyre_flings_step/);
});

const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

/** Reports from the scripts of a page served under this policy, where ORIGIN is the server's: {name: text}. */
const inBrowser = async (root, policy, names) => {
    const reports = {};
    let settle;
    const all = new Promise((resolve) => {
        settle = resolve;
    });
    const server = createServer(async (request, response) => {
        if (request.method === 'POST') {
            let text = '';
            for await (const chunk of request) {
                text += chunk;
            }
            reports[request.url.split('/').at(-1)] = text;
            if (names.every((name) => name in reports)) {
                settle();
            }
            response.end();
            return;
        }
        const path = request.url === '/' ? '/index.html' : request.url;
        try {
            const content = await readFile(join(root, path));
            response.writeHead(200, {
                'content-type': types[extname(path)],
                'content-security-policy': policy.replace('ORIGIN', `http://${request.headers.host}`),
            });
            response.end(content);
        } catch {
            response.writeHead(404);
            response.end();
        }
    });
    await new Promise((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
    });
    const profile = await mkdtemp(join(tmpdir(), 'gyre-chromium-'));
    const sandbox = process.getuid() === 0 ? ['--no-sandbox'] : []; // root cannot have a sandbox
    const browser = spawn(
        'chromium',
        [
            '--headless=new',
            ...sandbox,
            '--disable-gpu',
            '--disable-dev-shm-usage',
            '--no-first-run',
            `--user-data-dir=${profile}`,
            '--remote-debugging-port=0',
            `http://127.0.0.1:${server.address().port}/`,
        ],
        { stdio: 'ignore' },
    );
    const ended = new Promise((resolve) => {
        browser.on('exit', resolve).on('error', resolve);
    });
    await Promise.race([all, ended]);
    browser.kill();
    await ended;
    server.closeAllConnections();
    server.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    return reports;
};

test('bundles: each file exports its function', async () => {
    const bytes = (name) => readFile(`node_modules/gyre/${name}`);
    assert.equal((await core.load(bytes('gyre.wasm'))).version, '0.1.0');
    assert.equal((await core.loadUi(new WebAssembly.Module(await bytes('ui.wasm')))).bodies, undefined);
    await assert.rejects(core.load(bytes('ui.wasm')), { name: 'GyreError', code: 'value' });
    await assert.rejects(core.load(new Response('', { status: 404 })), /404/);
});

test('bundles: in a browser under a strict policy, with Vite, esbuild and plain files', async () => {
    const byVite = {
        inlined,
        small,
        url: program(
            `
            import { load } from 'gyre/core';
            import url from 'gyre/gyre.wasm?url';`,
            'load(url)',
        ),
        fetched: program(
            `
            import { load } from 'gyre/core';
            import url from 'gyre/gyre.wasm?url';`,
            'load(fetch(url))',
        ),
        newUrl: program(`import { loadUi } from 'gyre/core';`, `loadUi(new URL('gyre/ui.wasm', import.meta.url))`),
    };
    const site = join(folder, 'site');
    await mkdir(site);
    const page = (names) => names.map((name) => `<script type="module" src="/${name}.js"></script>`).join('\n');
    for (const [name, source] of Object.entries(byVite)) {
        await writeFile(join(site, `${name}.js`), reported(source, name));
    }
    await writeFile(join(site, 'index.html'), page(Object.keys(byVite)));
    const root = join(folder, 'built');
    await vite({ root: site, logLevel: 'error', build: { outDir: root } });

    await writeFile(
        join(site, 'esbuild.js'),
        reported(
            program(
                `
        import { load } from 'gyre/core';
        import url from 'gyre/gyre.wasm';`,
                'load(url)',
            ),
            'esbuild',
        ),
    );
    await esbuild({
        entryPoints: [join(site, 'esbuild.js')],
        outdir: root,
        bundle: true,
        format: 'esm',
        loader: { '.wasm': 'file' },
        publicPath: '/',
    });
    await cp(join(process.cwd(), 'node_modules/gyre'), join(root, 'gyre'), { recursive: true });
    await writeFile(
        join(root, 'files.js'),
        reported(program(`import { load } from '/gyre/index.js';`, 'load()'), 'files'),
    );
    await writeFile(join(root, 'easing.js'), reported(easing, 'easing'));
    await appendFile(join(root, 'index.html'), page(['esbuild', 'files', 'easing']));

    const names = [...Object.keys(byVite), 'esbuild', 'files', 'easing'];
    const policy = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'`;
    assert.deepEqual(await inBrowser(root, policy, names), {
        ...Object.fromEntries(names.map((name) => [name, wanted])),
        easing: '',
    });
    const stricter = await inBrowser(root, `script-src 'self'`, names); // it forbids WebAssembly altogether
    assert.deepEqual(Object.keys(stricter).sort(), names.sort());
    Object.values(stricter).forEach((text) => assert.match(text, /CompileError.*Content Security Policy/));

    // Without connect-src, only what fetches the module fails.
    const reportsOnly = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src ORIGIN/report/`;
    const unconnected = await inBrowser(root, reportsOnly, names);
    const fetching = ['url', 'fetched', 'newUrl', 'esbuild'];
    for (const name of names) {
        const pattern = fetching.includes(name) ? /TypeError.*fetch/i : new RegExp(`^(${wanted})?$`);
        assert.match(unconnected[name], pattern, name);
    }
});

test('bundles: the page without a bundler that README.md shows', async () => {
    const [, html] = /^```html\n(.*?)^```$/ms.exec(await readFile('node_modules/gyre/README.md', 'utf8'));
    const root = join(folder, 'page');
    await mkdir(root);
    await cp(join(process.cwd(), 'node_modules/gyre'), join(root, 'gyre'), { recursive: true });
    const report = `
        const card = document.querySelector('#card');
        const places = [];
        new MutationObserver(() => {
            places.push(Number(/[-\\d.]+/.exec(card.style.transform)));
            if (places.at(-1) === 200) {
                fetch('/report/page', { method: 'POST', body: String(Math.max(...places)) });
            }
        }).observe(card, { attributeFilter: ['style'] });
        addEventListener('error', ({ message }) => fetch('/report/page', { method: 'POST', body: message }));
        addEventListener('unhandledrejection', ({ reason }) =>
            fetch('/report/page', { method: 'POST', body: String(reason) }));`;
    await writeFile(join(root, 'index.html'), `${html}<script>${report}</script>`);
    const { page } = await inBrowser(root, '', ['page']);
    assert.ok(page > 200 && page < 220, page); // it overshoots, and stops on its target
});
