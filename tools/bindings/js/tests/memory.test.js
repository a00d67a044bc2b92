import assert from 'node:assert/strict';
import { test } from 'node:test';

import { GyreError, load } from 'gyre';

const isError = (code) => (error) => error instanceof GyreError && error.code === code;
const MiB = 1 << 20;

test('memory: fixed, unless growth is requested', async () => {
    const gyre = await load({ memory: MiB });
    const { byteLength } = gyre.memory.buffer;
    assert.ok(byteLength >= MiB);
    assert.throws(() => gyre.float32(MiB), isError('range'));
    assert.throws(() => gyre.springs(MiB), isError('range'));
    assert.equal(gyre.memory.buffer.byteLength, byteLength);
    gyre.float32(MiB / 4).view.fill(1); // the requested size
    assert.throws(() => gyre.float32(MiB / 4), isError('range'));
});

test('memory: 16 MiB by default', async () => {
    const gyre = await load();
    gyre.uint8(16 * MiB);
    assert.throws(() => gyre.uint8(MiB), isError('range'));
});

test('memory: each instance has its own', async () => {
    const [a, b] = [await load(), await load()];
    assert.notEqual(a.memory, b.memory);
    const array = a.float32(1).view;
    assert.throws(() => b.exp(array, array), isError('value'));
});

test('memory: growth keeps the contents and replaces the views', async () => {
    const gyre = await load({ memory: MiB, growable: true });
    const springs = gyre.springs(1000, { position: 7, target: 9 });
    const bodies = gyre.bodies(10, { inertia: [1, 2, 3] });
    const block = gyre.uint16(3);
    block.view.set([1, 2, 3]);
    const old = springs.position;
    assert.equal(springs.position, old); // the same view as long as it is valid

    const large = gyre.float32(MiB);
    large.view.fill(1);
    assert.equal(old.length, 0);
    assert.throws(() => gyre.exp(old, old), isError('value'));
    assert.ok(springs.position.every((position) => position === 7));
    assert.deepEqual([...bodies.inertia[2]], Array(10).fill(3));
    assert.deepEqual([...block.view], [1, 2, 3]);
    springs.step(gyre.springMatrixAt(gyre.springFromResponse(1, 1), 1 / 60));
    assert.ok(springs.position.every((position) => position > 7 && position < 9));
    assert.ok(large.view.every((value) => value === 1));
});

test('memory: growth beyond the limit of the host is refused', async () => {
    const gyre = await load({ growable: true });
    assert.throws(() => gyre.float32(2 ** 30), isError('range'));
    assert.throws(() => gyre.springs(2 ** 40), isError('range'));
    assert.equal(gyre.springs(3).count, 3);
});

test('memory: blocks are zero, aligned and disjoint, and free blocks are joined', async () => {
    const gyre = await load({ memory: MiB });
    let seed = 1;
    const random = (below) => {
        seed = (seed * 48271) % 2147483647;
        return seed % below;
    };
    const held = [];
    for (let round = 0; round < 3000; round++) {
        if (held.length > 0 && (random(2) === 0 || held.length > 60)) {
            const [{ block, mark }] = held.splice(random(held.length), 1);
            assert.ok(block.view.every((value) => value === mark));
            block.free();
        } else {
            const block = gyre.uint8(random(8000));
            assert.equal(block.view.byteOffset % 64, 0);
            assert.ok(block.view.every((value) => value === 0));
            const mark = 1 + random(255);
            block.view.fill(mark);
            held.push({ block, mark });
        }
    }
    held.forEach(({ block }) => block.free());
    assert.equal(gyre.uint8(MiB).length, MiB); // in one piece
});

test('memory: freed blocks cannot be used, and freeing them again does nothing', async () => {
    const gyre = await load();
    const matrix = gyre.springMatrixAt(gyre.springFromResponse(1, 1), 1 / 60);
    const springs = gyre.springs(4);
    const block = gyre.float32(4);
    springs.free();
    block.free();
    const others = [gyre.springs(4, { position: 5 }), gyre.float32(4)]; // at the same addresses
    springs.free();
    block.free();
    const more = [gyre.springs(4), gyre.float32(4)];
    assert.equal(new Set([...others, ...more].map(({ pointer, view }) => pointer ?? view.byteOffset)).size, 4);
    assert.ok(others[0].position.every((position) => position === 5));

    for (const use of [
        () => springs.position,
        () => springs.pointer,
        () => springs.restSpeed,
        () => {
            springs.restSpeed = 1;
        },
        () => springs.step(matrix),
        () => block.view,
    ]) {
        assert.throws(use, isError('null'), String(use));
    }
    const bodies = gyre.bodies(1);
    bodies.free();
    assert.throws(() => bodies.step(1), isError('null'));
    assert.throws(() => bodies.drift(1), isError('null'));
});

test('memory: a batch with invalid values leaks nothing', async () => {
    const gyre = await load({ memory: MiB });
    for (let i = 0; i < 1000; i++) {
        assert.throws(() => gyre.springs(1000, { target: [1, 2] }), isError('range'));
    }
    gyre.springs(1000);
});
