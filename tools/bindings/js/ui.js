import { compile, inflate, instantiate } from './lib/load.js';
import { module } from './lib/ui_module.js';
import { uiParts } from './lib/ui_parts.js';

export { apply } from './lib/apply.js';
export { GyreError } from './lib/error.js';

let compiled;

export const load = (options) => instantiate((compiled ??= compile(inflate(module))), uiParts, options);
