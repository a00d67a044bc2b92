// Tails of animals that run at 1 m/s: chains of bones with VRM's parameters, at any number of steps a second.
// node herd.mjs, where the package gyre is installed
import { load } from 'gyre';

const count = 100;
const rate = 30;

const gyre = await load();
const bones = [[1, 0.75], [0.9, 0.3], [0.8, 0.1], [0.7, -0.2], [0.6, -0.4]].map(([stiffness, rise]) => // rad
    gyre.boneFromVrm(stiffness, 0.35, 0.1, 0.15, 60, {
        tail: [-0.15, 0, 0], // m
        rest: [0, Math.sin(rise / 2), 0, Math.cos(rise / 2)],
    }));
const chains = gyre.boneChains(count, {
    bones,
    tail: true,
    gravity: [0, 0, -1], // the bones have its size
    positionBefore: true,
    awake: false,
});
const { orientation, velocity, tail, position, positionBefore, levelBegin } = chains;
position[1].forEach((_, i, ys) => {
    ys[i] = i;
});
chains.reset(0); // they hang at rest
for (let step = 0; step < rate; step++) {
    positionBefore.forEach((before, k) => before.set(position[k]));
    position[0].forEach((x, i, xs) => {
        xs[i] = x + 1 / rate;
    });
    chains.step(1 / rate);
}

const hash = gyre.hash([...orientation, ...velocity]).toString(16).padStart(16, '0');
const last = levelBegin[bones.length - 1]; // the last bone of the first tail
console.log(`after 1 s the first tail ends at ${tail[0][last].toFixed(3)}, ${tail[2][last].toFixed(3)}; hash ${hash}`);
