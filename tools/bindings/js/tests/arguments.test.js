import assert from 'node:assert/strict';
import { test } from 'node:test';

import { GyreError, load } from 'gyre';

const gyre = await load();
const spring = gyre.springFromResponse(0.5, 0.8);
const matrix = gyre.springMatrixAt(spring, 1 / 60);
const statuses = { null: -1, range: -2, value: -3 };

/** Checks that a call throws, with the code and its status, and has changed no array. */
const refuses = (code, call, ...untouched) => {
    const before = untouched.map((array) => [...array]);
    assert.throws(call, (error) => {
        assert.ok(error instanceof GyreError && error instanceof Error, `${call}: ${error}`);
        assert.deepEqual(
            [error.code, error.status, error.name],
            [code, statuses[code], 'GyreError'],
            `${call}: ${error}`,
        );
        assert.ok(error.message.length > 10);
        return true;
    });
    assert.deepEqual(
        untouched.map((array) => [...array]),
        before,
    );
};

test('arguments: an error names the function that C refused', () => {
    refuses('value', () => gyre.springFromResponse(-1, 1));
    refuses('value', () => gyre.springFromResponse());
    refuses('range', () => gyre.springFromResponse(1e-40, 1));
    refuses('value', () => gyre.springSettlingTime({ angularFrequency: 1, dampingRatio: 0 }, 1, 0, 0.1));
    assert.throws(() => gyre.dampingFromHalfLife(0), /gyre_damping_from_half_life/);
});

test('arguments: ranges of elements', () => {
    const springs = gyre.springs(4, { position: 1 });
    for (const [begin, end] of [
        [0, 5],
        [3, 2],
        [-1, 2],
        [0, 2.5],
        [NaN, 2],
        [0, 2 ** 32 + 4],
        ['0', 4],
        [0, Infinity],
    ]) {
        refuses('range', () => springs.step(matrix, begin, end), springs.position, springs.velocity);
    }
    springs.step(matrix, 2, 2);
    springs.step(matrix, 1, 3);
    assert.deepEqual(
        [...springs.position].map((position) => position === 1),
        [true, false, false, true],
    );
});

test('arguments: matrices', () => {
    const springs = gyre.springs(4, { position: 1 });
    for (const wrong of [undefined, null, 5, [], gyre.particleMatrixAt(1, 1), matrix.subarray(1)]) {
        refuses('value', () => springs.step(wrong), springs.position);
    }
    refuses('value', () => springs.step(Array(16).fill(NaN)), springs.position);
    springs.step([...matrix]);
    refuses('value', () => gyre.particles(1).step(matrix));
});

test('arguments: arrays that are not in the memory, of another kind, or too short', () => {
    const springs = gyre.springs(4);
    const short = gyre.float32(3).view;
    const right = gyre.float32(4).view;
    const index = gyre.uint16(4).view;
    refuses('value', () => gyre.exp(new Float32Array(4), right), right);
    refuses('value', () => gyre.exp([1, 2], right), right);
    refuses('value', () => gyre.exp(gyre.uint32(4).view, right), right);
    refuses('value', () => gyre.exp(gyre.float32(4), right), right); // the block, not its view
    refuses('range', () => gyre.exp(right, short), short);
    refuses('value', () => springs.stepPalette(right, right));
    refuses('range', () => springs.stepPalette(right, gyre.uint16(3).view));
    refuses('value', () => springs.stepEach({ angularFrequency: right }, 1 / 60));
    refuses('range', () => springs.stepEach({ angularFrequency: right, dampingRatio: short }, 1 / 60));
    refuses('range', () => springs.stepEach({ angularFrequency: right, dampingRatio: right, follow: short }, 1 / 60));
    refuses('value', () =>
        springs.stepEach({ angularFrequency: right, dampingRatio: right, timeScale: index }, 1 / 60),
    );
    refuses('value', () => gyre.hash(right));
    refuses('value', () => gyre.rotationMatrix([right, right], []));
    refuses('range', () => gyre.gather(right, 8, [right]), right);
    refuses('range', () => gyre.scatter([right], right, 8), right);
    refuses('value', () => gyre.gather(right, 6, [short], 0, 2), short);
    refuses('range', () => gyre.bodies(2).transforms(gyre.float32(23).view));
    refuses('range', () => gyre.findAwake(springs.awake, gyre.uint32(3).view));
    refuses('range', () => gyre.hash(Array(5000).fill(right)));
});

