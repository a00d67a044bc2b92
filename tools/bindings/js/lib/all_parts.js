import { Bodies } from './bodies.js';
import { GyreError } from './error.js';
import { otherFunctions } from './functions.js';
import { uiParts } from './ui_parts.js';

/** What the whole module has. */
export const allParts = (host) => {
    if (!host.exports.gyre_bodies_step) {
        throw new GyreError('value', 'the module has no bodies: ui.wasm is for loadUi');
    }
    return {
        ...uiParts(host),
        bodies: (count, values) => new Bodies(host, count, values),
        ...otherFunctions(host),
    };
};
