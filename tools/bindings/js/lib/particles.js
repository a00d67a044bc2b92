import { Batch } from './batch.js';

const MATRIX = 8; // floats of a gyre_particle_matrix

export class Particles extends Batch {
    constructor(host, count, values) {
        super(host, count, { position: true, velocity: true, ...values });
    }

    step(matrix, begin = 0, end = this.count) {
        this.call('gyre_particles_step', begin, end, this.host.copy(matrix, MATRIX));
    }

    stepEach({ damping, timeScale }, dt, begin = 0, end = this.count) {
        this.call(
            'gyre_particles_step_each',
            begin,
            end,
            this.host.address(damping, end),
            this.host.optional(timeScale, end),
            dt,
        );
    }
}

Batch.describe(Particles, 'gyre_particles');

export class Flings extends Batch {
    constructor(host, count, values) {
        super(host, count, { position: true, velocity: true, awake: 1, ...values });
    }

    step(dt, begin = 0, end = this.count) {
        this.call('gyre_flings_step', begin, end, dt);
    }
}

Batch.describe(Flings, 'gyre_flings');
