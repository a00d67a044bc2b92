import { Bodies } from './bodies.js';
import { GyreError } from './error.js';
import { otherFunctions } from './functions.js';
import { maker, uiParts } from './ui_parts.js';

/** The interface of the full module. */
export const allParts = (host) => {
    if (!host.exports.gyre_bodies_step) {
        throw new GyreError('value', 'this module has no bodies; use loadUi to load ui.wasm');
    }
    return { ...uiParts(host), bodies: maker(host, Bodies), ...otherFunctions(host) };
};
