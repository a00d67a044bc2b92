import { Batch } from './batch.js';
import { FlingsCalls, ParticlesCalls } from './functions.js';

export class Particles extends ParticlesCalls {}

Batch.describe(Particles, 'gyre_particles', { position: true, velocity: true });

export class Flings extends FlingsCalls {}

Batch.describe(Flings, 'gyre_flings', { position: true, velocity: true, awake: 1 });
