// The frames of tests/guarantees/frames.c with the package: the states must have the same hashes as in C.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { load } from 'gyre';

const COUNT = 100;
const FRAMES = 120;
const DT = 1 / 60;

const gyre = await load();
const wanted = new Map(
    [
        ...readFileSync(`${process.env.GYRE_SOURCE}/tests/data/frame_hashes.inc`, 'utf8').matchAll(
            /^FRAMES_HASH\((\w+), (0x[0-9a-f]{16})\)$/gm,
        ),
    ].map(([, name, hash]) => [name, BigInt(hash)]),
);

const column = (at, scale = 1) =>
    Float32Array.from({ length: COUNT }, (_, i) => (((i * 7919 + at * 104729) % 2001) / 8 - 125) * scale);
const columns = (...ats) => ats.map((at) => column(at));
const byIndex = (value) => Float32Array.from({ length: COUNT }, (_, i) => value(i));
/** The same in Gyre's memory. */
const array = (values, block = gyre.float32(COUNT)) => {
    block.view.set(values);
    return block.view;
};
const frames = (step) => {
    for (let frame = 0; frame < FRAMES; frame++) {
        step();
    }
};
const matrixOf = (response, ratio) => gyre.springMatrixAt(gyre.springFromResponse(response, ratio), DT);
const springsOf = (values) =>
    gyre.springs(COUNT, { position: column(0), velocity: column(1), target: column(2), ...values });
const orient = (at, quaternions) =>
    gyre.rotationQuaternion(
        [0, 1, 2].map((component) => array(column(at + component, 1 / 64))),
        quaternions,
    );

