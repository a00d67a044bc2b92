// Made by tools/interface/generate.py: the calls of C.
import { Batch } from './batch.js';
import { optionsOf } from './check.js';

// Of what may be no array: the checks that follow refuse it.
const countOf = (array) => array?.length ?? 0;
const lengthOf = (arrays) => countOf(arrays?.[0]);

export const uiFunctions = (host) => ({
    springFromStiffness(mass, stiffness, damping) {
        const out = host.scratch(12);
        host.kernels.gyre_spring_from_stiffness(mass, stiffness, damping, out);
        return host.readSpring(out);
    },
    springFromResponse(response, dampingRatio) {
        const out = host.scratch(12);
        host.kernels.gyre_spring_from_response(response, dampingRatio, out);
        return host.readSpring(out);
    },
    springFromDuration(duration, bounce) {
        const out = host.scratch(12);
        host.kernels.gyre_spring_from_duration(duration, bounce, out);
        return host.readSpring(out);
    },
    springFromHalfLife(halfLife, dampingRatio) {
        const out = host.scratch(12);
        host.kernels.gyre_spring_from_half_life(halfLife, dampingRatio, out);
        return host.readSpring(out);
    },
    springFromSettling(settling, dampingRatio, fraction) {
        const out = host.scratch(12);
        host.kernels.gyre_spring_from_settling(settling, dampingRatio, fraction, out);
        return host.readSpring(out);
    },
    springToStiffness(spring, mass) {
        const out = host.scratch(8);
        host.kernels.gyre_spring_to_stiffness(host.spring(spring), mass, out, out + 4);
        return { stiffness: host.data.getFloat32(out, true), damping: host.data.getFloat32(out + 4, true) };
    },
    springToResponse(spring) {
        const out = host.scratch(4);
        host.kernels.gyre_spring_to_response(host.spring(spring), out);
        return host.data.getFloat32(out, true);
    },
    springToDuration(spring) {
        const out = host.scratch(8);
        host.kernels.gyre_spring_to_duration(host.spring(spring), out, out + 4);
        return { duration: host.data.getFloat32(out, true), bounce: host.data.getFloat32(out + 4, true) };
    },
    springSettlingTime(spring, displacement, velocity, tolerance) {
        const out = host.scratch(4);
        host.kernels.gyre_spring_settling_time(host.spring(spring), displacement, velocity, tolerance, out);
        return host.data.getFloat32(out, true);
    },
    springPeak(spring, displacement, velocity) {
        const out = host.scratch(8);
        host.kernels.gyre_spring_peak(host.spring(spring), displacement, velocity, out, out + 4);
        return { time: host.data.getFloat32(out, true), peak: host.data.getFloat32(out + 4, true) };
    },
    springMatrixAt(spring, dt) {
        const out = host.scratch(64);
        host.kernels.gyre_spring_matrix_at(host.spring(spring), dt, out);
        return host.floats(out, 16);
    },
    smoothingMatrixAt(halfLife, dt) {
        const out = host.scratch(64);
        host.kernels.gyre_smoothing_matrix_at(halfLife, dt, out);
        return host.floats(out, 16);
    },
    limitTargets(
        position,
        velocity,
        targetBefore,
        target,
        spring,
        maxSpeed,
        dt,
        targetBeforeOut,
        targetOut,
        begin = 0,
        end = lengthOf(targetOut),
    ) {
        host.range(begin, end);
        host.kernels.gyre_limit_targets(
            host.table(position, end),
            host.table(velocity, end, position.length),
            host.table(targetBefore, end, position.length),
            host.table(target, end, position.length),
            countOf(position),
            host.spring(spring),
            maxSpeed,
            dt,
            host.table(targetBeforeOut, end, position.length),
            host.table(targetOut, end, position.length),
            begin,
            end,
        );
    },
    dampingFromRetention(fraction, interval) {
        const out = host.scratch(4);
        host.kernels.gyre_damping_from_retention(fraction, interval, out);
        return host.data.getFloat32(out, true);
    },
    dampingFromHalfLife(halfLife) {
        const out = host.scratch(4);
        host.kernels.gyre_damping_from_half_life(halfLife, out);
        return host.data.getFloat32(out, true);
    },
    particleMatrixAt(damping, dt) {
        const out = host.scratch(40);
        host.kernels.gyre_particle_matrix_at(damping, dt, out);
        return host.floats(out, 10);
    },
    decelerate(position, velocity, deceleration, dt, begin = 0, end = lengthOf(velocity)) {
        host.range(begin, end);
        host.kernels.gyre_decelerate(
            host.table(position, end),
            host.table(velocity, end, position.length),
            countOf(position),
            deceleration,
            dt,
            begin,
            end,
        );
    },
    dampingRestPosition(position, velocity, damping) {
        const out = host.scratch(4);
        host.kernels.gyre_damping_rest_position(position, velocity, damping, out);
        return host.data.getFloat32(out, true);
    },
    dampingVelocityToRestAt(position, where, damping) {
        const out = host.scratch(4);
        host.kernels.gyre_damping_velocity_to_rest_at(position, where, damping, out);
        return host.data.getFloat32(out, true);
    },
    dampingTimeToSpeed(velocity, damping, speed) {
        const out = host.scratch(4);
        host.kernels.gyre_damping_time_to_speed(velocity, damping, speed, out);
        return host.data.getFloat32(out, true);
    },
    dampingTimeToPosition(position, velocity, damping, where) {
        const out = host.scratch(4);
        host.kernels.gyre_damping_time_to_position(position, velocity, damping, where, out);
        return host.data.getFloat32(out, true);
    },
    rubberBandOffset(distance, dimension, coefficient) {
        const out = host.scratch(4);
        host.kernels.gyre_rubber_band_offset(distance, dimension, coefficient, out);
        return host.data.getFloat32(out, true);
    },
    rubberBandDistance(offset, dimension, coefficient) {
        const out = host.scratch(4);
        host.kernels.gyre_rubber_band_distance(offset, dimension, coefficient, out);
        return host.data.getFloat32(out, true);
    },
    boneFromSpring(spring, bone = {}) {
        const out = host.bone(bone);
        host.kernels.gyre_bone_from_spring(host.spring(spring), out);
        return host.readBone(out);
    },
    boneFromVrm(stiffness, dragForce, gravityPower, length, rate, bone = {}) {
        const out = host.bone(bone);
        host.kernels.gyre_bone_from_vrm(stiffness, dragForce, gravityPower, length, rate, out);
        return host.readBone(out);
    },
    gather(from, strideBytes, to, begin = 0, end = lengthOf(to)) {
        host.range(begin, end);
        host.kernels.gyre_gather(
            host.structures(from, end, strideBytes, countOf(to)),
            strideBytes,
            countOf(to),
            host.table(to, end),
            begin,
            end,
        );
    },
    scatter(from, to, strideBytes, begin = 0, end = lengthOf(from)) {
        host.range(begin, end);
        host.kernels.gyre_scatter(
            host.table(from, end),
            countOf(from),
            host.structures(to, end, strideBytes, countOf(from)),
            strideBytes,
            begin,
            end,
        );
    },
    interpolate(before, now, part, out, begin = 0, end = countOf(out)) {
        host.range(begin, end);
        host.kernels.gyre_interpolate(
            host.address(before, end),
            host.address(now, end),
            part,
            host.address(out, end),
            begin,
            end,
        );
    },
    limitLength(v, longest, begin = 0, end = lengthOf(v)) {
        host.range(begin, end);
        host.kernels.gyre_limit_length(host.table(v, end), countOf(v), longest, begin, end);
    },
    findAwake(awake, indices, begin = 0, end = countOf(awake)) {
        const out = host.scratch(4);
        host.range(begin, end);
        host.kernels.gyre_find_awake(
            host.address(awake, end, Uint8Array),
            host.address(indices, end - begin, Uint32Array),
            out,
            begin,
            end,
        );
        return host.data.getUint32(out, true);
    },
    turnTargets(target, position, period, begin = 0, end = countOf(target)) {
        host.range(begin, end);
        host.kernels.gyre_turn_targets(host.address(target, end), host.address(position, end), period, begin, end);
    },
    hash(arrays, begin = 0, end = lengthOf(arrays)) {
        const out = host.scratch(8);
        host.range(begin, end);
        host.kernels.gyre_hash(host.table(arrays, end), countOf(arrays), out, begin, end);
        return host.data.getBigUint64(out, true);
    },
    hashBytes(bytes, begin = 0, end = countOf(bytes)) {
        const out = host.scratch(8);
        host.range(begin, end);
        host.kernels.gyre_hash_bytes(host.address(bytes, end, Uint8Array), out, begin, end);
        return host.data.getBigUint64(out, true);
    },
});

