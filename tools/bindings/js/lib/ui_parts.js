import { blocks } from './block.js';
import { BoneChains } from './chains.js';
import { css } from './css.js';
import { uiFunctions } from './functions.js';
import { Flings, Particles } from './particles.js';
import { OrientationSprings, Springs } from './springs.js';

/** The interface that both modules share. */
export const uiParts = (host) => ({
    memory: host.memory,
    exports: host.exports,
    version: host.string(host.exports.gyre_version()),
    ...blocks(host),
    springs: (count, values) => new Springs(host, count, values),
    orientationSprings: (count, values) => new OrientationSprings(host, count, values),
    particles: (count, values) => new Particles(host, count, values),
    flings: (count, values) => new Flings(host, count, values),
    boneChains: (count, values) => new BoneChains(host, count, values),
    ...uiFunctions(host),
    ...css(host),
});
