const awakeBefore = new WeakMap(); // per array of sprites: which springs were awake in the last call

/**
 * Writes positions to plain objects: sprites[i].x and .y. Objects whose springs were both asleep in the last call and
 * still are get skipped. Returns the number of objects written.
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
        // The step that puts a spring to sleep also moves it, so it is written once more.
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
