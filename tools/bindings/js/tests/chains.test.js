import assert from 'node:assert/strict';
import { test } from 'node:test';

import { GyreError, load } from 'gyre';
import { load as loadUi } from 'gyre/ui';

const gyre = await load();
const bone = { tail: [0, -0.1, 0], stiffness: 400, damping: 24, drag: 8, gravity: 1 };
const refuses = (code, pattern, call) =>
    assert.throws(call, (error) => error instanceof GyreError && error.code === code && pattern.test(error.message));
const near = (got, wanted, allowed) =>
    wanted.forEach((value, k) => assert.ok(Math.abs(got[k] - value) <= allowed, `${got}, wanted ${wanted}`));
const at = (arrays, i) => arrays.map((array) => array[i]);

/** Where a tail along -y points. */
const directionOf = ([x, y, z, w]) => [2 * (z * w - x * y), 2 * (x * x + z * z) - 1, -2 * (y * z + x * w)];

// tests/chain/known.c has these answers too.
const half = Math.SQRT1_2;
for (const { name, values, root = {}, dt, direction, velocity } of [
    {
        name: 'let go at x',
        values: { orientation: [0, 0, half, half], velocity: [0, 0, 0.5] },
        dt: 0.1,
        direction: [0.3493554361, -0.9246671717, 0.1514641899],
        velocity: [-1.1491990165, -0.4606800047, -0.161732971],
    },
    {
        name: 'gravity and wind',
        values: { gravity: [3, 0, 0], wind: [0, 0, 1] },
        dt: 0.05,
        direction: [0.0242701948, -0.9976082458, 0.0647205195],
        velocity: [0.0738720769, 0.0145771926, 0.196992205],
    },
    {
        name: 'a moving head',
        values: { positionBefore: true },
        root: { position: [0.04, 0, 0.02] },
        dt: 0.02,
        direction: [-0.3305079712, -0.929223117, -0.1652539856],
        velocity: [0.7188045573, 0.5696227563, 0.3594022787],
    },
    {
        name: 'a turning parent',
        values: { parentBefore: [0, 0, 0, 1] },
        root: { parent: [0.1484423755, 0, 0.1979231674, 0.9689124217] },
        dt: 0.05,
        direction: [0.1511573489, -0.9819873471, -0.1133680117],
        velocity: [0.5638678197, 0.1356190539, -0.4229008648],
    },
]) {
    test(`chains: ${name}, as known`, () => {
        const chains = gyre.boneChains(3, { bones: [bone], ...values });
        for (const [member, numbers] of Object.entries(root)) {
            chains[member].forEach((array, k) => array.fill(numbers[k]));
        }
        assert.equal(chains.step(dt), true);
        for (let i = 0; i < 3; i++) {
            near(directionOf(at(chains.orientation, i)), direction, 1e-6);
            near(at(chains.velocity, i), velocity, 2e-6);
        }
    });
}

test('chains: tails and local rotations at rest', () => {
    const turned = { ...bone, rest: [0, 0, half, half], gravity: 0 };
    const chains = gyre.boneChains(2, { bones: [bone, turned], tail: true, local: true, position: [0, [1, 2], 0] });
    assert.equal(chains.reset(0), true);
    near(at(chains.tail, 1), [0, 1.9, 0], 1e-6);
    near(at(chains.tail, 3), [0.1, 1.9, 0], 1e-6);
    near(at(chains.local, 3), turned.rest, 1e-7);
});

test('chains: levels of chains of different lengths', () => {
    const chains = gyre.boneChains(4, { bones: [bone, { ...bone, tail: [0.2, 0, 0] }], levels: [3, 2, 2, 0], bone: 1 });
    assert.deepEqual([chains.levels, [...chains.levelBegin]], [3, [0, 3, 6, 7]]);
    assert.deepEqual([chains.orientation[3].length, chains.position[0].length, chains.bone.length], [7, 4, 7]);
    assert.ok(chains.bone.every((entry) => entry === 1));
    assert.deepEqual([...gyre.boneChains(3, { bones: [bone, bone] }).levelBegin], [0, 3, 6]);
    assert.deepEqual([...gyre.boneChains(2, { bones: [bone, bone], levels: 1 }).levelBegin], [0, 2]);
    const none = gyre.boneChains(0, { bones: [bone] });
    assert.equal(none.step(1), true);

    const short = gyre.boneChains(3, { bones: [bone], levels: [2, 1, 1], bone: [0, 0, 0, 0], tail: true });
    short.reset(0);
    near(at(short.tail, 3), [0, -0.2, 0], 1e-7); // the second bone of the first chain
});

