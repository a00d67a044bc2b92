const awakeBefore = new WeakMap(); // of arrays of sprites: which springs were awake in the last call

/**
 * Writes positions to plain objects: sprites[i].x and .y. An object whose springs both slept in the last call and still
 * do is left alone. Returns how many were written.
 */
export const apply = (x, y, sprites) => {
    const { position: xs, awake: xAwake } = x;
    const { position: ys, awake: yAwake } = y;
    const count = Math.min(x.count, y.count, sprites.length);
    let before = awakeBefore.get(sprites);
    if (before?.length !== count) {
        before = new Uint8Array(count).fill(1);
        awakeBefore.set(sprites, before);
    }
    let written = 0;
    for (let i = 0; i < count; i++) {
        // The step that puts a spring to sleep has moved it.
        const awake = xAwake[i] | yAwake[i];
        if (awake | before[i]) {
            sprites[i].x = xs[i];
            sprites[i].y = ys[i];
            written++;
        }
        before[i] = awake;
    }
    return written;
};
