import { Batch } from './batch.js';
import { optionsOf } from './check.js';
import { BodiesCalls } from './functions.js';
import { records } from './layout.js';
import { IDENTITY, readRecord } from './struct.js';

const TORQUE = records.gyre_bodies.fields.torque.offset;
const MATRIX_FLOATS = 12;
const MATRIX_BYTES = 4 * MATRIX_FLOATS;

export class Bodies extends BodiesCalls {
    report = Object.seal({ substeps: 0, iterations: 0, unconverged: 0, worstResidual: 0, lostTurns: 0 });

    step(dt, solver = {}, begin = 0, end = this.count) {
        const { host } = this;
        host.range(begin, end);
        const report = host.record('gyre_body_report', {});
        const done = this.call('gyre_bodies_step', begin, end, dt, host.record('gyre_body_solver', solver), report);
        const { substeps, iterations, unconverged, worstResidual, lostTurns } = readRecord(
            host.data,
            report,
            'gyre_body_report',
        );
        this.report.substeps += substeps;
        this.report.iterations += iterations;
        this.report.unconverged += unconverged;
        this.report.lostTurns += lostTurns;
        this.report.worstResidual = Math.max(this.report.worstResidual, worstResidual);
        return done;
    }

    /** A step that ignores the torque. */
    drift(dt, solver, begin, end) {
        const at = this.pointer + TORQUE;
        const torque = this.host.data.getUint32(at, true);
        this.host.data.setUint32(at, 0, true);
        try {
            return this.step(dt, solver, begin, end);
        } finally {
            this.host.data.setUint32(at, torque, true);
        }
    }

    transforms(rows, options = {}, begin = 0, end = this.count) {
        const { host } = this;
        const { x, y, z, strideBytes = MATRIX_BYTES } = optionsOf(options, 'options', ['x', 'y', 'z', 'strideBytes']);
        host.range(begin, end);
        return this.call(
            'gyre_bodies_transforms',
            begin,
            end,
            host.optional(x, end),
            host.optional(y, end),
            host.optional(z, end),
            host.structures(rows, end > begin ? end : 0, strideBytes, MATRIX_FLOATS),
            strideBytes,
        );
    }
}

Batch.describe(Bodies, 'gyre_bodies', { orientation: IDENTITY, momentum: true, inertia: 1 });
