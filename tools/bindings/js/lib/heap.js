import { GyreError } from './error.js';

const PAGE = 65536; // bytes
const LINE = 64; // bytes; blocks are aligned to cache lines

export const roundUp = (bytes, unit = LINE) => Math.ceil(bytes / unit) * unit;

/** Allocates blocks of a WebAssembly memory. Bookkeeping is kept outside it, where no stray write can reach it. */
export class Heap {
    #memory;
    #growable;
    #free; // [{ begin, end }], ascending; no two of them touch
    #ends = new Map(); // ends of blocks in use, by address

    /** Manages the memory from `base` on, at least `bytes` bytes. If `growable`, the memory grows when it is full. */
    constructor(memory, base, bytes, growable) {
        this.#memory = memory;
        this.#growable = growable;
        this.#free = [{ begin: roundUp(base), end: memory.buffer.byteLength }];
        this.#grow(roundUp(base) + bytes - memory.buffer.byteLength);
    }

    /** Bytes of the blocks in use. */
    get used() {
        return [...this.#ends].reduce((sum, [begin, end]) => sum + end - begin, 0);
    }

    /** Allocates `bytes` zero bytes and returns their address. */
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
            throw new GyreError('range', `out of memory: no room for ${bytes} bytes; load({ memory }) sets the size`);
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

    /** Frees a block, given the address that allocate returned. */
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
                throw new GyreError('range', `out of memory: cannot grow by ${bytes} bytes`);
            }
            this.#insert(end, this.#memory.buffer.byteLength);
        }
    }
}
