import { Batch } from './batch.js';
import { GyreError } from './error.js';
import { BoneChainsCalls } from './functions.js';
import { records } from './layout.js';
import { IDENTITY, readRecord } from './struct.js';

const { fields } = records.gyre_bone_chains;
const BONE = records.gyre_bone.size; // bytes
const COLLIDER = records.gyre_chain_collider.size;

/** The arrays of bones; the others are of chains. */
const OF_BONES = ['orientation', 'velocity', 'tail', 'local', 'bone', 'rest'];

/** Where the bones of each level begin, and where the last end, from the number of bones of each chain. */
const beginsOf = (bones) => {
    bones.forEach((each, i) => {
        if (!Number.isInteger(each) || each < 0) {
            throw new GyreError('value', `levels: expected whole numbers, at least 0; got ${each}`);
        }
        if (each > bones[i - 1]) {
            const reason = `chain ${i} has ${each} after ${bones[i - 1]}`;
            throw new GyreError('value', `levels: chains must be sorted, those with most bones first; ${reason}`);
        }
    });
    const begins = [0];
    let chains = bones.length; // that have a bone at the level
    for (let level = 0; level < (bones[0] ?? 0); level++) {
        while (bones[chains - 1] <= level) {
            chains--;
        }
        begins.push(begins[level] + chains);
    }
    return begins;
};

/** Colliders of one kind, one for each chain. The struct is in the table of its chains. */
class ChainCollider extends Batch {
    constructor(host, count, at, values) {
        super(host, count, { kind: 'sphere', position: true, ...values }, { at });
    }

    free() {
        throw new GyreError('value', 'colliders are freed with their chains');
    }
}

Batch.describe(ChainCollider, 'gyre_chain_collider');

export class BoneChains extends BoneChainsCalls {
    #boneCount;
    #colliders = [];

    constructor(host, count, { bones, levels = bones?.length, colliders = [], ...values } = {}) {
        if (!Array.isArray(bones) || bones.length === 0) {
            throw new GyreError('value', `bones: expected an array of one bone or more, got ${bones}`);
        }
        const ofChains = typeof levels === 'number' ? Array.from({ length: count }, () => levels) : levels;
        if (typeof levels !== 'number' && ofChains.length !== count) {
            throw new GyreError('range', `levels: expected ${count} values, got ${ofChains.length}`);
        }
        const levelBegin = beginsOf(ofChains);
        const longest = levelBegin.length - 1;
        if (!values.bone && longest > bones.length) {
            throw new GyreError('range', `bones: expected one for each of ${longest} levels, got ${bones.length}`);
        }
        const start = { orientation: IDENTITY, velocity: true, position: true, parent: IDENTITY, awake: 1, ...values };
        const tables = { levelBegin, bones: true, colliders: colliders.length > 0 };
        const lengths = {
            levelBegin: levelBegin.length,
            bones: (bones.length * BONE) / 4,
            colliders: (colliders.length * COLLIDER) / 4,
        };
        OF_BONES.forEach((name) => {
            lengths[name] = levelBegin[longest];
        });
        super(host, count, { ...start, ...tables }, { lengths });
        this.#boneCount = bones.length;
        try {
            host.data.setUint32(this.pointer + fields.levels.offset, longest, true);
            host.data.setUint32(this.pointer + fields.bone_count.offset, bones.length, true);
            host.data.setUint32(this.pointer + fields.collider_count.offset, colliders.length, true);
            this.bones = bones;
            colliders.forEach((collider, i) =>
                this.#colliders.push(
                    new ChainCollider(host, count, this.#at(fields.colliders) + i * COLLIDER, collider),
                ),
            );
        } catch (error) {
            this.free();
            throw error;
        }
        Object.freeze(this.#colliders);
    }

    get levels() {
        return this.levelBegin.length - 1;
    }

    get bones() {
        const { data } = this.host;
        return Array.from({ length: this.#boneCount }, (_, i) =>
            readRecord(data, this.#at(fields.bones) + i * BONE, 'gyre_bone'),
        );
    }

    set bones(bones) {
        if (bones.length !== this.#boneCount) {
            throw new GyreError('range', `bones: expected ${this.#boneCount}, got ${bones.length}`);
        }
        const { bytes } = this.host.views;
        bones.forEach((bone, i) => {
            const from = this.host.bone(bone);
            bytes.copyWithin(this.#at(fields.bones) + i * BONE, from, from + BONE);
        });
    }

    get colliders() {
        return this.#colliders;
    }

    free() {
        super.free();
        this.#colliders.forEach((collider) => Batch.prototype.free.call(collider));
    }

    /** The address in a pointer of the struct. */
    #at({ offset }) {
        return this.host.data.getUint32(this.pointer + offset, true);
    }
}

Batch.describe(BoneChains, 'gyre_bone_chains');
