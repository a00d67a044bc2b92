import type { GyreUi, LoadOptions } from './types.js';

export * from './types.js';

/** Creates an instance with its own memory, without bodies, rotations and elementary functions. */
export function load(options?: LoadOptions): Promise<GyreUi>;
