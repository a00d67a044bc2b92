import { compile, inflate, instantiate } from './lib/load.js';
import { module } from './lib/gyre_module.js';
import { allParts } from './lib/all_parts.js';

export { apply } from './lib/apply.js';
export { GyreError } from './lib/error.js';

let compiled;

export const load = (options) => instantiate((compiled ??= compile(inflate(module))), allParts, options);
