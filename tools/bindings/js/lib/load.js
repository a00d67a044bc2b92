import { shown } from './check.js';
import { GyreError } from './error.js';
import { Host } from './host.js';
import { INSPECT } from './shown.js';

/** Decodes base64 text and inflates the bytes. */
export const inflate = (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer();
};

/** Compiles a module as it arrives, where the host can do that and the server says what it is. */
const compileResponse = async (response) => {
    if (!response.ok) {
        throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
    }
    const isWasm = response.headers.get('content-type') === 'application/wasm'; // compileStreaming takes no other
    return isWasm && WebAssembly.compileStreaming
        ? WebAssembly.compileStreaming(response)
        : WebAssembly.compile(await response.arrayBuffer());
};

/** Compiles a module from a module, its bytes, a response, or a URL to fetch; or from a promise of one of these. */
export const compile = async (source) => {
    let from = await source;
    if (typeof from === 'string' || from instanceof URL) {
        from = await fetch(from);
    }
    if (from instanceof Response) {
        return compileResponse(from);
    }
    if (from instanceof WebAssembly.Module) {
        return from;
    }
    if (from instanceof ArrayBuffer || ArrayBuffer.isView(from)) {
        return WebAssembly.compile(from);
    }
    const reason = `expected a WebAssembly.Module, its bytes, a response or a URL, got ${shown(from)}`;
    throw new GyreError('value', reason);
};

/** The object that callers of load get. */
class Instance {
    #host;

    constructor(host, parts) {
        this.#host = host;
        Object.freeze(Object.assign(this, parts));
    }

    /** 'gyre 0.1.0 { memory: 16842752, used: 40960 }' */
    toString() {
        const { version, memory, used } = this.toJSON();
        return `gyre ${version} { memory: ${memory}, used: ${used} }`;
    }

    [INSPECT]() {
        return this.toString();
    }

    /** The version, and bytes. */
    toJSON() {
        return { version: this.version, memory: this.memory.buffer.byteLength, used: this.#host.heap.used };
    }
}

/** Creates an instance with its own memory. */
export const instantiate = async (module, parts, options) => {
    const compiled = await module;
    if (!WebAssembly.Module.exports(compiled).some(({ name }) => name === 'gyre_version')) {
        throw new GyreError('value', 'this is no module of Gyre');
    }
    const { exports } = await WebAssembly.instantiate(compiled, {});
    const host = new Host(exports, options);
    return new Instance(host, parts(host));
};
