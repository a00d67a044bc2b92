import { Host } from './host.js';

/** Decodes base64 text and inflates the bytes. */
export const inflate = (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer();
};

/** Compiles a module from a module, its bytes, a response, or a URL to fetch; or from a promise of one of these. */
export const compile = async (source) => {
    let from = await source;
    if (typeof from === 'string' || from instanceof URL) {
        from = await fetch(from);
    }
    if (from instanceof Response) {
        if (!from.ok) {
            throw new Error(`${from.url}: ${from.status} ${from.statusText}`);
        }
        from = await from.arrayBuffer();
    }
    return from instanceof WebAssembly.Module ? from : WebAssembly.compile(from);
};

/** Creates an instance with its own memory, as the object that the caller gets. */
export const instantiate = async (module, parts, options) => {
    const { exports } = await WebAssembly.instantiate(await module, {});
    return Object.freeze(parts(new Host(exports, options)));
};
