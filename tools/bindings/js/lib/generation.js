import { GyreError } from './error.js';
import { matrixOf, pathOf } from './joints.js';
import { difference, directionOf, inverse, placeOf, product, rotationOf, turned } from './poses.js';

const MOST_BONES = 65536; // different ones, because their indices have 16 bits

const load = (arrays, i) => arrays.map((array) => array[i]);

const store = (values, arrays, i) => {
    for (let k = 0; k < arrays.length; k++) {
        arrays[k][i] = values[k];
    }
};

/** The different bones of chains, and which of these each bone is, level by level. */
const paletteOf = (chains) => {
    const entries = new Map();
    const palette = { bones: [], bone: [] };
    for (let level = 0; level < chains[0].bones.length; level++) {
        for (const { bones } of chains.filter((chain) => level < chain.bones.length)) {
            const { key, bone } = bones[level];
            if (!entries.has(key)) {
                entries.set(key, palette.bones.length);
                palette.bones.push(bone);
            }
            palette.bone.push(entries.get(key));
        }
    }
    if (palette.bones.length > MOST_BONES) {
        throw new GyreError('range', `${palette.bones.length} different bones; at most ${MOST_BONES} are possible`);
    }
    return palette;
};

/** The nodes whose matrices the chains of a character read, parents first. The first one stands for what is above it. */
const nodesOf = (chains) => {
    const read = chains.flatMap(({ root, center, colliders }) => [root.parent, center, ...colliders]);
    const paths = [...new Set(read)].filter((node) => node).map(pathOf);
    let shared = 0;
    while (paths.length > 0 && paths.every((path) => path[shared + 1] && path[shared + 1] === paths[0][shared + 1])) {
        shared++;
    }
    return [...new Set(paths.flatMap((path) => path.slice(shared)))];
};

const kindOf = ({ type, inside }) => (inside ? `inside-${type}` : type);

/** The colliders of a batch: each kind as often as one chain has it, and which one each chain uses there. */
const slotsOf = (chains, places) => {
    const slots = new Map();
    chains.forEach(({ colliders }, c) => {
        const counts = {};
        for (const collider of colliders) {
            const kind = kindOf(collider.shape);
            counts[kind] = (counts[kind] ?? 0) + 1;
            const name = `${kind} ${counts[kind]}`;
            if (!slots.has(name)) {
                slots.set(name, { kind, uses: [] });
            }
            slots.get(name).uses.push({ c, collider, place: places.get(collider) });
        }
    });
    return [...slots.values()];
};

/** A point, or a direction, in the frame of a center, or as it is without one. */
const pointIn = (frame, p, out) => (frame ? turned(frame.back, difference(p, frame.origin, out), out) : p);
const directionIn = (frame, v, out) => (frame ? turned(frame.back, v, out) : v);

/** Chains that are stepped at once, because none hangs on another. */
export class Generation {
    #chains;
    #batch;
    #nodes; // whose matrices are read: a list for each character
    #rotations; // of what roots hang on, by node
    #frames; // of centers, by node
    #places; // of colliders in the world, by collider
    #slots;
    #bones; // what is written, chain by chain, which is nearly in the order of the memory

