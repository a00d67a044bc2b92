import { shown } from './check.js';
import { GyreError } from './error.js';

const refuse = (name, wanted, value) => {
    throw new GyreError('value', `apply: ${name}: expected ${wanted}, got ${shown(value)}`);
};

const arraysOf = (springs, name) => {
    const { position, awake } = springs ?? {};
    if (!(position instanceof Float32Array && awake instanceof Uint8Array)) {
        refuse(name, "springs with 'awake'", springs);
    }
    return [position, awake];
};

/**
 * Writes the positions of springs to plain objects: sprites[i].x and .y, where the spring in x or that in y is awake.
 * Call it after every step: what a step has moved is awake after it. Returns the number of objects written.
 */
export const apply = (x, y, sprites) => {
    const [xs, xAwake] = arraysOf(x, 'x');
    const [ys, yAwake] = arraysOf(y, 'y');
    if (typeof sprites !== 'object' || !Number.isInteger(sprites?.length)) {
        refuse('sprites', 'an array', sprites);
    }
    const count = Math.min(xs.length, ys.length, sprites.length);
    let written = 0;
    for (let i = 0; i < count; i++) {
        if (xAwake[i] | yAwake[i]) {
            const sprite = sprites[i];
            if (typeof sprite !== 'object' || sprite === null) {
                refuse(`sprites[${i}]`, 'an object', sprite);
            }
            sprite.x = xs[i];
            sprite.y = ys[i];
            written++;
        }
    }
    return written;
};
