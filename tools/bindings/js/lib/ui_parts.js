import { blocks } from './block.js';
import { BoneChains } from './chains.js';
import { css } from './css.js';
import { uiFunctions } from './functions.js';
import { Flings, Particles } from './particles.js';
import { OrientationSprings, Springs } from './springs.js';

/** Batches are frozen, so that a misspelled property throws. */
export const maker = (host, Class) => (count, values) => Object.freeze(new Class(host, count, values));

/** The interface that both modules share. */
export const uiParts = (host) => ({
    memory: host.memory,
    exports: host.exports,
    version: host.string(host.exports.gyre_version()),
    ...blocks(host),
    springs: maker(host, Springs),
    orientationSprings: maker(host, OrientationSprings),
    particles: maker(host, Particles),
    flings: maker(host, Flings),
    boneChains: maker(host, BoneChains),
    ...uiFunctions(host),
    ...css(host),
});
