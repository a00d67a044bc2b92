import assert from 'node:assert/strict';
import { test } from 'node:test';

import { apply, load } from 'gyre';

const gyre = await load();
const DT = 1 / 60;
const matrix = gyre.springMatrixAt(gyre.springFromResponse(0.2, 1), DT);
const springs = (count) => gyre.springs(count, { restDistance: 0.1, restSpeed: 0.1, skipAsleep: true });

test('apply: objects follow the springs until they sleep, to the last bit', () => {
    const [x, y] = [springs(3), springs(3)];
    const sprites = Array.from({ length: 3 }, () => ({ x: NaN, y: NaN, name: 'kept' }));
    x.target.set([100, 0, 0]);
    y.target.set([0, 50, 0]);
    const step = () => {
        x.step(matrix);
        y.step(matrix);
        return apply(x, y, sprites);
    };
    assert.equal(apply(x, y, sprites), 3); // before the first step all are awake
    assert.deepEqual(sprites[2], { x: 0, y: 0, name: 'kept' });
    assert.equal(step(), 2);
    let written;
    for (let frame = 0; frame < 120; frame++) {
        written = step();
        sprites.forEach((sprite, i) => assert.deepEqual([sprite.x, sprite.y], [x.position[i], y.position[i]]));
    }
    assert.equal(written, 0);
    assert.deepEqual(
        sprites.map((sprite) => [sprite.x, sprite.y]),
        [
            [100, 0],
            [0, 50],
            [0, 0],
        ],
    );

    sprites[1].x = 7; // a value from elsewhere
    assert.equal(step(), 0);
    assert.equal(sprites[1].x, 7);
    x.target[1] = 20;
    x.awake[1] = 1;
    assert.equal(step(), 1);
    assert.equal(sprites[1].x, x.position[1]);
});

test('apply: writes none beyond the last object or spring', () => {
    const [x, y] = [springs(3), springs(2)];
    const few = [{}];
    assert.equal(apply(x, y, few), 1);
    assert.deepEqual(few, [{ x: 0, y: 0 }]);
    assert.equal(apply(x, y, [{}, {}, {}]), 2);
    x.awake.fill(0);
    y.awake.fill(0);
    assert.equal(apply(x, y, [{}, {}, {}]), 0);
});

test('apply: objects follow targets that are slower than the limits of rest', () => {
    const values = { restDistance: 0.1, restSpeed: 1, skipAsleep: true };
    const [x, y] = [gyre.springs(1, values), gyre.springs(1, values)];
    const sprites = [{ x: 0, y: 0 }];
    for (let frame = 1; frame <= 600; frame++) {
        x.target[0] = 2 * DT * frame; // 2 px/s
        x.awake[0] = 1;
        x.step(matrix);
        y.step(matrix);
        apply(x, y, sprites);
        assert.ok(Math.abs(sprites[0].x - x.position[0]) <= values.restDistance, `frame ${frame}: ${sprites[0].x}`);
    }
    assert.ok(Math.abs(sprites[0].x - 20) <= values.restDistance);
});

const rest = { restDistance: 0.5, restSpeed: 2 };
const bounds = { lower: -20, upper: [5, 10, 15, 20, 25, 30, 35, 40], bounce: 0.75 };
const low = { positionLow: true, velocityLow: true };
for (const [name, values] of Object.entries({
    plain: {},
    'that rest': rest,
    'that rest and are skipped': { ...rest, skipAsleep: true },
    'that are skipped without limits': { skipAsleep: true },
    'that bounce': bounds,
    'that bounce, rest and are skipped': { ...bounds, ...rest, skipAsleep: true },
    'that stop at their targets': { stopAtTarget: true, skipAsleep: true },
    'with a period': { period: 30, ...rest, skipAsleep: true },
    'with scaled limits': { ...rest, restScale: [0, 0.5, 1, 2, 4, 8, 16, 32], skipAsleep: true },
    'with low parts': { ...low, ...rest, ...bounds, skipAsleep: true },
    'with moving targets': { targetBefore: true, ...rest, skipAsleep: true },
})) {
    test(`apply: objects follow springs ${name}`, () => {
        const count = 8;
        const [x, y] = [gyre.springs(count, values), gyre.springs(count, values)];
        const sprites = Array.from({ length: count }, () => ({ x: 0, y: 0 }));
        const style = gyre.springMatrixAt(gyre.springFromResponse(0.3, 0.4), DT);
        let most = 0;
        for (let frame = 0; frame < 900; frame++) {
            for (const batch of [x, y]) {
                batch.targetBefore?.set(batch.target);
                for (let i = 0; i < count && frame < 300; i++) {
                    if ((frame * 7 + i * 13 + (batch === y ? 5 : 0)) % 40 === 0) {
                        batch.target[i] = ((frame * 31 + i * 17) % 50) - 15;
                        batch.awake[i] = 1;
                    }
                }
                batch.step(style);
            }
            most = Math.max(most, apply(x, y, sprites));
            sprites.forEach((sprite, i) =>
                assert.ok(
                    sprite.x === x.position[i] && sprite.y === y.position[i],
                    `frame ${frame}, object ${i}: ${sprite.x} ${sprite.y}, not ${x.position[i]} ${y.position[i]}`,
                ),
            );
        }
        assert.ok(most > 2);
        if (values.restDistance && !values.restScale) {
            assert.equal(apply(x, y, sprites), 0);
        }
    });
}
