import { Bodies, inertiaKernels } from './bodies.js';
import { mathKernels } from './math.js';
import { uiParts } from './ui_parts.js';

/** What the whole module has. */
export const allParts = (host) => ({
    ...uiParts(host),
    bodies: (count, values) => new Bodies(host, count, values),
    ...inertiaKernels(host),
    ...mathKernels(host),
});