test('chains: ranges are of chains', () => {
    const chains = gyre.boneChains(3, { bones: [bone, bone], gravity: [1, 0, 0] });
    chains.step(0.1, 1, 2);
    const moved = [...chains.velocity[0]].map((speed) => speed !== 0);
    assert.deepEqual(moved, [false, true, false, false, true, false]);
    refuses('range', /begin/, () => chains.step(0.1, 0, 4));
    refuses('range', /begin/, () => chains.reset(0, 2, 1));
});

test('chains: the palette is copied', () => {
    const own = { ...bone, rest: [0, 0, 1, 0], radius: 0.5, loadDamping: 2, limit: 1, hinge: [0, 0, 1] };
    const chains = gyre.boneChains(1, { bones: [{}, own] });
    const rounded = (value) => (typeof value === 'number' ? Math.fround(value) : value.map(Math.fround));
    const wanted = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, rounded(value)]));
    assert.deepEqual({ ...chains.bones[1] }, { ...chains.bones[1], ...wanted });
    assert.deepEqual(
        [chains.bones[0].rest, chains.bones[0].tail],
        [
            [0, 0, 0, 1],
            [0, 0, 0],
        ],
    );
    chains.bones = chains.bones.map((each) => ({ ...each, radius: 3 }));
    assert.deepEqual([chains.bones[0].radius, chains.bones[1].radius, chains.bones[1].limit], [3, 3, 1]);
    refuses('range', /expected 2, got 1/, () => (chains.bones = [bone]));
    refuses('value', /unknown property 'lenght'/, () => (chains.bones = [{ lenght: 1 }, {}]));
});

test('chains: bones from springs and from VRM', () => {
    const model = { tail: [0, 1, 0], rest: [1, 0, 0, 0], gravity: 5 };
    const spring = gyre.boneFromSpring({ angularFrequency: 20, dampingRatio: 0.5, follow: 0.25 }, model);
    near(
        [spring.stiffness, spring.damping, spring.drag, spring.loadDamping, spring.gravity],
        [400, 20, 15, 0, 5],
        1e-4,
    );
    assert.deepEqual([spring.tail, spring.rest], [model.tail, model.rest]);
    const vrm = gyre.boneFromVrm(1, 0.4, 0, 0.1, 60, model); // as in tests/chain/bones.c
    near([vrm.stiffness, vrm.damping, vrm.drag, vrm.gravity], [715.7885789, 43.48945025, 28.63154316, 0], 1e-4);
    near([vrm.loadDamping], [0.0111764846], 1e-9);
    assert.deepEqual(gyre.boneFromVrm(1, 0.4, 0, 0.1, 60).rest, [0, 0, 0, 1]);
    refuses('value', /gyre_bone_from_vrm/, () => gyre.boneFromVrm(1, 1.5, 0, 0.1, 60));
    refuses('value', /gyre_bone_from_spring/, () => gyre.boneFromSpring({ angularFrequency: -1, dampingRatio: 1 }));
    refuses('value', /unknown property 'mass'/, () => gyre.boneFromVrm(1, 0.4, 0, 0.1, 60, { mass: 1 }));
});

