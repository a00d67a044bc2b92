import { Batch } from './batch.js';

const MATRIX = 12; // floats of a gyre_spring_matrix

export class Springs extends Batch {
    constructor(host, count, values) {
        super(host, count, { position: true, velocity: true, target: true, awake: 1, ...values });
    }

    step(matrix, begin = 0, end = this.count) {
        this.call('gyre_springs_step', begin, end, this.host.copy(matrix, MATRIX));
    }

    stepPalette(palette, index, begin = 0, end = this.count) {
        return this.call(
            'gyre_springs_step_palette',
            begin,
            end,
            this.host.address(palette, 0),
            Math.floor(palette.length / MATRIX),
            this.host.address(index, end, Uint16Array),
        );
    }

    stepEach({ angularFrequency, dampingRatio, follow, timeScale }, dt, begin = 0, end = this.count) {
        this.call(
            'gyre_springs_step_each',
            begin,
            end,
            this.host.address(angularFrequency, end),
            this.host.address(dampingRatio, end),
            this.host.optional(follow, end),
            this.host.optional(timeScale, end),
            dt,
        );
    }

    at(spring, elapsed, positionOut, velocityOut, begin = 0, end = this.count) {
        this.call(
            'gyre_springs_at',
            begin,
            end,
            this.host.spring(spring),
            this.host.address(elapsed, end),
            this.host.address(positionOut, end),
            this.host.address(velocityOut, end),
        );
    }
}

Batch.describe(Springs, 'gyre_springs');

const IDENTITY = [0, 0, 0, 1]; // x y z w

export class OrientationSprings extends Batch {
    constructor(host, count, values) {
        super(host, count, { orientation: IDENTITY, angularVelocity: true, target: IDENTITY, awake: 1, ...values });
    }

    step(matrix, dt, begin = 0, end = this.count) {
        this.call('gyre_orientation_springs_step', begin, end, this.host.copy(matrix, MATRIX), dt);
    }
}

Batch.describe(OrientationSprings, 'gyre_orientation_springs');
