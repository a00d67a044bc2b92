// T-handles without gravity, that spin about their middle axis: how often they turn over in 10 s by two methods.
// node bodies.mjs, where the package gyre is installed
import { load } from 'gyre';

const count = 20000;
const left = 'moser-veselov';
const right = 'explicit-euler';
const half = Math.floor(count / 2);

const gyre = await load({ memory: 64 * count + (1 << 20) }); // bytes
const bodies = gyre.bodies(count, { inertia: [4.05, 14.697, 10.707] }); // kg m^2, about the bar, across both, the stem
const { orientation, momentum } = bodies, [x, y, , w] = orientation;
const omega = [0, 1, 2].map(() => gyre.float32(count).view); // rad/s, about the vertical
y.fill(0.0436194); // inclined by 5 degrees
w.fill(0.999048);
omega[2].forEach((_, i, spin) => {
    spin[i] = 5 + (i % 8) / 8;
});
bodies.setAngularVelocity(omega);

const up = new Int8Array(count).fill(1), turned = [0, 0]; // which way each points: 1 or -1
for (let frame = 0; frame < 600; frame++) {
    bodies.step(1 / 60, { method: left }, 0, half);
    bodies.step(1 / 60, { method: right }, half, count);
    up.forEach((way, i) => {
        if ((1 - 2 * (x[i] * x[i] + y[i] * y[i])) * way < -0.5) {
            up[i] = -way;
            turned[i < half ? 0 : 1]++;
        }
    });
}

const hash = gyre.hash([...orientation, ...momentum]).toString(16).padStart(16, '0');
console.log(`turned over ${turned[0]} and ${turned[1]} times; hash ${hash}`);
