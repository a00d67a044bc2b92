import { sizeOf } from './check.js';
import { GyreError } from './error.js';
import { firstOf, INSPECT } from './shown.js';

/** An array in the module's memory. */
export class Block {
    #host;
    #Type;
    #address;
    #view;

    constructor(host, Type, length) {
        this.length = sizeOf(length, 'length');
        this.#host = host;
        this.#Type = Type;
        this.#address = host.heap.allocate(length * Type.BYTES_PER_ELEMENT);
    }

    get view() {
        if (!this.#address) {
            throw new GyreError('null', 'the array was freed');
        }
        const { buffer } = this.#host.views;
        if (this.#view?.buffer !== buffer) {
            this.#view = new this.#Type(buffer, this.#address, this.length);
        }
        return this.#view;
    }

    /** Frees the memory. A second call does nothing. */
    free() {
        if (this.#address) {
            this.#host.heap.release(this.#address);
            this.#address = 0;
        }
    }

    /** 'float32(1000) [1, 2, 3, ...]' */
    toString() {
        const name = `${this.#Type.name.replace('Array', '').toLowerCase()}(${this.length})`;
        return this.#address ? `${name} ${firstOf(this.view, this.length)}` : `${name}, freed`;
    }

    [INSPECT]() {
        return this.toString();
    }

    toJSON() {
        return Array.from(this.view);
    }
}

export const blocks = (host) => {
    const make = (Type) => (length) => Object.freeze(new Block(host, Type, length));
    return {
        float32: make(Float32Array),
        uint8: make(Uint8Array),
        uint16: make(Uint16Array),
        uint32: make(Uint32Array),
    };
};
