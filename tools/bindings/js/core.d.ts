import type { Gyre, GyreUi, LoadOptions } from './types.js';

export * from './types.js';

/** A module, its bytes, a response, a URL to fetch, or a promise of one of these. */
export type Source = Module | PromiseLike<Module>;
type Module = WebAssembly.Module | BufferSource | Response | URL | string;

/** Creates an instance of gyre.wasm with its own memory. */
export function load(source: Source, options?: LoadOptions): Promise<Gyre>;
/** Creates an instance of ui.wasm with its own memory. */
export function loadUi(source: Source, options?: LoadOptions): Promise<GyreUi>;
