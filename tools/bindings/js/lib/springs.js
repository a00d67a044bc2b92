import { Batch } from './batch.js';
import { OrientationSpringsCalls, SpringsCalls } from './functions.js';
import { IDENTITY } from './struct.js';

export class Springs extends SpringsCalls {
    constructor(host, count, values) {
        super(host, count, { position: true, velocity: true, target: true, awake: 1, ...values });
    }
}

Batch.describe(Springs, 'gyre_springs');

export class OrientationSprings extends OrientationSpringsCalls {
    constructor(host, count, values) {
        super(host, count, { orientation: IDENTITY, angularVelocity: true, target: IDENTITY, awake: 1, ...values });
    }
}

Batch.describe(OrientationSprings, 'gyre_orientation_springs');
