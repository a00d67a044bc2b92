// Heads that turn to where they look: springs on rotations.
// node turning.mjs, where the package gyre is installed
import { load } from 'gyre';

const count = 24;
const response = 0.5;
const damping = 0.4;

const gyre = await load();
const heads = gyre.orientationSprings(count, { restAngle: 1e-3, restSpeed: 1e-2, skipAsleep: true });
const { orientation, angularVelocity, target } = heads; // x y z w, rad/s, x y z w; they look ahead, along z
for (let i = 0; i < count; i++) { // and shall look 30 degrees to one side
    target[1][i] = i % 2 === 0 ? 0.258819 : -0.258819;
    target[3][i] = 0.965926;
}
const frame = gyre.springMatrixAt(gyre.springFromResponse(response, damping), 1 / 60); // what 1/60 s does to every head
for (let i = 0; i < 15; i++) {
    heads.step(frame, 1 / 60);
}

const hash = gyre.hash([...orientation, ...angularVelocity]).toString(16).padStart(16, '0');
console.log(`after 0.25 s the first turns at ${angularVelocity[1][0].toFixed(3)} rad/s; hash ${hash}`);
