import type { Gyre, GyreUi, LoadOptions } from './types.js';

export * from './types.js';

/** A module, its bytes, a response, a URL to fetch, or a promise of one of these. */
export type Source = Module | PromiseLike<Module>;
type Module = ArrayBuffer | ArrayBufferView | string | CompiledModule | Of<'Response'> | Of<'URL'>;

/** Types of the host, where its own types have them. */
type CompiledModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Type } } } ? Type : never;
type Of<Name extends string> = typeof globalThis extends { [N in Name]: { prototype: infer Type } } ? Type : never;

/** Creates an instance of gyre.wasm with its own memory. */
export function load(source: Source, options?: LoadOptions): Promise<Gyre>;
/** Creates an instance of ui.wasm with its own memory. */
export function loadUi(source: Source, options?: LoadOptions): Promise<GyreUi>;