test('arguments: subarrays are passed by their own address', () => {
    const { view } = gyre.float32(8);
    view.set([0, 1, 2, 3, 4, 5, 6, 7]);
    gyre.interpolate(view.subarray(0, 2), view.subarray(2, 4), 0.5, view.subarray(6));
    assert.deepEqual([...view], [0, 1, 2, 3, 4, 5, 1, 2]);
});

test('arguments: values of batches', () => {
    refuses('value', () => gyre.springs(-1));
    refuses('value', () => gyre.springs(1.5));
    refuses('value', () => gyre.springs('3'));
    refuses('value', () => gyre.float32(-1));
    refuses('value', () => gyre.springs(3, { taget: true }));
    refuses('value', () => gyre.springs(3, { count: 5 }));
    refuses('range', () => gyre.springs(3, { target: [1, 2] }));
    refuses('range', () => gyre.bodies(3, { inertia: [1, 2] }));
    refuses('value', () => gyre.springs(3, { target: 'abcd' }));
    refuses('value', () => gyre.flings(3, { spring: { frequency: 3 } }));

    const springs = gyre.springs(2, {
        target: [3, 4],
        lower: -1,
        upper: true,
        period: 5,
        stopAtTarget: true,
        awake: 0,
    });
    assert.deepEqual([...springs.target, ...springs.lower, ...springs.upper], [3, 4, -1, -1, 0, 0]);
    assert.deepEqual([springs.period, springs.stopAtTarget, springs.skipAsleep, springs.bounce], [5, true, false, 0]);
    assert.deepEqual([...springs.awake, springs.positionLow, springs.count], [0, 0, null, 2]);
    assert.equal(gyre.springs(2, { target: false }).target, null);
    assert.equal(gyre.springs(0).position.length, 0);

    const bodies = gyre.bodies(2, { inertia: [1, [2, 3], 4], torque: 5, torqueInBody: true });
    assert.deepEqual(
        bodies.inertia.map((axis) => [...axis]),
        [
            [1, 1],
            [2, 3],
            [4, 4],
        ],
    );
    assert.deepEqual(
        bodies.torque.map((axis) => [...axis]),
        [
            [5, 5],
            [5, 5],
            [5, 5],
        ],
    );
    assert.deepEqual(
        bodies.orientation.map((axis) => axis[1]),
        [0, 0, 0, 1],
    );
    assert.deepEqual([bodies.torqueInBody, bodies.momentumLow, Object.isFrozen(bodies.inertia)], [true, null, true]);
    bodies.torqueInBody = false;
    assert.equal(bodies.torqueInBody, false);

    const flings = gyre.flings(1, { spring: { angularFrequency: 3, dampingRatio: 0.5 }, damping: 2 });
    assert.deepEqual(flings.spring, { angularFrequency: 3, dampingRatio: 0.5, follow: 0 });
    flings.spring = { ...flings.spring, follow: 1 };
    flings.spring = { angularFrequency: 4, dampingRatio: 1 };
    assert.deepEqual(flings.spring, { angularFrequency: 4, dampingRatio: 1, follow: 0 });
    assert.equal(flings.awake[0], 1);
});

