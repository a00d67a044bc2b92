import { Batch } from './batch.js';
import { records } from './layout.js';
import { enumeration, readRecord } from './struct.js';

const TORQUE = records.gyre_bodies.fields.torque.offset;
const MATRIX_BYTES = 48;

export class Bodies extends Batch {
    report = { substeps: 0, iterations: 0, unconverged: 0, worstResidual: 0 };

    constructor(host, count, values) {
        super(host, count, { orientation: [0, 0, 0, 1], momentum: true, inertia: 1, ...values });
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
        const { substeps, iterations, unconverged, worstResidual } = readRecord(
            this.host.data,
            report,
            'gyre_body_report',
        );
        this.report.substeps += substeps;
        this.report.iterations += iterations;
        this.report.unconverged += unconverged;
        this.report.worstResidual = Math.max(this.report.worstResidual, worstResidual);
        return done;
    }

    /** A step without the torque. */
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

    kick(dt, begin = 0, end = this.count) {
        return this.call('gyre_bodies_kick', begin, end, dt);
    }

    energy(out, begin = 0, end = this.count) {
        return this.call('gyre_bodies_energy', begin, end, this.host.address(out, end));
    }

    angularVelocity(out, begin = 0, end = this.count) {
        return this.call('gyre_bodies_angular_velocity', begin, end, this.host.table(out, end, 3));
    }

    setAngularVelocity(omega, begin = 0, end = this.count) {
        return this.call('gyre_bodies_set_angular_velocity', begin, end, this.host.table(omega, end, 3));
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

const kinds = new Map(enumeration('GYRE_INERTIA_').map(([name, value]) => [value, name]));

export const inertiaKernels = (host) => ({
    inertiaPrincipal(tensor) {
        const results = host.results(7, (moments, y, z, axes) =>
            host.kernels.gyre_inertia_principal(host.copy(tensor, 6), moments, axes),
        );
        return { moments: results.slice(0, 3), axes: results.slice(3) };
    },
    inertiaCheck(tensor) {
        const kind = host.scratch(4);
        host.kernels.gyre_inertia_check(host.copy(tensor, 6), kind);
        return kinds.get(host.data.getInt32(kind, true));
    },
});
