import assert from 'node:assert/strict';
import { test } from 'node:test';

import { GyreError, load } from 'gyre';

import { fewestLines } from './node_modules/gyre/lib/fewest_lines.js';

const gyre = await load();

/** The motion of a spring from 0 to 1 in double precision, in closed form. */
const exact = ({ angularFrequency: w, dampingRatio: z }, velocity) => {
    if (z < 1) {
        const wd = w * Math.sqrt(1 - z * z);
        return (t) => 1 + Math.exp(-z * w * t) * (-Math.cos(wd * t) + ((velocity - z * w) / wd) * Math.sin(wd * t));
    }
    if (z === 1) {
        return (t) => 1 + Math.exp(-w * t) * (-1 + (velocity - w) * t);
    }
    const root = Math.sqrt(z * z - 1);
    const [fast, slow] = [-w * (z + root), -w / (z + root)];
    const a = (velocity + slow) / (fast - slow); // of the fast part; the sum of both is -1
    return (t) => 1 + a * Math.exp(fast * t) + (-1 - a) * Math.exp(slow * t);
};

/** linear() as a browser parses it: [[value, fraction of the duration]] and its value at a fraction. */
const parse = (easing) => {
    const points = /^linear\((.*)\)$/
        .exec(easing)[1]
        .split(', ')
        .map((point) => point.split(' '));
    return points.map(([value, percent], i) => {
        assert.equal(percent === undefined, i === 0 || i === points.length - 1);
        return { value: Number(value), at: percent === undefined ? (i === 0 ? 0 : 1) : parseFloat(percent) / 100 };
    });
};
const valueAt = (points, at) => {
    const i = Math.max(
        1,
        points.findIndex((point) => point.at >= at),
    );
    const [a, b] = [points[i - 1], points[i]];
    return a.value + ((b.value - a.value) * (at - a.at)) / (b.at - a.at);
};

const springs = [0.1, 0.3, 0.7, 0.99, 1, 1.01, 2, 8].flatMap((ratio) =>
    [0.2, 1].map((response) => gyre.springFromResponse(response, ratio)),
);

test('css: never further from the spring than the tolerance', () => {
    for (const spring of springs) {
        for (const tolerance of [0.05, 0.01, 0.001]) {
            for (const velocity of [0, -3, 12]) {
                const { easing, duration } = gyre.cssLinear(spring, tolerance, { velocity });
                const points = parse(easing);
                const at = exact(spring, velocity);
                let worst = 0;
                for (let i = 0; i <= 20000; i++) {
                    worst = Math.max(worst, Math.abs(valueAt(points, i / 20000) - at(((i / 20000) * duration) / 1000)));
                }
                const name = JSON.stringify([spring, tolerance, velocity, worst]);
                assert.ok(worst <= tolerance, name);
                assert.ok(worst > 0.9 * tolerance, name); // otherwise fewer points would suffice
                for (let t = 1; t < 3; t += 0.001) {
                    // after the end it stays at 1
                    assert.ok(Math.abs(1 - at((t * duration) / 1000)) <= tolerance, name);
                }
                assert.deepEqual([points[0].value, points.at(-1).value], [0, 1]);
                assert.ok(
                    points.every((point, i) => i === 0 || point.at > points[i - 1].at),
                    name,
                );
            }
        }
    }
});

/**
 * The fewest lines, by exhaustive search: which values at gate i, in fine steps, k lines can reach. Their corners are
 * at gates, so they are never fewer than the minimum, and equal to it where gates are close to each other.
 */
