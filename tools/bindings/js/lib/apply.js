/**
 * Writes the positions of springs to plain objects: sprites[i].x and .y, where the spring in x or that in y is awake.
 * Call it after every step: what a step has moved is awake after it. Returns the number of objects written.
 */
export const apply = (x, y, sprites) => {
    const { position: xs, awake: xAwake } = x;
    const { position: ys, awake: yAwake } = y;
    const count = Math.min(x.count, y.count, sprites.length);
    let written = 0;
    for (let i = 0; i < count; i++) {
        if (xAwake[i] | yAwake[i]) {
            sprites[i].x = xs[i];
            sprites[i].y = ys[i];
            written++;
        }
    }
    return written;
};
