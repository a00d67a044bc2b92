import { Batch } from './batch.js';
import { OrientationSpringsCalls, SpringsCalls } from './functions.js';
import { IDENTITY } from './struct.js';

export class Springs extends SpringsCalls {}

Batch.describe(Springs, 'gyre_springs', { position: true, velocity: true, target: true, awake: 1 });

export class OrientationSprings extends OrientationSpringsCalls {}

Batch.describe(OrientationSprings, 'gyre_orientation_springs', {
    orientation: IDENTITY,
    angularVelocity: true,
    target: IDENTITY,
    awake: 1,
});
