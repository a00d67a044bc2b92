import { Batch } from './batch.js';
import { FlingsCalls, ParticlesCalls } from './functions.js';

export class Particles extends ParticlesCalls {
    constructor(host, count, values) {
        super(host, count, { position: true, velocity: true, ...values });
    }
}

Batch.describe(Particles, 'gyre_particles');

export class Flings extends FlingsCalls {
    constructor(host, count, values) {
        super(host, count, { position: true, velocity: true, awake: 1, ...values });
    }
}

Batch.describe(Flings, 'gyre_flings');