export const otherFunctions = (host) => ({
    rotationMatrix(v, r, begin = 0, end = lengthOf(r)) {
        host.range(begin, end);
        host.kernels.gyre_rotation_matrix(host.table(v, end, 3), host.table(r, end, 9), begin, end);
    },
    rotationLeftJacobian(v, t, begin = 0, end = lengthOf(t)) {
        host.range(begin, end);
        host.kernels.gyre_rotation_left_jacobian(host.table(v, end, 3), host.table(t, end, 9), begin, end);
    },
    rotationQuaternion(v, q, begin = 0, end = lengthOf(q)) {
        host.range(begin, end);
        host.kernels.gyre_rotation_quaternion(host.table(v, end, 3), host.table(q, end, 4), begin, end);
    },
    rotationVector(q, v, begin = 0, end = lengthOf(v)) {
        host.range(begin, end);
        host.kernels.gyre_rotation_vector(host.table(q, end, 4), host.table(v, end, 3), begin, end);
    },
    rotationProduct(a, b, out, begin = 0, end = lengthOf(out)) {
        host.range(begin, end);
        host.kernels.gyre_rotation_product(
            host.table(a, end, 4),
            host.table(b, end, 4),
            host.table(out, end, 4),
            begin,
            end,
        );
    },
    rotationBetween(a, b, part, out, begin = 0, end = lengthOf(out)) {
        host.range(begin, end);
        host.kernels.gyre_rotation_between(
            host.table(a, end, 4),
            host.table(b, end, 4),
            part,
            host.table(out, end, 4),
            begin,
            end,
        );
    },
    rotationApply(q, v, out, begin = 0, end = lengthOf(out)) {
        host.range(begin, end);
        host.kernels.gyre_rotation_apply(
            host.table(q, end, 4),
            host.table(v, end, 3),
            host.table(out, end, 3),
            begin,
            end,
        );
    },
    inertiaPrincipal(tensor) {
        const out = host.scratch(28);
        host.kernels.gyre_inertia_principal(host.copy(tensor, 6), out, out + 12);
        return { moments: host.floats(out, 3), axes: host.floats(out + 12, 4) };
    },
    inertiaCheck(tensor) {
        const out = host.scratch(4);
        host.kernels.gyre_inertia_check(host.copy(tensor, 6), out);
        return host.constant(out, 'GYRE_INERTIA_');
    },
    inertiaNearest(tensor) {
        const out = host.scratch(28);
        host.kernels.gyre_inertia_nearest(host.copy(tensor, 6), out, out + 24);
        return { nearest: host.floats(out, 6), excess: host.data.getFloat32(out + 24, true) };
    },
    exp(x, y) {
        host.kernels.gyre_exp(host.address(x, countOf(x)), host.address(y, countOf(x)), countOf(x));
    },
    expm1(x, y) {
        host.kernels.gyre_expm1(host.address(x, countOf(x)), host.address(y, countOf(x)), countOf(x));
    },
    log(x, y) {
        host.kernels.gyre_log(host.address(x, countOf(x)), host.address(y, countOf(x)), countOf(x));
    },
    sin(x, y) {
        host.kernels.gyre_sin(host.address(x, countOf(x)), host.address(y, countOf(x)), countOf(x));
    },
    cos(x, y) {
        host.kernels.gyre_cos(host.address(x, countOf(x)), host.address(y, countOf(x)), countOf(x));
    },
    sincos(x, sin, cos) {
        host.kernels.gyre_sincos(
            host.address(x, countOf(x)),
            host.address(sin, countOf(x)),
            host.address(cos, countOf(x)),
            countOf(x),
        );
    },
});

