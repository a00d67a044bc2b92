// The objects of the package: misspelled properties, and what console.log, templates and JSON show.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';

import { GyreError, load } from 'gyre';
import { SpringBones } from 'gyre/three';
import { load as loadUi } from 'gyre/ui';

const gyre = await load();
const bone = { tail: [0, -0.1, 0], stiffness: 400, damping: 24, radius: 0.01 };
const colliders = [{ radius: 0.5 }, { kind: 'plane', position: [0, -9, 0], end: [0, 1, 0] }];
const batches = {
    springs: gyre.springs(4, { position: [0, 1.25, 0.1, 1e6], lower: -1, restDistance: 0.5, skipAsleep: true }),
    orientationSprings: gyre.orientationSprings(2, { restAngle: 0.25 }),
    particles: gyre.particles(3, { position: [1, 2, 3], acceleration: 9.8125 }),
    flings: gyre.flings(1, { position: 5, restAt: 7, spring: { angularFrequency: 3, dampingRatio: 0.5, follow: 1 } }),
    boneChains: gyre.boneChains(4, {
        bones: [bone, { ...bone, limit: 1 }],
        levels: [2, 2, 1, 0],
        colliders,
        tail: true,
    }),
    bodies: gyre.bodies(2, { inertia: [1, [2, 3], 4], torqueInBody: true, torque: 0.5 }),
};
const strict = (assign) => assert.throws(assign, TypeError, String(assign));

test('objects: a misspelled property throws', () => {
    const { springs, flings, boneChains, bodies } = batches;
    strict(() => (springs.restDistnace = 3));
    strict(() => (springs.count = 5));
    strict(() => (springs.host = null));
    strict(() => (springs.position = [1, 2, 3, 4]));
    strict(() => (gyre.sprngs = 3));
    strict(() => (gyre.springs = 3));
    strict(() => (bodies.report = {}));
    strict(() => (bodies.report.substep = 0));
    strict(() => (boneChains.colliders[0].raduis = 3));
    strict(() => (gyre.float32(3).lenght = 5));
    strict(() => (gyre.float32(3).length = 5));
    Object.values(batches).forEach((batch) => strict(() => (batch.other = 1)));
    // In sloppy code it is ignored.
    new Function('springs', 'springs.restDistnace = 3; springs.count = 5;')(springs);
    assert.deepEqual([springs.restDistnace, springs.count], [undefined, 4]);
    // Parts of copies
    strict(() => (flings.spring.follow = 0));
    strict(() => (boneChains.bones[0].radius = 3));
    strict(() => (boneChains.bones[0].tail[1] = 3));
    strict(() => (boneChains.bones[0] = bone));
    springs.restDistance = 0.75;
    assert.equal(springs.restDistance, 0.75);
    springs.restDistance = 0.5;
    bodies.report.substeps = 0;
});

test('objects: console.log shows kind, count and first places', () => {
    const shown = {
        springs: 'springs(4) { position: [0, 1.25, 0.1, ...] }',
        orientationSprings: 'orientationSprings(2) { orientation: [[0, 0, 0, 1], [0, 0, 0, 1]] }',
        particles: 'particles(3) { position: [1, 2, 3] }',
        flings: 'flings(1) { position: [5] }',
        boneChains: 'boneChains(4) { position: [[0, 0, 0], [0, 0, 0], [0, 0, 0], ...] }',
        bodies: 'bodies(2) { orientation: [[0, 0, 0, 1], [0, 0, 0, 1]] }',
    };
    for (const [kind, text] of Object.entries(shown)) {
        assert.equal(inspect(batches[kind]), text);
        assert.equal(`${batches[kind]}`, text);
        assert.equal(inspect({ batch: [batches[kind]] }, { breakLength: Infinity }), `{ batch: [ ${text} ] }`);
    }
    assert.equal(inspect(batches.boneChains.colliders[1]), inspect(batches.boneChains.colliders[1]).split('\n')[0]);
    assert.match(String(batches.boneChains.colliders[1]), /^chainCollider\(4\) \{ position: \[\[0, -9, 0\], /);
    const block = gyre.uint16(5);
    assert.equal(inspect(block), 'uint16(5) [0, 0, 0, ...]');
    assert.equal(inspect(gyre.springs(0)), 'springs(0) { position: [] }');
    assert.match(inspect(new SpringBones(gyre)), /^SpringBones \{ characters: 0, chains: 0 \}$/);

    const freed = gyre.springs(3);
    freed.free();
    block.free();
    assert.equal(`${freed} ${block}`, 'springs(3), freed uint16(5), freed');
});

test('objects: console.log shows the version and the memory of gyre', async () => {
    const one = await loadUi({ memory: 1 << 16 });
    const { used } = one.toJSON();
    assert.equal(inspect(one), `gyre 0.1.0 { memory: ${one.memory.buffer.byteLength}, used: ${used} }`);
    one.float32(1000);
    assert.equal(one.toJSON().used - used, 64 * Math.ceil(4000 / 64));
    assert.deepEqual(JSON.parse(JSON.stringify(one)), one.toJSON());
});

test('objects: JSON has all from which an equal batch is made', () => {
    for (const [kind, batch] of Object.entries(batches)) {
        const text = JSON.stringify(batch);
        const { count, ...values } = JSON.parse(text);
        const again = gyre[kind](count, values);
        assert.equal(JSON.stringify(again), text);
        assert.ok(text.length > 50 && !text.includes('host'));
        again.free();
        assert.throws(
            () => JSON.stringify(again),
            (error) => error instanceof GyreError && error.code === 'null',
        );
    }
    assert.equal(JSON.parse(JSON.stringify(batches.springs)).upper, undefined);
    const block = gyre.float32(2);
    block.view.set([1, 0.5]);
    assert.equal(JSON.stringify({ block }), '{"block":[1,0.5]}');
});