test('chains: colliders of each kind hold tails off, where a chain has one', () => {
    const pulls = (collider) => {
        const chains = gyre.boneChains(2, { bones: [{ ...bone, radius: 0.01 }], tail: true, colliders: [collider] });
        chains.reset(0);
        return [0, 1].map((i) => at(chains.tail, i));
    };
    const distance = (a, b) => Math.hypot(...a.map((value, k) => value - b[k]));
    const rest = [0, -0.1, 0];
    const [held, free] = pulls({ position: [0.01, -0.1, 0], radius: [0.05, -1] });
    assert.ok(Math.abs(distance(held, [0.01, -0.1, 0]) - 0.06) < 1e-6 && distance(free, rest) < 1e-7);
    const [capsule] = pulls({ kind: 'capsule', position: [0.01, -0.1, -1], end: [0.01, -0.1, 1], radius: 0.05 });
    assert.ok(Math.abs(distance(capsule, [0.01, -0.1, capsule[2]]) - 0.06) < 1e-6);
    const [plane] = pulls({ kind: 'plane', position: [0, -0.05, 0], end: [0, 1, 0] });
    assert.ok(Math.abs(plane[1] + 0.04) < 1e-6);
    const [inside] = pulls({ kind: 'inside-sphere', position: [0.05, 0, 0], radius: 0.09 });
    assert.ok(Math.abs(distance(inside, [0.05, 0, 0]) - 0.08) < 1e-6);
    const inner = { kind: 'inside-capsule', position: [0.05, 0, -1], end: [0.05, 0, 1], radius: 0.09 };
    assert.ok(distance(pulls(inner)[0], [0.05, 0, 0]) < 0.08 + 1e-6);
});

test('chains: colliders can be moved and changed', () => {
    const colliders = [
        { position: [0, 9, 0], radius: 0.05 },
        { kind: 'plane', end: [0, 1, 0] },
    ];
    const chains = gyre.boneChains(2, { bones: [bone], tail: true, colliders });
    const [sphere, plane] = chains.colliders;
    assert.deepEqual([sphere.kind, plane.kind, plane.radius, sphere.end], ['sphere', 'plane', null, null]);
    plane.position[1].fill(-1);
    sphere.position[1][1] = -0.11;
    chains.reset(0);
    near(at(chains.tail, 0), [0, -0.1, 0], 1e-7);
    assert.ok(Math.abs(Math.hypot(chains.tail[0][1], chains.tail[1][1] + 0.11, chains.tail[2][1]) - 0.05) < 1e-6);
    sphere.kind = 'inside-sphere';
    chains.step(1 / 60);
    assert.ok(chains.tail[1][1] !== 0);
    refuses('value', /unknown kind of collider 'box', expected sphere, capsule, plane/, () => (sphere.kind = 'box'));
    refuses('value', /freed with their chains/, () => sphere.free());
    assert.throws(() => chains.colliders.push(sphere), TypeError);
});

test('chains: they sleep, and are skipped until they are woken', () => {
    const rests = { restAngle: 0.01, restSpeed: 0.01, skipAsleep: true };
    const chains = gyre.boneChains(2, { bones: [bone, bone], orientation: [0, 0, half, half], ...rests });
    let steps = 0;
    for (; chains.awake.some((flag) => flag) && steps < 1000; steps++) {
        chains.step(1 / 60);
    }
    assert.ok(steps > 10 && steps < 1000);
    chains.parent.forEach((array, k) => array.fill([0, 0, half, half][k]));
    const before = chains.orientation.map((array) => [...array]);
    chains.awake[1] = 1;
    chains.step(1 / 60);
    assert.deepEqual(at(chains.orientation, 0), at(before, 0));
    assert.notDeepEqual(at(chains.orientation, 1), at(before, 1));
    chains.reset(0);
    assert.deepEqual([...chains.awake], [1, 1]);
    assert.equal(gyre.boneChains(2, { bones: [bone], awake: false }).awake, null);
});

