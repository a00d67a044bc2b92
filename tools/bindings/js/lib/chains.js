import { Batch } from './batch.js';
import { hasLength, misfit, objectOf, optionsOf, shown, sizeOf } from './check.js';
import { GyreError } from './error.js';
import { BoneChainsCalls } from './functions.js';
import { records } from './layout.js';
import { boneValues, IDENTITY, membersOf, readRecord, writeRecord } from './struct.js';

const { fields } = records.gyre_bone_chains;
const BONE = records.gyre_bone.size; // bytes
const COLLIDER = records.gyre_chain_collider.size;
const MOST_BONES = 2 ** 28; // of all chains: four floats for each fill the memory
const VALUES = [...membersOf('gyre_bone_chains').keys(), 'levels'].filter((name) => name !== 'levelBegin');

/** The arrays of bones; the others are of chains. */
const OF_BONES = ['orientation', 'velocity', 'tail', 'local', 'bone', 'rest'];

const checkBones = (bones) => {
    if (!Number.isInteger(bones) || bones < 0) {
        throw new GyreError('value', `levels: expected whole numbers, at least 0; got ${shown(bones)}`);
    }
};

const checkTotal = (bones) => {
    if (bones >= MOST_BONES) {
        throw new GyreError('range', `out of memory: no room for ${bones} bones`);
    }
};

/** Where the bones of each level begin, and where the last end, if chains have these numbers of bones. */
const beginsOfEach = (levels) => {
    let total = 0;
    for (let i = 0; i < levels.length; i++) {
        checkBones(levels[i]);
        if (levels[i] > levels[i - 1]) {
            const reason = `chain ${i} has ${levels[i]} after ${levels[i - 1]}`;
            throw new GyreError('value', `levels: chains must be sorted, those with most bones first; ${reason}`);
        }
        total += levels[i];
    }
    checkTotal(total);
    const begins = [0];
    let chains = levels.length; // that have a bone at the level
    for (let level = 0; level < (levels[0] ?? 0); level++) {
        while (levels[chains - 1] <= level) {
            chains--;
        }
        begins.push(begins[level] + chains);
    }
    return begins;
};

/** The same for `levels` bones in all of `count` chains, or for an array of these. */
const beginsOf = (levels, count) => {
    if (typeof levels === 'object' && levels !== null) {
        if (!hasLength(levels, count)) {
            throw misfit('levels', `${count} values`, levels);
        }
        return beginsOfEach(levels);
    }
    checkBones(levels);
    checkTotal(levels * count);
    return Array.from({ length: count > 0 ? levels + 1 : 1 }, (_, level) => level * count);
};

/** Colliders of one kind, one for each chain. The struct is in the table of its chains. */
class ChainCollider extends Batch {
    free() {
        throw new GyreError('value', 'colliders are freed with their chains');
    }
}

Batch.describe(ChainCollider, 'gyre_chain_collider', { kind: 'sphere', position: true });

export class BoneChains extends BoneChainsCalls {
    #boneCount;
    #colliders = [];

    constructor(host, count, start = {}) {
        sizeOf(count, 'count');
        const {
            bones,
            levels = bones?.length,
            colliders = [],
            ...values
        } = optionsOf(start, 'gyre_bone_chains', VALUES);
        if (!Array.isArray(bones) || bones.length === 0) {
            throw new GyreError('value', `bones: expected an array of one bone or more, got ${shown(bones)}`);
        }
        if (!Array.isArray(colliders)) {
            throw new GyreError('value', `colliders: expected an array, got ${shown(colliders)}`);
        }
        const levelBegin = beginsOf(levels, count);
        const longest = levelBegin.length - 1;
        if (!values.bone && longest > bones.length) {
            throw new GyreError('range', `bones: expected one for each of ${longest} levels, got ${bones.length}`);
        }
        const tables = { levelBegin, bones: true, colliders: colliders.length > 0 };
        const lengths = {
            levelBegin: levelBegin.length,
            bones: (bones.length * BONE) / 4,
            colliders: (colliders.length * COLLIDER) / 4,
        };
        OF_BONES.forEach((name) => {
            lengths[name] = levelBegin[longest];
        });
        super(host, count, { ...values, ...tables }, { lengths });
        this.#boneCount = bones.length;
        try {
            host.data.setUint32(this.pointer + fields.levels.offset, longest, true);
            host.data.setUint32(this.pointer + fields.bone_count.offset, bones.length, true);
            host.data.setUint32(this.pointer + fields.collider_count.offset, colliders.length, true);
            this.bones = bones;
            for (const collider of colliders) {
                const at = this.#at(fields.colliders) + this.#colliders.length * COLLIDER;
                this.#colliders.push(new ChainCollider(host, count, objectOf(collider, 'collider'), { at }));
            }
        } catch (error) {
            this.free();
            throw error;
        }
        this.#colliders.forEach(Object.freeze);
        Object.freeze(this.#colliders);
    }

    get levels() {
        return this.levelBegin.length - 1;
    }

    get bones() {
        const { data } = this.host;
        const bones = Array.from({ length: this.#boneCount }, (_, i) =>
            readRecord(data, this.#at(fields.bones) + i * BONE, 'gyre_bone'),
        );
        // Frozen, because they are copies: an assignment to a part of them would be lost.
        bones.flatMap((bone) => [bone, ...Object.values(bone)]).forEach(Object.freeze);
        return Object.freeze(bones);
    }

    set bones(bones) {
        if (!Array.isArray(bones)) {
            throw new GyreError('value', `bones: expected an array, got ${shown(bones)}`);
        }
        if (bones.length !== this.#boneCount) {
            throw new GyreError('range', `bones: expected ${this.#boneCount}, got ${bones.length}`);
        }
        const made = new Uint8Array(bones.length * BONE); // all of them, before any is written
        const data = new DataView(made.buffer);
        for (let i = 0; i < bones.length; i++) {
            writeRecord(data, i * BONE, 'gyre_bone', boneValues(bones[i]));
        }
        this.host.views.bytes.set(made, this.#at(fields.bones));
    }

    get colliders() {
        return this.#colliders;
    }

    /** The values from which equal chains can be made. */
    toJSON() {
        const { levelBegin, colliders, ...values } = super.toJSON();
        const levels = new Array(this.count).fill(0);
        for (let level = 0; level < this.levels; level++) {
            levels.fill(level + 1, 0, levelBegin[level + 1] - levelBegin[level]);
        }
        const starts = colliders.map((collider) => {
            const { count, ...own } = collider.toJSON();
            return own;
        });
        return { ...values, levels, colliders: starts };
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

Batch.describe(BoneChains, 'gyre_bone_chains', {
    orientation: IDENTITY,
    velocity: true,
    position: true,
    parent: IDENTITY,
    awake: 1,
});
