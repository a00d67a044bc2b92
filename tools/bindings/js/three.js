import { Generation } from './lib/generation.js';
import { chainsOf } from './lib/joints.js';

/**
 * The spring bones of any number of characters of three-vrm, in place of their VRMSpringBoneManagers. Objects of three.js
 * are used by their properties; three.js is not imported.
 */
export class SpringBones {
    #gyre;
    #characters = new Map(); // their chains
    #generations = null; // null where characters have changed

    constructor(gyre) {
        this.#gyre = gyre;
    }

    add(character) {
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
        if (!(dt > 0)) {
            return; // as VRMSpringBoneManager
        }
        this.#generations ??= this.#build();
        this.#generations.forEach((generation) => generation.update(dt));
    }

    free() {
        this.#save();
        this.#characters.clear();
    }

    #chainsOf(character) {
        return character ? (this.#characters.get(character) ?? []) : [...this.#characters.values()].flat();
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
