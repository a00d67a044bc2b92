// Springs as others publish them, all sent from 0 to 1: where each is after 0.25 s.
// node cards.mjs, where the package gyre is installed
import { load } from 'gyre';

const gyre = await load();
/** A spring from a stiffness and a damping ratio, on a mass of 1. */
const fromRatio = (stiffness, ratio) => gyre.springFromStiffness(1, stiffness, 2 * ratio * Math.sqrt(stiffness));
const published = [
    gyre.springFromDuration(0.5, 0), // SwiftUI, smooth
    gyre.springFromDuration(0.5, 0.15), // SwiftUI, snappy
    gyre.springFromDuration(0.5, 0.3), // SwiftUI, bouncy
    gyre.springFromResponse(0.15, 0.86), // SwiftUI, interactive
    fromRatio(200, 0.5), // Android, low, medium bouncy
    fromRatio(200, 0.2), // Android, low, high bouncy
    fromRatio(1500, 0.75), // Android, medium, low bouncy
    fromRatio(50, 1), // Android, very low, no bouncy
    fromRatio(800, 0.6), // Material 3, expressive, fast
    fromRatio(380, 0.8), // Material 3, expressive, default
    fromRatio(200, 0.8), // Material 3, expressive, slow
    fromRatio(700, 0.9), // Material 3, standard, default
    gyre.springFromStiffness(1, 170, 26), // react-spring, default
    gyre.springFromStiffness(1, 120, 14), // react-spring, gentle
    gyre.springFromStiffness(1, 180, 12), // react-spring, wobbly
    gyre.springFromStiffness(1, 210, 20), // react-spring, stiff
    gyre.springFromStiffness(1, 280, 60), // react-spring, slow
    gyre.springFromStiffness(1, 280, 120), // react-spring, molasses
    gyre.springFromStiffness(1, 100, 10), // Framer Motion, default
    gyre.springFromStiffness(1, 230.2, 19), // Rebound, tension 40, friction 6
];

const count = published.length, springs = gyre.springs(count, { target: 1, awake: false });
const palette = gyre.float32(16 * count).view, index = gyre.uint16(count).view;
published.forEach((spring, k) => {
    palette.set(gyre.springMatrixAt(spring, 1 / 60), 16 * k); // what 1/60 s does to it
    index[k] = k;
});
for (let i = 0; i < 15; i++) {
    springs.stepPalette(palette, index);
}

const hash = gyre.hash([springs.position, springs.velocity]).toString(16).padStart(16, '0');
console.log(`${Array.from(springs.position, (x) => x.toFixed(3)).join(' ')} hash ${hash}`);
