import { numberOf, shown } from './lib/check.js';
import { GyreError } from './lib/error.js';
import { Generation } from './lib/generation.js';
import { chainsOf, checkJoint } from './lib/joints.js';
import { INSPECT } from './lib/shown.js';

const checkCharacter = (character) => {
    if (typeof character?.joints?.[Symbol.iterator] !== 'function') {
        throw new GyreError('value', `expected a VRMSpringBoneManager, which has joints; got ${shown(character)}`);
    }
};

/**
 * The spring bones of any number of characters of three-vrm, in place of their VRMSpringBoneManagers. Objects of three.js
 * are used by their properties; three.js is not imported.
 */
export class SpringBones {
    #gyre;
    #characters = new Map(); // their chains
    #generations = null; // null where characters have changed

    constructor(gyre) {
        if (typeof gyre?.boneChains !== 'function') {
            throw new GyreError('value', `expected what load of 'gyre' or 'gyre/ui' returns, got ${shown(gyre)}`);
        }
        this.#gyre = gyre;
    }

    add(character) {
        checkCharacter(character);
        for (const joint of character.joints) {
            checkJoint(joint);
        }
        this.#save();
        const before = new Map(this.#characters.get(character)?.map((chain) => [chain.root, chain]));
        character.reset?.();
        const chains = chainsOf(this.#gyre, character.joints);
        for (const chain of chains) {
            const { state, jump } = before.get(chain.root) ?? {};
            const isKept = state?.bones.length === chain.bones.length;
            Object.assign(chain, { character }, isKept && { state, jump });
        }
        this.#characters.set(character, chains);
    }

    remove(character) {
        checkCharacter(character);
        this.#save();
        this.#characters.delete(character);
    }

    reset(character) {
        this.#mark(character, 'reset');
    }

    teleport(character) {
        this.#mark(character, 'teleport');
    }

    update(dt) {
        if (!(numberOf(dt, 'dt') > 0)) {
            return; // as VRMSpringBoneManager
        }
        this.#generations ??= this.#build();
        this.#generations.forEach((generation) => generation.update(dt));
    }

    free() {
        this.#save();
        this.#characters.clear();
    }

    toString() {
        return `SpringBones { characters: ${this.#characters.size}, chains: ${this.#chainsOf().length} }`;
    }

    [INSPECT]() {
        return this.toString();
    }

    /** The chains of a character, or of all. */
    #chainsOf(character) {
        if (character === undefined) {
            return [...this.#characters.values()].flat();
        }
        checkCharacter(character);
        if (!this.#characters.has(character)) {
            throw new GyreError('value', 'this character was not added');
        }
        return this.#characters.get(character);
    }

    #mark(character, jump) {
        this.#chainsOf(character).forEach((chain) => {
            chain.jump = chain.jump === 'reset' ? 'reset' : jump;
        });
    }

    /** Frees generations, after their states are saved. */
    #save() {
        this.#generations?.forEach((generation) => {
            generation.save();
            generation.free();
        });
        this.#generations = null;
    }

    #build() {
        const byGeneration = [];
        for (const chain of this.#chainsOf()) {
            (byGeneration[chain.generation] ??= []).push(chain);
        }
        const built = [];
        try {
            byGeneration.forEach((chains) => built.push(new Generation(this.#gyre, chains)));
        } catch (error) {
            built.forEach((generation) => generation.free());
            throw error;
        }
        return built;
    }
}