    constructor(gyre, chains) {
        this.#chains = [...chains].sort((a, b) => b.bones.length - a.bones.length);
        this.#nodes = [...new Set(chains.map(({ character }) => character))].map((each) =>
            nodesOf(chains.filter(({ character }) => character === each)),
        );
        this.#rotations = new Map(chains.map(({ root }) => [root.parent, []]));
        this.#frames = new Map(
            chains.filter(({ center }) => center).map(({ center }) => [center, { back: [], origin: [] }]),
        );
        this.#places = new Map(
            chains.flatMap(({ colliders }) => colliders).map((collider) => [collider, { position: [], end: [] }]),
        );
        this.#slots = slotsOf(this.#chains, this.#places);
        this.#batch = gyre.boneChains(chains.length, {
            ...paletteOf(this.#chains),
            levels: this.#chains.map(({ bones }) => bones.length),
            local: true,
            positionBefore: true,
            parentBefore: true,
            gravity: true,
            colliders: this.#slots.map(({ kind }) => ({
                kind,
                position: NaN, // chains have none where no other place is written
                end: /capsule|plane/.test(kind),
                radius: true,
            })),
        });
        const { levelBegin } = this.#batch;
        this.#bones = this.#chains.flatMap(({ bones }, c) =>
            bones.map(({ node, toParent }, level) => ({
                quaternion: node.quaternion,
                i: levelBegin[level] + c,
                toParent,
            })),
        );
        this.#restore();
    }

    update(dt) {
        for (const nodes of this.#nodes) {
            nodes.forEach((node, i) => node.updateWorldMatrix(i === 0, false));
        }
        this.#readCenters();
        this.#readColliders();
        this.#readRoots();
        this.#chains.forEach((chain, c) => {
            if (chain.jump) {
                this.#jump(chain, c);
            }
        });
        this.#batch.step(dt);
        this.#writeNodes();
    }

    /** Keeps the state of each chain in it, for the next generation. */
    save() {
        const { orientation, velocity, position, parent, levelBegin } = this.#batch;
        this.#chains.forEach((chain, c) => {
            chain.state = {
                position: load(position, c),
                parent: load(parent, c),
                bones: chain.bones.map((_, level) => ({
                    orientation: load(orientation, levelBegin[level] + c),
                    velocity: load(velocity, levelBegin[level] + c),
                })),
            };
        });
    }

    #restore() {
        const { orientation, velocity, position, parent, levelBegin } = this.#batch;
        this.#chains.forEach(({ state }, c) => {
            if (state) {
                store(state.position, position, c);
                store(state.parent, parent, c);
                state.bones.forEach((bone, level) => {
                    store(bone.orientation, orientation, levelBegin[level] + c);
                    store(bone.velocity, velocity, levelBegin[level] + c);
                });
            }
        });
    }

    free() {
        this.#batch.free();
    }

    #readCenters() {
        for (const [center, { back, origin }] of this.#frames) {
            inverse(rotationOf(matrixOf(center), back), back);
            placeOf(matrixOf(center), 0, 0, 0, origin);
        }
    }

    #readColliders() {
        for (const [collider, { position, end }] of this.#places) {
            const { offset, tail, normal } = collider.shape;
            placeOf(matrixOf(collider), offset.x, offset.y, offset.z, position);
            if (tail) {
                placeOf(matrixOf(collider), tail.x, tail.y, tail.z, end);
            } else if (normal) {
                directionOf(matrixOf(collider), normal.x, normal.y, normal.z, end);
            }
        }
        const out = [];
        this.#slots.forEach(({ kind, uses }, i) => {
            const { position, end, radius } = this.#batch.colliders[i];
            for (const { c, place, collider } of uses) {
                const frame = this.#frames.get(this.#chains[c].center);
                store(pointIn(frame, place.position, out), position, c);
                if (end) {
                    store((kind === 'plane' ? directionIn : pointIn)(frame, place.end, out), end, c);
                }
                radius[c] = collider.shape.radius ?? 0;
            }
        });
    }

    #readRoots() {
        const { position, positionBefore, parent, parentBefore, gravity } = this.#batch;
        position.forEach((array, k) => positionBefore[k].set(array));
        parent.forEach((array, k) => parentBefore[k].set(array));
        for (const [node, rotation] of this.#rotations) {
            rotationOf(matrixOf(node), rotation);
        }
        const [point, turn, down] = [[], [], []];
        this.#chains.forEach(({ root, center, gravity: force }, c) => {
            const frame = this.#frames.get(center);
            const rotation = this.#rotations.get(root.parent);
            const { x, y, z } = root.position;
            placeOf(matrixOf(root.parent), x, y, z, point);
            if (!Number.isFinite(rotation[3] + point[0] + point[1] + point[2])) {
                return; // hidden by a scale of 0: it stays where it was
            }
            store(directionIn(frame, force, down), gravity, c);
            store(pointIn(frame, point, point), position, c);
            store(frame ? product(frame.back, rotation, turn) : rotation, parent, c);
        });
    }

    /** The root is elsewhere: the chain starts anew there, or goes along as it is. */
    #jump(chain, c) {
        const { orientation, velocity, position, positionBefore, parent, parentBefore, levelBegin } = this.#batch;
        if (chain.jump === 'reset') {
            this.#batch.reset(0, c, c + 1);
        } else {
            const before = load(parentBefore, c);
            const turn = product(load(parent, c), inverse(before, before), before);
            chain.bones.forEach((_, level) => {
                const i = levelBegin[level] + c;
                store(product(turn, load(orientation, i), []), orientation, i);
                store(turned(turn, load(velocity, i), []), velocity, i);
            });
        }
        store(load(position, c), positionBefore, c);
        store(load(parent, c), parentBefore, c);
        chain.jump = null;
    }

    #writeNodes() {
        const { local } = this.#batch;
        const [xs, ys, zs, ws] = local;
        const turn = [];
        for (const { quaternion, i, toParent } of this.#bones) {
            if (toParent) {
                product(toParent, load(local, i), turn);
                quaternion.set(turn[0], turn[1], turn[2], turn[3]);
            } else {
                quaternion.set(xs[i], ys[i], zs[i], ws[i]);
            }
        }
    }
}