test('arguments: flings with low parts end where they are told', () => {
    const flings = gyre.flings(3, {
        position: [0, 1e7, 0],
        velocity: [300, 20, 300],
        positionLow: true,
        velocityLow: true,
        restAt: [99, NaN, NaN],
        damping: 3,
        spring: { angularFrequency: 10, dampingRatio: 1 },
        restDistance: 0.25,
        restSpeed: 0.5,
    });
    assert.equal(gyre.flings(1).restAt, null);
    flings.velocity[0] = gyre.dampingVelocityToRestAt(0, 99, 3);
    let frames = 0;
    for (; flings.awake.some((flag) => flag) && frames < 1000; frames++) {
        flings.step(1 / 60);
    }
    assert.ok(frames < 1000);
    assert.equal(flings.position[0], 99);
    assert.ok(Math.abs(flings.position[1] + flings.positionLow[1] - (1e7 + 20 / 3)) < 0.5);
    assert.ok(Math.abs(flings.position[2] - 100) < 0.5);
});

test('arguments: matrices have the spring or damping and the time at their ends', () => {
    const { angularFrequency, dampingRatio, follow } = spring;
    assert.deepEqual([...matrix.subarray(12)], [angularFrequency, dampingRatio, follow, Math.fround(1 / 60)]);
    assert.deepEqual([...gyre.particleMatrixAt(0.7, 1 / 60).subarray(8)], [0.7, 1 / 60].map(Math.fround));
    assert.deepEqual([gyre.smoothingMatrixAt(1, 1).length, gyre.smoothingMatrixAt(1, 1)[15]], [16, 0]);
});

test('arguments: INCOMPLETE is not an error', () => {
    const springs = gyre.springs(2, { position: 1 });
    const palette = gyre.float32(32).view;
    palette.set(matrix);
    palette.set(matrix, 16);
    const index = gyre.uint16(2).view;
    assert.equal(springs.stepPalette(palette, index), true);
    index[1] = 2;
    assert.equal(springs.stepPalette(palette, index), false);
    assert.ok(springs.position[0] < 1 && Number.isNaN(springs.position[1]));

    const bodies = gyre.bodies(2, { inertia: [1, 2, [3, -3]], momentum: [1, 1, 0] });
    assert.equal(bodies.step(1 / 60), false);
    assert.deepEqual([bodies.report.unconverged, Number.isNaN(bodies.orientation[0][1])], [1, true]);
    assert.equal(bodies.step(1 / 60, {}, 0, 1), true);
});

test('arguments: solvers and their reports', () => {
    const bodies = gyre.bodies(2, { inertia: [1, 2, 3], momentum: [0.1, 2, 0.1] });
    refuses('value', () => bodies.step(0.1, { method: 'euler' }), bodies.orientation[1]);
    refuses('value', () => bodies.step(0.1, { order: 7 }), bodies.orientation[1]);
    refuses('value', () => bodies.step(0.1, { order: 6.5 }), bodies.orientation[1]);
    refuses('value', () => bodies.step(0.1, { speed: 1 }), bodies.orientation[1]);
    bodies.step(0.1, { method: 'midpoint', substeps: 5, fixedPoint: true, tolerance: 1e-5, maxIterations: 20 });
    assert.equal(bodies.report.substeps, 10);
    assert.ok(bodies.report.iterations > 20);
    bodies.step(0.1, { substeps: 7, maxSubsteps: 3, order: 8 });
    assert.equal(bodies.report.substeps, 24);
    assert.ok(bodies.report.worstResidual > 0 && bodies.report.worstResidual < 1e-4);
    const satellite = gyre.bodies(1, { inertia: 1, momentum: [0, 0, 7.2921e-5], orientation: [0, 0, 0.6, 0.8] });
    satellite.step(1e-3);
    assert.equal(satellite.report.lostTurns, 1);
});