export class SpringsCalls extends Batch {
    step(matrix, begin = 0, end = this.count) {
        const { host } = this;
        host.range(begin, end);
        this.call('gyre_springs_step', begin, end, host.copy(matrix, 16));
    }

    stepPalette(palette, index, begin = 0, end = this.count) {
        const { host } = this;
        host.range(begin, end);
        return this.call(
            'gyre_springs_step_palette',
            begin,
            end,
            host.address(palette, 0),
            Math.floor(palette.length / 16),
            host.address(index, end, Uint16Array),
        );
    }

    stepEach(parameters, dt, begin = 0, end = this.count) {
        const { host } = this;
        const { angularFrequency, dampingRatio, follow, timeScale } = optionsOf(parameters, 'parameters', [
            'angularFrequency',
            'dampingRatio',
            'follow',
            'timeScale',
        ]);
        host.range(begin, end);
        this.call(
            'gyre_springs_step_each',
            begin,
            end,
            host.address(angularFrequency, end),
            host.address(dampingRatio, end),
            host.optional(follow, end),
            host.optional(timeScale, end),
            dt,
        );
    }

    at(spring, elapsed, positionOut, velocityOut, begin = 0, end = this.count) {
        const { host } = this;
        host.range(begin, end);
        this.call(
            'gyre_springs_at',
            begin,
            end,
            host.spring(spring),
            host.address(elapsed, end),
            host.address(positionOut, end),
            host.address(velocityOut, end),
        );
    }
}

