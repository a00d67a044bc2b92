import type { Gyre, LoadOptions } from './types.js';

export * from './types.js';

/** Creates an instance with its own memory. */
export function load(options?: LoadOptions): Promise<Gyre>;