test('arguments: kicks and drifts equal a step', () => {
    const values = { inertia: [1, 2, 3], momentum: [0.1, 2, 0.1], torque: [1, 0, 0] };
    const [whole, parts, free] = [
        gyre.bodies(1, values),
        gyre.bodies(1, values),
        gyre.bodies(1, { ...values, torque: false }),
    ];
    whole.step(0.1);
    parts.kick(0.05);
    parts.drift(0.1);
    assert.equal(parts.torque[0][0], 1);
    parts.kick(0.05);
    for (const name of ['momentum', 'orientation']) {
        whole[name].forEach((axis, i) => assert.ok(Math.abs(axis[0] - parts[name][i][0]) < 1e-6));
    }
    free.drift(0.1);
    assert.equal(free.momentum[0][0], Math.fround(0.1));
});

test('arguments: results of functions of bodies', () => {
    const bodies = gyre.bodies(2, { inertia: [1, 2, 4] });
    const vectors = () => [0, 1, 2].map(() => gyre.float32(2).view);
    const [omega, found] = [vectors(), vectors()];
    omega.forEach((axis, i) => axis.fill(i + 1));
    bodies.setAngularVelocity(omega);
    assert.deepEqual(
        bodies.momentum.map((axis) => axis[1]),
        [1, 4, 12],
    );
    bodies.angularVelocity(found);
    assert.deepEqual(
        found.map((axis) => axis[1]),
        [1, 2, 3],
    );
    const energy = gyre.float32(2).view;
    bodies.energy(energy);
    assert.deepEqual([...energy], [22.5, 22.5]);

    const [x, rows] = [gyre.float32(2).view, gyre.float32(32).view];
    x.set([5, 6]);
    bodies.transforms(rows, { x, y: x, z: x, strideBytes: 64 });
    assert.deepEqual([...rows.subarray(16, 28)], [1, 0, 0, 6, 0, 1, 0, 6, 0, 0, 1, 6]);
    assert.deepEqual([...gyre.inertiaPrincipal([1, 2, 3, 0, 0, 0]).moments], [1, 2, 3]);
    assert.deepEqual([...gyre.inertiaPrincipal([1, 2, 3, 0, 0, 0]).axes], [0, 0, 0, 1]);
    assert.deepEqual([...gyre.inertiaNearest([1, 1, 5, 0, 0, 0]).nearest], [2, 2, 4, 0, 0, 0]);
    assert.equal(gyre.inertiaNearest([1, 1, 1, 0, 0, 0]).excess, -1);
    const kinds = [
        [1, 2, 3],
        [NaN, 1, 1],
        [-1, 1, 1],
        [0, 1, 1],
        [1, 1, 3],
    ].map((diagonal) => gyre.inertiaCheck([...diagonal, 0, 0, 0]));
    assert.deepEqual(kinds, ['fine', 'not-finite', 'negative', 'thin', 'impossible']);
});

test('arguments: results of functions of numbers', () => {
    const near = (got, wanted) =>
        assert.ok(Math.abs(got - wanted) <= 1e-6 * Math.abs(wanted), `${got}, wanted ${wanted}`);
    const w = (2 * Math.PI) / 0.5;
    near(spring.angularFrequency, w);
    near(gyre.springToResponse(spring), 0.5);
    const { duration, bounce } = gyre.springToDuration(spring);
    near(duration, 0.5);
    near(bounce, 0.2);
    const { stiffness, damping } = gyre.springToStiffness(spring, 2);
    near(stiffness, 2 * w * w);
    near(damping, 2 * 0.8 * w * 2);
    near(gyre.springFromStiffness(2, stiffness, damping).dampingRatio, 0.8);
    const { time, peak } = gyre.springPeak(spring, 1, 0);
    near(time, Math.PI / (w * 0.6));
    near(peak, -Math.exp((-0.8 * Math.PI) / 0.6));
    near(gyre.smoothingMatrixAt(1, 1)[0], 0.5);
    near(gyre.dampingFromRetention(0.5, 2), Math.LN2 / 2);
    near(gyre.dampingRestPosition(1, 4, 2), 3);
    near(gyre.dampingVelocityToRestAt(1, 3, 2), 4);
    near(gyre.dampingTimeToSpeed(4, 2, 1), Math.log(4) / 2);
    near(gyre.dampingTimeToPosition(1, 4, 2, 2), Math.LN2 / 2);
    near(gyre.rubberBandOffset(-300, 100, 1), -75);
    near(gyre.rubberBandDistance(-75, 100, 1), -300);
    assert.equal(gyre.version, '0.1.0');
});

