// Scripted frames: 120 steps of each kind of batch in the scenes, from inputs that are the same numbers on every
// platform. native.c runs the same script; the states must have the same hashes.
const FRAMES = 120, RETARGETED_EVERY = 40, DT = 1 / 60;

/** Multiples of 1/8 from -125 to 125. */
const number = (i, column) => (i * 7919 + column * 104729) % 2001 / 8 - 125;

function fill(array, column, scale = 1) {
    for (let i = 0; i < array.length; i++) {
        array[i] = number(i, column) * scale;
    }
}

/** Writes orientations turned by rotation vectors of three columns, in units of 1/64 rad. */
function orient(gyre, quaternions, column) {
    const n = quaternions[0].length, block = gyre.float32(3 * n);
    const vectors = [0, 1, 2].map((k) => block.view.subarray(k * n, (k + 1) * n));
    vectors.forEach((vector, k) => fill(vector, column + k, 1 / 64));
    gyre.rotationQuaternion(vectors, quaternions);
    block.free();
}

function runFrames(frame) {
    for (let k = 0; k < FRAMES; k++) {
        frame(k);
    }
}

export const scripts = {
    springs(gyre) {
        const n = 100000, styles = 64;
        const springs = gyre.springs(n, { restDistance: 0.5, restSpeed: 0.5, skipAsleep: true });
        const palette = gyre.float32(16 * styles), index = gyre.uint16(n);
        fill(springs.position, 0);
        fill(springs.velocity, 1);
        index.view.forEach((_, i, array) => {
            array[i] = Math.floor(i / 64) % styles;
        });
        for (let k = 0; k < styles; k++) {
            palette.view.set(gyre.springMatrixAt(gyre.springFromResponse((k + 8) / 128, (k % 16 + 2) / 16), DT), 16 * k);
        }
        runFrames((k) => {
            if (k % RETARGETED_EVERY === 0) {
                fill(springs.target, 2 + k);
                springs.awake.fill(1);
            }
            springs.stepPalette(palette.view, index.view);
        });
        const hash = gyre.hash([springs.position, springs.velocity]);
        [springs, palette, index].forEach((block) => block.free());
        return hash;
    },

    turning(gyre) {
        const springs = gyre.orientationSprings(4000, { restAngle: 1 / 64, restSpeed: 1 / 64, skipAsleep: true });
        const matrix = gyre.springMatrixAt(gyre.springFromResponse(0.5, 0.5), DT);
        orient(gyre, springs.orientation, 0);
        springs.angularVelocity.forEach((array, k) => fill(array, 3 + k, 1 / 16));
        runFrames((k) => {
            if (k % RETARGETED_EVERY === 0) {
                orient(gyre, springs.target, 6 + k);
                springs.awake.fill(1);
            }
            springs.step(matrix, DT);
        });
        const hash = gyre.hash([...springs.orientation, ...springs.angularVelocity]);
        springs.free();
        return hash;
    },

    chains(gyre) {
        const bone = { tail: [0, -0.125, 0], radius: 0.0625, stiffness: 400, damping: 24, drag: 8, loadDamping: 1 / 128, gravity: 1 };
        const chains = gyre.boneChains(1000, { bones: Array.from({ length: 5 }, () => bone), gravity: [0, -8, 0],
            positionBefore: true, awake: false, colliders: [{ kind: 'sphere', radius: 0.5 }] });
        const { position, positionBefore, parent, colliders: [collider] } = chains;
        position.forEach((array, axis) => fill(array, axis, 1 / 128));
        collider.position.forEach((array, axis) => fill(array, 1 + axis, 1 / 128));
        orient(gyre, parent, 6);
        chains.reset(0);
        runFrames((k) => {
            if (k > 0 && k % RETARGETED_EVERY === 0) {
                orient(gyre, parent, 6 + k);
            }
            position.forEach((array, axis) => {
                positionBefore[axis].set(array);
                array.forEach((_, i) => {
                    array[i] += number(i, axis + k - k % RETARGETED_EVERY) / 1024;
                });
            });
            chains.step(DT);
        });
        const hash = gyre.hash([...chains.orientation, ...chains.velocity]);
        chains.free();
        return hash;
    },

    bodies(gyre) {
        const bodies = gyre.bodies(4000, { inertia: [4, 5, 6] });
        orient(gyre, bodies.orientation, 0);
        bodies.momentum.forEach((array, k) => fill(array, 3 + k, 1 / 8));
        runFrames(() => bodies.step(DT));
        const hash = gyre.hash([...bodies.orientation, ...bodies.momentum]);
        bodies.free();
        return hash;
    },
};
