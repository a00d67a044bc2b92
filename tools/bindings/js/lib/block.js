import { GyreError } from './error.js';

/** An array in the module's memory. */
export class Block {
    #host;
    #Type;
    #address;
    #view;

    constructor(host, Type, length) {
        if (!Number.isInteger(length) || length < 0) {
            throw new GyreError('value', `length must be a whole number, at least 0; got ${length}`);
        }
        this.length = length;
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
}

export const blocks = (host) => ({
    float32: (length) => new Block(host, Float32Array, length),
    uint8: (length) => new Block(host, Uint8Array, length),
    uint16: (length) => new Block(host, Uint16Array, length),
    uint32: (length) => new Block(host, Uint32Array, length),
});
