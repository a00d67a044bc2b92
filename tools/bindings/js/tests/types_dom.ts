// Uses of the package with the types of a browser, which tsc --strict must accept.
import { load } from 'gyre';
import { load as loadFrom, loadUi, type Source } from 'gyre/core';

export async function use(module: WebAssembly.Module): Promise<void> {
    const gyre = await load();
    const memory: WebAssembly.Memory = gyre.memory;
    memory.grow(1);
    document.body.animate({ opacity: [0, 1] }, gyre.cssLinear(gyre.springFromResponse(0.5, 1), 0.01, { velocity: 2 }));

    (await loadUi(fetch('ui.wasm'))).flings(3).free();
    (await loadUi(await fetch('ui.wasm'))).flings(3).free();
    (await loadFrom(new URL('gyre.wasm', import.meta.url))).bodies(3).free();
    const source: Source = module;
    await loadFrom(source);
}
