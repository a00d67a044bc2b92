// Points that move to the places of a picture, each on two springs, x and y. One call steps all of them.
// node springs.mjs, where the package gyre is installed
import { load } from 'gyre';

const count = 1000000;
const response = 0.7;
const damping = 0.42;
const styles = 64, run = 64;

const gyre = await load({ memory: 40 * count + (1 << 20) }); // bytes
const springs = gyre.springs(2 * count, { restDistance: 0.1, restSpeed: 2, skipAsleep: true });
const { position, velocity, target } = springs;
const style = gyre.uint16(2 * count).view, palette = gyre.float32(16 * styles).view;
for (let i = 0; i < count; i++) { // x of all points, then y of all; your picture in place of rows of points
    target[i] = i % 1000;
    target[count + i] = Math.floor(i / 1000);
    style[i] = style[count + i] = Math.floor(i / run) % styles;
}
for (let k = 0; k < styles; k++) { // what 1/60 s does to the springs of each style, slow ones and quick ones
    const spring = gyre.springFromResponse(response * (0.6 + 0.8 * k / (styles - 1)), damping);
    palette.set(gyre.springMatrixAt(spring, 1 / 60), 16 * k);
}
for (let i = 0; i < 60; i++) {
    springs.stepPalette(palette, style);
}

const hash = gyre.hash([position, velocity]).toString(16).padStart(16, '0');
console.log(`after 1 s point 1 is at ${position[1].toFixed(3)}, ${position[count + 1].toFixed(3)}; hash ${hash}`);
