import type { Gyre, GyreUi, LoadOptions } from './types.js';

export * from './types.js';

/** A module, its bytes, a response that has them, where to fetch them, or a promise of one of these. */
export type Source = Module | PromiseLike<Module>;
type Module = WebAssembly.Module | BufferSource | Response | URL | string;

/** An instance of gyre.wasm with a memory of its own. */
export function load(source: Source, options?: LoadOptions): Promise<Gyre>;
/** An instance of ui.wasm with a memory of its own. */
export function loadUi(source: Source, options?: LoadOptions): Promise<GyreUi>;