const kinds = {
    springs() {
        const springs = springsOf({
            restDistance: 0.5,
            restSpeed: 0.5,
            skipAsleep: true,
            upper: column(3),
            bounce: 0.5,
        });
        frames(() => springs.step(matrixOf(0.5, 0.8)));
        return [springs.position, springs.velocity];
    },
    springs_palette() {
        const springs = springsOf({ period: 360 });
        const matrices = [matrixOf(0.5, 0.2), matrixOf(1, 1), matrixOf(2, 3)];
        const palette = array(
            matrices.flatMap((matrix) => [...matrix]),
            gyre.float32(48),
        );
        const index = array(
            byIndex((i) => i % 3),
            gyre.uint16(COUNT),
        );
        frames(() => assert.equal(springs.stepPalette(palette, index), true));
        return [springs.position, springs.velocity];
    },
    springs_each() {
        const springs = springsOf({ targetBefore: column(3) });
        const parameters = {
            angularFrequency: array(byIndex((i) => 1 + (i % 20))),
            dampingRatio: array(byIndex((i) => (i % 9) / 4)),
            follow: array(byIndex((i) => i % 2)),
            timeScale: array(byIndex((i) => (1 + (i % 3)) / 2)),
        };
        frames(() => springs.stepEach(parameters, DT));
        return [springs.position, springs.velocity];
    },
    springs_at() {
        const springs = springsOf();
        springs.at(
            gyre.springFromResponse(0.75, 0.5),
            array(byIndex((i) => i / 32)),
            springs.position,
            springs.velocity,
        );
        return [springs.position, springs.velocity];
    },
    springs_low_parts() {
        const springs = springsOf({ positionLow: true, velocityLow: true });
        frames(() => springs.step(matrixOf(0.5, 0.8)));
        return [springs.position, springs.velocity, springs.target, springs.positionLow, springs.velocityLow];
    },
    particles() {
        const particles = gyre.particles(COUNT, {
            position: column(0),
            velocity: column(1),
            acceleration: column(2),
            lower: column(3),
            bounce: 0.75,
        });
        const damping = array(byIndex((i) => (i % 8) / 4));
        frames(() => {
            particles.step(gyre.particleMatrixAt(0.5, DT));
            particles.stepEach({ damping }, DT);
        });
        return [particles.position, particles.velocity];
    },
    flings() {
        const flings = gyre.flings(COUNT, {
            position: column(0),
            velocity: column(1),
            lower: column(2),
            upper: column(3),
            damping: 2,
            spring: gyre.springFromResponse(0.5, 0.75),
            restDistance: 0.5,
            restSpeed: 1,
        });
        frames(() => flings.step(DT));
        return [flings.position, flings.velocity];
    },
    orientation_springs() {
        const springs = gyre.orientationSprings(COUNT, {
            angularVelocity: columns(4, 5, 6),
            restAngle: 0.01,
            restSpeed: 0.01,
        });
        orient(11, springs.orientation);
        orient(14, springs.target);
        frames(() => springs.step(matrixOf(0.5, 0.8), DT));
        return [...springs.orientation, ...springs.angularVelocity];
    },
    bone_chains() {
        const bones = [0.5, 1, 1.5].map((stiffness) =>
            gyre.boneFromVrm(stiffness, stiffness / 2, 0.5, 0.125, 60, { tail: [0, -0.125, 0], radius: 1 / 64 }),
        );
        bones[1].limit = 0.75;
        bones[2].hinge = [1, 0, 0];
        const levels = [...Array(25).fill(3), ...Array(10).fill(2), ...Array(5).fill(1)];
        const ofChains = (at, scale) => [0, 1, 2].map((k) => column(at + k, scale).subarray(0, levels.length));
        const plus = (a, b) => a.map((values, k) => values.map((value, i) => value + b[k][i]));
        const positions = [ofChains(21, 1 / 64)];
        positions.push(plus(positions[0], ofChains(24, 1 / 1024)));
        const centre = plus(positions[0], ofChains(33, 1 / 512));
        const radius = (offset) => byIndex((i) => (((i + offset) % 4) - 1) / 16).subarray(0, levels.length);
        const chains = gyre.boneChains(levels.length, {
            bones,
            levels,
            parentBefore: true,
            positionBefore: true,
            gravity: ofChains(27, 1 / 16),
            wind: ofChains(30, 1 / 64),
            colliders: [
                { position: centre, radius: radius(0) },
                { kind: 'capsule', position: centre, end: positions[1], radius: radius(1) },
            ],
            restAngle: 0.01,
            restSpeed: 0.01,
            skipAsleep: true,
        });
        const parents = [ofChains(15), plus(ofChains(15), ofChains(18, 1 / 16))].map((vectors) => {
            const turned = vectors.map((values) => array(values.map((value) => value / 64)));
            const quaternions = [0, 1, 2, 3].map(() => gyre.float32(COUNT).view);
            gyre.rotationQuaternion(turned, quaternions);
            return quaternions.map((values) => values.subarray(0, levels.length));
        });
        const put = (arrays, values) => arrays.forEach((each, k) => each.set(values[k]));
        for (let frame = 0; frame <= FRAMES; frame++) {
            const now = frame < FRAMES / 2 ? frame % 2 : 0;
            const before = frame > 0 && frame <= FRAMES / 2 ? 1 - (frame % 2) : 0;
            put(chains.position, positions[now]);
            put(chains.parent, parents[now]);
            put(chains.positionBefore, positions[before]);
            put(chains.parentBefore, parents[before]);
            assert.equal(frame === 0 ? chains.reset(0) : chains.step(DT), true);
        }
        return [...chains.orientation, ...chains.velocity];
    },
};
for (const method of ['moser-veselov', 'midpoint', 'object-trapezoid', 'trapezoid', 'explicit-euler']) {
    kinds[method === 'moser-veselov' ? 'bodies' : `bodies_${method.replace('-', '_')}`] = () => {
        const bodies = gyre.bodies(COUNT, {
            momentum: [4, 5, 6].map((at) => column(at, 1 / 8)),
            inertia: [0, 1, 2].map((component) => byIndex((i) => 4 + ((i + component) % 3))),
            torque: [10, 11, 12].map((at) => column(at, 1 / 64)),
            angularDamping: 0.25,
        });
        orient(13, bodies.orientation);
        frames(() => assert.equal(bodies.step(DT, { method }), true));
        return [...bodies.orientation, ...bodies.momentum];
    };
}

for (const [kind, run] of Object.entries(kinds)) {
    test(`${kind}: the hash of C`, () => {
        const states = run();
        assert.ok(states.every((array) => array.every(Number.isFinite)));
        assert.equal(gyre.hash(states), wanted.get(kind));
    });
}

test('frames: no kind is left out', () => {
    assert.deepEqual(Object.keys(kinds).sort(), [...wanted.keys()].sort());
});