test('chains: bad input', () => {
    const bones = [bone];
    refuses('value', /bones: expected an array of one bone or more, got undefined/, () => gyre.boneChains(1));
    refuses('value', /bones: expected an array/, () => gyre.boneChains(1, { bones: [] }));
    refuses('value', /count must be a whole number/, () => gyre.boneChains(-1, { bones }));
    refuses('value', /count must be a whole number/, () => gyre.boneChains(1.5, { bones }));
    refuses('value', /most bones first; chain 2 has 3 after 1/, () =>
        gyre.boneChains(3, { bones, bone: 0, levels: [2, 1, 3] }),
    );
    refuses('range', /levels: expected 3 values, got 2/, () => gyre.boneChains(3, { bones, bone: 0, levels: [2, 1] }));
    refuses('value', /levels: expected whole numbers, at least 0; got -1/, () =>
        gyre.boneChains(1, { bones, levels: -1 }),
    );
    refuses('value', /levels: .* got 1.5/, () => gyre.boneChains(2, { bones, levels: [1.5, 1] }));
    refuses('range', /bones: expected one for each of 2 levels, got 1/, () => gyre.boneChains(2, { bones, levels: 2 }));
    refuses('range', /orientation: expected 4 values, got 3/, () =>
        gyre.boneChains(2, { bones: [bone, bone], orientation: [0, 0, 0, [1, 1, 1]] }),
    );
    refuses('range', /wind: expected 2 values, got 3/, () => gyre.boneChains(2, { bones, wind: [[1, 1, 1], 0, 0] }));
    refuses('value', /unknown property 'mass' of gyre_bone/, () => gyre.boneChains(1, { bones: [{ mass: 1 }] }));
    refuses('value', /expected an array of 3 numbers, got 1/, () => gyre.boneChains(1, { bones: [{ tail: 1 }] }));
    refuses('value', /unknown property 'gravty'/, () => gyre.boneChains(1, { bones, gravty: true }));
    refuses('value', /unknown kind of collider 'cube'/, () =>
        gyre.boneChains(1, { bones, colliders: [{ kind: 'cube' }] }),
    );
    refuses('value', /unknown property 'size'/, () => gyre.boneChains(1, { bones, colliders: [{ size: 1 }] }));

    const chains = gyre.boneChains(1, { bones, gravity: [1, 0, 0] });
    refuses('value', /gyre_bone_chains_step/, () => chains.step(-1));
    refuses('value', /gyre_bone_chains_reset/, () => chains.reset(NaN));
    const capsule = gyre.boneChains(1, { bones, colliders: [{ kind: 'capsule', radius: 1 }] });
    refuses('null', /gyre_bone_chains_step/, () => capsule.step(1 / 60)); // it has no end
    assert.deepEqual([...chains.velocity[0]], [0]);
});

test('chains: INCOMPLETE is not an error', () => {
    const chains = gyre.boneChains(2, { bones: [bone], bone: [0, 7] });
    assert.equal(chains.reset(0), false);
    assert.equal(chains.step(1 / 60), false);
    assert.deepEqual([...chains.orientation[3]].map(Number.isNaN), [false, true]);
    assert.equal(chains.step(1 / 60, 0, 1), true);
});

test('chains: growth keeps them, and free frees everything', async () => {
    const MiB = 1 << 20;
    const values = {
        bones: [bone, bone],
        colliders: [{ radius: -1 }, { kind: 'plane', position: -9, end: [0, 1, 0] }],
    };
    const small = await loadUi({ memory: MiB, growable: true });
    const chains = small.boneChains(100, { ...values, gravity: [1, 0, 0] });
    const old = [chains.orientation[3], chains.colliders[1].position[1], chains.levelBegin];
    small.float32(MiB);
    assert.ok(old.every((view) => view.length === 0));
    assert.deepEqual([chains.levels, chains.bones.length, chains.colliders[1].position[1][99]], [2, 2, -9]);
    chains.step(1 / 60);
    assert.ok(chains.velocity[0].every((speed) => speed > 0));

    const fixed = await load({ memory: MiB });
    for (let i = 0; i < 1000; i++) {
        fixed.boneChains(1000, values).free();
        refuses('value', /unknown kind/, () =>
            fixed.boneChains(1000, { ...values, colliders: [{}, { kind: 'cube' }] }),
        );
        refuses('range', /expected 1000 values/, () => fixed.boneChains(1000, { ...values, wind: [[1], 0, 0] }));
    }
    refuses('range', /out of memory/, () => fixed.boneChains(MiB, values));
    const freed = fixed.boneChains(10, values);
    const [collider] = freed.colliders;
    freed.free();
    freed.free();
    for (const use of [
        () => freed.levels,
        () => freed.bones,
        () => freed.orientation,
        () => freed.step(1),
        () => collider.radius,
    ]) {
        refuses('null', /was freed/, use);
    }
    assert.equal(fixed.uint8(MiB).length, MiB); // in one piece
});