const fewestByTrying = (gates, steps) => {
    const values = gates.map(({ low, high }) =>
        Array.from({ length: steps + 1 }, (_, step) => low + ((high - low) * step) / steps),
    );
    const reached = gates.map(() => new Array(steps + 1).fill(Infinity));
    reached[0].fill(0);
    for (let lines = 1; ; lines++) {
        for (let i = 0; i < gates.length - 1; i++) {
            for (let from = 0; from <= steps; from++) {
                if (reached[i][from] !== lines - 1) {
                    continue;
                }
                let [least, most] = [-Infinity, Infinity];
                for (let k = i + 1; k < gates.length && least <= most; k++) {
                    const time = gates[k].t - gates[i].t;
                    least = Math.max(least, (gates[k].low - values[i][from]) / time);
                    most = Math.min(most, (gates[k].high - values[i][from]) / time);
                    for (let to = 0; to <= steps; to++) {
                        const slope = (values[k][to] - values[i][from]) / time;
                        if (least - 1e-12 <= slope && slope <= most + 1e-12 && reached[k][to] > lines) {
                            reached[k][to] = lines;
                        }
                    }
                }
            }
        }
        if (reached.at(-1).some((count) => count <= lines)) {
            return lines;
        }
    }
};

/** Whether lines through corners pass all gates. */
const passes = (corners, gates) =>
    gates.every(({ t, low, high }) => {
        const i = Math.max(
            1,
            corners.findIndex((corner) => corner.t >= t - 1e-12),
        );
        const [a, b] = [corners[i - 1], corners[i]];
        const value = a.value + ((b.value - a.value) * (t - a.t)) / (b.t - a.t);
        return low - 1e-9 <= value && value <= high + 1e-9;
    });

test('css: as few lines as an exhaustive search finds', () => {
    let seed = 7;
    const random = () => {
        seed = (seed * 48271) % 2147483647;
        return seed / 2147483647;
    };
    let equal = 0;
    const rounds = 60;
    for (let round = 0; round < rounds; round++) {
        const [a, b, c] = [random(), 3 + 9 * random(), random() * 6];
        const half = 0.02 + 0.1 * random();
        const count = 70;
        const gates = Array.from({ length: count }, (_, i) => {
            const t = i / (count - 1);
            const value = Math.exp(-2 * a * t) * Math.sin(b * t + c);
            return { t, low: value - half, high: value + half };
        });
        gates[0].low = gates[0].high = (gates[0].low + gates[0].high) / 2;
        gates[count - 1].low = gates[count - 1].high = (gates[count - 1].low + gates[count - 1].high) / 2;
        const corners = fewestLines(gates);
        assert.ok(passes(corners, gates), `round ${round}`);
        const tried = fewestByTrying(gates, 16);
        assert.ok(corners.length - 1 <= tried, `round ${round}: ${corners.length - 1} lines, ${tried} do`);
        equal += corners.length - 1 === tried;
    }
    assert.ok(equal > rounds / 2, `only ${equal} of ${rounds}`); // otherwise the check means little
});

test('css: one line where one suffices', () => {
    assert.equal(parse(gyre.cssLinear(gyre.springFromResponse(1, 1), 0.9).easing).length, 2);
    const gates = [0, 1, 2, 3].map((t) => ({ t, low: t - (t % 3 && 0.1), high: t + (t % 3 && 0.1) }));
    assert.deepEqual(fewestLines(gates), [
        { t: 0, value: 0 },
        { t: 3, value: 3 },
    ]);
});

test('css: invalid arguments', () => {
    const spring = gyre.springFromResponse(1, 1);
    for (const refused of [
        () => gyre.cssLinear(spring, 0),
        () => gyre.cssLinear(spring, 1),
        () => gyre.cssLinear(spring),
        () => gyre.cssLinear({ ...spring, dampingRatio: 0 }, 0.1),
        () => gyre.cssLinear(spring, 0.1, { velocity: NaN }),
    ]) {
        assert.throws(refused, (error) => error instanceof GyreError && error.code === 'value', String(refused));
    }
    for (const refused of [
        () => gyre.cssLinear({ ...spring, dampingRatio: 1e-6 }, 0.01),
        () => gyre.cssLinear(spring, 1e-8),
    ]) {
        assert.throws(refused, (error) => error instanceof GyreError && error.code === 'range', String(refused));
    }
});
