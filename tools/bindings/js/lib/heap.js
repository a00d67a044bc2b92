import { GyreError } from './error.js';

const PAGE = 65536; // bytes
const LINE = 64; // bytes of a cache line; each block begins with one

export const roundUp = (bytes, unit = LINE) => Math.ceil(bytes / unit) * unit;

/** Gives out parts of a WebAssembly memory. What it knows of them is kept outside, where no stray write reaches it. */
export class Heap {
    #memory;
    #growable;
    #free; // [{ begin, end }], ascending; no two of them touch
    #ends = new Map(); // of blocks in use, by where they begin

    /** Gives out the memory from `base` on: `bytes` bytes at least. Growable: more when it is used up. */
    constructor(memory, base, bytes, growable) {
        this.#memory = memory;
        this.#growable = growable;
        this.#free = [{ begin: roundUp(base), end: memory.buffer.byteLength }];
        this.#grow(roundUp(base) + bytes - memory.buffer.byteLength);
    }

    /** The address of `bytes` zero bytes. */
    allocate(bytes) {
        const size = roundUp(Math.max(bytes, 1));
        let range = this.#free.find(({ begin, end }) => end - begin >= size);
        if (!range && this.#growable) {
            const last = this.#free.at(-1);
            const atEnd = last?.end === this.#memory.buffer.byteLength ? last.end - last.begin : 0;
            this.#grow(size - atEnd);
            range = this.#free.at(-1);
        }
        if (!range) {
            throw new GyreError('range', `no room for ${bytes} bytes: load({ memory: bytes }) gives more`);
        }
        const address = range.begin;
        range.begin += size;
        if (range.begin === range.end) {
            this.#free.splice(this.#free.indexOf(range), 1);
        }
        this.#ends.set(address, address + size);
        new Uint8Array(this.#memory.buffer, address, size).fill(0);
        return address;
    }

    /** Takes a block back, by the address that allocate gave. */
    release(address) {
        const end = this.#ends.get(address);
        this.#ends.delete(address);
        this.#insert(address, end);
    }

    #insert(begin, end) {
        const after = this.#free.findIndex((range) => range.begin > begin);
        const at = after < 0 ? this.#free.length : after;
        const [before, next] = [this.#free[at - 1], this.#free[at]];
        const joinsNext = next?.begin === end;
        if (before?.end === begin) {
            before.end = joinsNext ? next.end : end;
            this.#free.splice(at, joinsNext ? 1 : 0);
        } else {
            this.#free.splice(at, joinsNext ? 1 : 0, { begin, end: joinsNext ? next.end : end });
        }
    }

    #grow(bytes) {
        if (bytes > 0) {
            const end = this.#memory.buffer.byteLength;
            try {
                this.#memory.grow(Math.ceil(bytes / PAGE));
            } catch {
                throw new GyreError('range', `the host has no ${bytes} bytes more`);
            }
            this.#insert(end, this.#memory.buffer.byteLength);
        }
    }
}
