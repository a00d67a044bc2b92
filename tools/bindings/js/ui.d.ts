import type { GyreUi, LoadOptions } from './types.js';

export * from './types.js';

/** An instance with a memory of its own, without bodies, rotations of arrays and elementary functions. */
export function load(options?: LoadOptions): Promise<GyreUi>;
