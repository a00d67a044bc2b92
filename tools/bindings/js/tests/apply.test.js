import assert from 'node:assert/strict';
import { test } from 'node:test';

import { apply, load } from 'gyre';

const gyre = await load();
const matrix = gyre.springMatrixAt(gyre.springFromResponse(0.2, 1), 1 / 60);
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
    assert.equal(step(), 3); // the third sleeps already, but nothing was written to its object yet
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

test('apply: new objects are written at once, and none beyond the last', () => {
    const [x, y] = [springs(3), springs(2)];
    x.awake.fill(0);
    y.awake.fill(0);
    const few = [{}, {}];
    assert.equal(apply(x, y, few), 2);
    assert.equal(apply(x, y, few), 0);
    assert.equal(apply(x, y, [{}, {}, {}]), 2);
    few.pop();
    assert.equal(apply(x, y, few), 1);
    assert.deepEqual(few, [{ x: 0, y: 0 }]);
});