test('arguments: results of functions of arrays', () => {
    const arrays = (count) => Array.from({ length: count }, () => gyre.float32(3).view);
    const [structures, x, y] = [gyre.float32(9).view, ...arrays(2)];
    structures.set([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    gyre.gather(structures.subarray(1), 12, [x, y]);
    assert.deepEqual([...x, ...y], [2, 5, 8, 3, 6, 9]);
    gyre.scatter([y, x], structures, 12, 1);
    assert.deepEqual([...structures], [1, 2, 3, 6, 5, 6, 9, 8, 9]);
    gyre.limitLength([x, y], 5, 0, 1);
    assert.deepEqual([...x], [2, 5, 8]);
    gyre.limitLength([x, y], 0);
    assert.deepEqual([...x, ...y], [0, 0, 0, 0, 0, 0]);
    y.set([4, 0, 0]);
    gyre.decelerate([x], [y], 2, 1);
    assert.deepEqual([...x, ...y], [3, 0, 0, 2, 0, 0]);
    assert.throws(() => gyre.decelerate([x], [x, y], 2, 1), { name: 'GyreError' });
    const [still, goal, limitedBefore, limited] = Array.from({ length: 4 }, () => [gyre.float32(3).view]);
    goal[0].set([100, -100, 3]);
    const critical = { angularFrequency: 10, dampingRatio: 1 };
    gyre.limitTargets(still, still, goal, goal, critical, 20, 0, limitedBefore, limited);
    assert.deepEqual([...limitedBefore[0], ...limited[0]], [4, -4, 3, 4, -4, 3]);
    y.fill(0);
    x.set([350, 10, 0]);
    gyre.turnTargets(x, y, 360);
    assert.deepEqual([...x], [-10, 10, 0]);
    const [awake, indices] = [gyre.uint8(3).view, gyre.uint32(3).view];
    awake.set([1, 0, 1]);
    assert.equal(gyre.findAwake(awake, indices), 2);
    assert.deepEqual([...indices.subarray(0, 2)], [0, 2]);
    const whole = gyre.hash([x, y]);
    assert.equal(typeof whole, 'bigint');
    assert.equal(BigInt.asUintN(64, gyre.hash([x, y], 0, 1) + gyre.hash([x, y], 1)), whole);

    const [v, q, product, back] = [arrays(3), arrays(4), arrays(4), arrays(3)];
    v[2].set([0.5, 1, 1.5]);
    gyre.rotationQuaternion(v, q);
    gyre.rotationProduct(q, q, product);
    gyre.rotationVector(product, back);
    back[2].forEach((angle, i) => assert.ok(Math.abs(angle - 2 * v[2][i]) < 1e-6));
    gyre.rotationBetween(q, product, 0.5, product);
    gyre.rotationVector(product, back);
    back[2].forEach((angle, i) => assert.ok(Math.abs(angle - 1.5 * v[2][i]) < 1e-6));
    const turned = arrays(3);
    turned[0].fill(1);
    gyre.rotationApply(q, turned, turned);
    turned[1].forEach((y, i) => assert.ok(Math.abs(y - Math.sin(v[2][i])) < 1e-6));
    x.set([0, 1, 2]);
    gyre.sincos(x, y, x);
    assert.deepEqual(
        [...y, ...x].map((value) => value.toFixed(5)),
        [0, 1, 2]
            .map(Math.sin)
            .concat([0, 1, 2].map(Math.cos))
            .map((value) => value.toFixed(5)),
    );
});
