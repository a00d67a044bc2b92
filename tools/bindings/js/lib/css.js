import { numberOf, optionsOf } from './check.js';
import { GyreError } from './error.js';
import { fewestLines } from './fewest_lines.js';

// Sampling, rounding of times and rounding of values may each use this part of the tolerance. The lines get the rest.
const PART = 1 / 96;
const MAX_SAMPLES = 20000; // enough for an easing of more than a thousand points

const digitsFor = (error) => Math.max(0, Math.ceil(-Math.log10(2 * error)));
const text = (value, digits) => String(Number(value.toFixed(digits)));

/** A spring's motion from 0 to 1 as a CSS easing, and its duration in ms. */
export const css = (host) => ({
    cssLinear(spring, tolerance, options = {}) {
        const { velocity = 0 } = optionsOf(options, 'options', ['velocity']);
        if (!(numberOf(tolerance, 'tolerance') > 0 && tolerance < 1)) {
            throw new GyreError('value', `tolerance must be between 0 and 1; got ${tolerance}`);
        }
        const address = () => host.spring(spring);
        const half = tolerance * (1 - 3 * PART);
        const [end] = host.results(1, (out) =>
            host.kernels.gyre_spring_settling_time(address(), -1, velocity, half, out),
        );
        const { angularFrequency: w, dampingRatio: z } = spring;

        // Displacement and velocity at a time. Matrix entries are sums with their low parts.
        const stateAt = (t) => {
            const m = host.results(16, (out) => host.kernels.gyre_spring_matrix_at(address(), t, out));
            const entry = (i) => m[i] + m[6 + i];
            return [velocity * entry(1) - entry(0), velocity * entry(3) - entry(2)];
        };
        const gates = [{ t: 0, low: 0, high: 0 }];
        for (let t = 0, [x, v] = stateAt(0); t < end;) {
            // A chord over a time h differs from the curve by at most h^2/8 times the acceleration a. The acceleration
            // also obeys the spring's equation, so a^2 + (a'/w)^2 never grows.
            const a = -w * (2 * z * v + w * x);
            const change = -w * (2 * z * a + w * v);
            t = Math.min(Math.fround(t + Math.sqrt((8 * PART * tolerance) / Math.hypot(a, change / w))), end);
            [x, v] = stateAt(t);
            if (gates.length === MAX_SAMPLES) {
                throw new GyreError('range', 'the spring oscillates too many times for an easing');
            }
            gates.push({ t, low: 1 + x - half, high: 1 + x + half });
        }
        gates[gates.length - 1] = { t: end, low: 1, high: 1 };

        const corners = fewestLines(gates);
        const steepest = Math.max(
            ...corners.slice(1).map(({ t, value }, i) => Math.abs((value - corners[i].value) / (t - corners[i].t))),
        );
        const valueDigits = digitsFor(PART * tolerance);
        const percentDigits = digitsFor((100 * PART * tolerance) / (steepest * end));
        const points = corners
            .slice(1, -1)
            .map(({ t, value }) => `${text(value, valueDigits)} ${text((100 * t) / end, percentDigits)}%`);
        return { easing: `linear(${['0', ...points, '1'].join(', ')})`, duration: 1000 * end };
    },
});
