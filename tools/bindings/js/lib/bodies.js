import { Batch } from './batch.js';
import { BodiesCalls } from './functions.js';
import { records } from './layout.js';
import { IDENTITY, readRecord } from './struct.js';

const TORQUE = records.gyre_bodies.fields.torque.offset;
const MATRIX_BYTES = 48;

export class Bodies extends BodiesCalls {
    report = { substeps: 0, iterations: 0, unconverged: 0, worstResidual: 0, lostTurns: 0 };

    constructor(host, count, values) {
        super(host, count, { orientation: IDENTITY, momentum: true, inertia: 1, ...values });
    }

    step(dt, solver = {}, begin = 0, end = this.count) {
        const report = this.host.record('gyre_body_report', {});
        const done = this.call(
            'gyre_bodies_step',
            begin,
            end,
            dt,
            this.host.record('gyre_body_solver', solver),
            report,
        );
        const { substeps, iterations, unconverged, worstResidual, lostTurns } = readRecord(
            this.host.data,
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

    transforms(rows, { x, y, z, strideBytes = MATRIX_BYTES } = {}, begin = 0, end = this.count) {
        const floats = end > begin ? ((end - 1) * strideBytes + MATRIX_BYTES) / 4 : 0;
        return this.call(
            'gyre_bodies_transforms',
            begin,
            end,
            this.host.optional(x, end),
            this.host.optional(y, end),
            this.host.optional(z, end),
            this.host.address(rows, floats),
            strideBytes,
        );
    }
}

Batch.describe(Bodies, 'gyre_bodies');
