/** Springs, dampings and their matrices: functions of a few numbers. */
export const parameters = (host) => {
    const c = host.kernels;
    const by = (spring) => host.spring(spring);
    const number = (call) => host.results(1, call)[0];
    const spring = (call) => {
        const [angularFrequency, dampingRatio, follow] = host.results(3, call);
        return { angularFrequency, dampingRatio, follow };
    };
    return {
        springFromStiffness: (mass, stiffness, damping) =>
            spring((out) => c.gyre_spring_from_stiffness(mass, stiffness, damping, out)),
        springFromResponse: (response, dampingRatio) =>
            spring((out) => c.gyre_spring_from_response(response, dampingRatio, out)),
        springFromDuration: (duration, bounce) => spring((out) => c.gyre_spring_from_duration(duration, bounce, out)),
        springFromHalfLife: (halfLife, dampingRatio) =>
            spring((out) => c.gyre_spring_from_half_life(halfLife, dampingRatio, out)),
        springFromSettling: (settling, dampingRatio, fraction) =>
            spring((out) => c.gyre_spring_from_settling(settling, dampingRatio, fraction, out)),
        springToStiffness: (s, mass) => {
            const [stiffness, damping] = host.results(2, (k, d) => c.gyre_spring_to_stiffness(by(s), mass, k, d));
            return { stiffness, damping };
        },
        springToResponse: (s) => number((out) => c.gyre_spring_to_response(by(s), out)),
        springToDuration: (s) => {
            const [duration, bounce] = host.results(2, (d, b) => c.gyre_spring_to_duration(by(s), d, b));
            return { duration, bounce };
        },
        springSettlingTime: (s, displacement, velocity, tolerance) =>
            number((out) => c.gyre_spring_settling_time(by(s), displacement, velocity, tolerance, out)),
        springPeak: (s, displacement, velocity) => {
            const [time, peak] = host.results(2, (t, x) => c.gyre_spring_peak(by(s), displacement, velocity, t, x));
            return { time, peak };
        },
        springMatrixAt: (s, dt) => host.results(12, (out) => c.gyre_spring_matrix_at(by(s), dt, out)),
        smoothingMatrixAt: (halfLife, dt) => host.results(12, (out) => c.gyre_smoothing_matrix_at(halfLife, dt, out)),

        particleMatrixAt: (damping, dt) => host.results(8, (out) => c.gyre_particle_matrix_at(damping, dt, out)),
        dampingFromRetention: (fraction, interval) =>
            number((out) => c.gyre_damping_from_retention(fraction, interval, out)),
        dampingFromHalfLife: (halfLife) => number((out) => c.gyre_damping_from_half_life(halfLife, out)),
        dampingRestPosition: (position, velocity, damping) =>
            number((out) => c.gyre_damping_rest_position(position, velocity, damping, out)),
        dampingVelocityToRestAt: (position, where, damping) =>
            number((out) => c.gyre_damping_velocity_to_rest_at(position, where, damping, out)),
        dampingTimeToSpeed: (velocity, damping, speed) =>
            number((out) => c.gyre_damping_time_to_speed(velocity, damping, speed, out)),
        dampingTimeToPosition: (position, velocity, damping, where) =>
            number((out) => c.gyre_damping_time_to_position(position, velocity, damping, where, out)),
    };
};
