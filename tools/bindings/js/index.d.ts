import type { Gyre, LoadOptions } from './types.js';

export * from './types.js';

/** An instance with a memory of its own. */
export function load(options?: LoadOptions): Promise<Gyre>;