export class OrientationSpringsCalls extends Batch {
    step(matrix, dt, begin = 0, end = this.count) {
        const { host } = this;
        host.range(begin, end);
        this.call('gyre_orientation_springs_step', begin, end, host.copy(matrix, 16), dt);
    }
}

export class ParticlesCalls extends Batch {
    step(matrix, begin = 0, end = this.count) {
        const { host } = this;
        host.range(begin, end);
        this.call('gyre_particles_step', begin, end, host.copy(matrix, 10));
    }

    stepEach(parameters, dt, begin = 0, end = this.count) {
        const { host } = this;
        const { damping, timeScale } = optionsOf(parameters, 'parameters', ['damping', 'timeScale']);
        host.range(begin, end);
        this.call(
            'gyre_particles_step_each',
            begin,
            end,
            host.address(damping, end),
            host.optional(timeScale, end),
            dt,
        );
    }
}

export class FlingsCalls extends Batch {
    step(dt, begin = 0, end = this.count) {
        const { host } = this;
        host.range(begin, end);
        this.call('gyre_flings_step', begin, end, dt);
    }
}

export class BoneChainsCalls extends Batch {
    step(dt, begin = 0, end = this.count) {
        const { host } = this;
        host.range(begin, end);
        return this.call('gyre_bone_chains_step', begin, end, dt);
    }

    reset(dt, begin = 0, end = this.count) {
        const { host } = this;
        host.range(begin, end);
        return this.call('gyre_bone_chains_reset', begin, end, dt);
    }
}

export class BodiesCalls extends Batch {
    kick(dt, begin = 0, end = this.count) {
        const { host } = this;
        host.range(begin, end);
        return this.call('gyre_bodies_kick', begin, end, dt);
    }

    energy(energy, begin = 0, end = this.count) {
        const { host } = this;
        host.range(begin, end);
        return this.call('gyre_bodies_energy', begin, end, host.address(energy, end));
    }

    angularVelocity(omega, begin = 0, end = this.count) {
        const { host } = this;
        host.range(begin, end);
        return this.call('gyre_bodies_angular_velocity', begin, end, host.table(omega, end, 3));
    }

    setAngularVelocity(omega, begin = 0, end = this.count) {
        const { host } = this;
        host.range(begin, end);
        return this.call('gyre_bodies_set_angular_velocity', begin, end, host.table(omega, end, 3));
    }
}
