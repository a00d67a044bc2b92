import { compile, instantiate } from './lib/load.js';
import { allParts } from './lib/all_parts.js';
import { uiParts } from './lib/ui_parts.js';

export { apply } from './lib/apply.js';
export { GyreError } from './lib/error.js';

export const load = async (source, options) => instantiate(compile(source), allParts, options);
export const loadUi = async (source, options) => instantiate(compile(source), uiParts, options);
