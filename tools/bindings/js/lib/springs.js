import { Batch } from './batch.js';
import { OrientationSpringsCalls, SpringsCalls } from './functions.js';

export class Springs extends SpringsCalls {
    constructor(host, count, values) {
        super(host, count, { position: true, velocity: true, target: true, awake: 1, ...values });
    }
}

Batch.describe(Springs, 'gyre_springs');

const IDENTITY = [0, 0, 0, 1]; // x y z w

export class OrientationSprings extends OrientationSpringsCalls {
    constructor(host, count, values) {
        super(host, count, { orientation: IDENTITY, angularVelocity: true, target: IDENTITY, awake: 1, ...values });
    }
}

Batch.describe(OrientationSprings, 'gyre_orientation_springs');
