import { booleanOf, hasLength, numberOf, optionsOf, shown, sizeOf } from './check.js';
import { GyreError } from './error.js';
import { Heap } from './heap.js';
import { records } from './layout.js';
import { boneValues, nameOf, readRecord, writeRecord, writeSpring } from './struct.js';

const SCRATCH = 8192; // bytes
const DEFAULT_MEMORY = 16 << 20; // bytes

const failures = {
    '-1': { code: 'null', reason: 'a required array is missing' },
    '-2': { code: 'range', reason: 'begin, end or a length is out of range, or a result is too large for a float' },
    '-3': { code: 'value', reason: 'an argument is NaN, infinite or outside its range' },
};

const viewsOf = (buffer) => ({
    buffer,
    data: new DataView(buffer),
    bytes: new Uint8Array(buffer),
    floats: new Float32Array(buffer),
});

/** An instance of the module and its memory. Converts between JavaScript values and C values in that memory. */
export class Host {
    #views;
    #scratch;
    #used = 0;

    constructor(exports, options = {}) {
        const { memory = DEFAULT_MEMORY, growable = false } = optionsOf(options, 'options', ['memory', 'growable']);
        sizeOf(memory, 'memory');
        booleanOf(growable, 'growable');
        this.exports = exports;
        this.memory = exports.memory;
        this.#views = viewsOf(this.memory.buffer);
        this.heap = new Heap(this.memory, exports.__heap_base.value, memory + SCRATCH, growable);
        this.#scratch = this.heap.allocate(SCRATCH);
        /** The functions that return a gyre_status, by their C names. They return false for GYRE_INCOMPLETE. */
        this.kernels = {};
        for (const [name, kernel] of Object.entries(exports)) {
            this.kernels[name] = (...values) => {
                for (let i = 0; i < values.length; i++) {
                    numberOf(values[i], name); // WebAssembly would convert it
                }
                const status = kernel(...values);
                if (status < 0) {
                    const { code, reason } = failures[status];
                    throw new GyreError(code, `${name}: ${reason}`);
                }
                return status === 0;
            };
        }
    }

    /** The whole memory, as { buffer, data, bytes, floats }. Views become empty when the memory grows. */
    get views() {
        if (this.#views.bytes.length === 0) {
            this.#views = viewsOf(this.memory.buffer);
        }
        return this.#views;
    }

    get data() {
        return this.views.data;
    }

    /** The address of `bytes` zero bytes, valid until the call returns. One call may use half of SCRATCH. */
    scratch(bytes) {
        const size = (bytes + 7) & ~7;
        if (size > SCRATCH / 2) {
            throw new GyreError('range', 'too many arguments');
        }
        const at = this.#used + size > SCRATCH ? 0 : this.#used;
        this.#used = at + size;
        const address = this.#scratch + at;
        this.views.bytes.fill(0, address, address + size);
        return address;
    }

    /** The address of a struct filled from the properties of an object. */
    record(name, values) {
        const address = this.scratch(records[name].size);
        writeRecord(this.data, address, name, values);
        return address;
    }

    /** The address of a spring. */
    spring(spring) {
        const address = this.scratch(records.gyre_spring.size);
        writeSpring(this.data, address, spring);
        return address;
    }

    /** The address of a bone. */
    bone(bone) {
        return this.record('gyre_bone', boneValues(bone));
    }

    /** The address of a copy of `count` numbers as floats. */
    copy(values, count) {
        if (!hasLength(values, count)) {
            throw new GyreError('value', `expected an array of ${count} numbers, got ${shown(values)}`);
        }
        const address = this.scratch(4 * count);
        const { floats } = this.views;
        if (values instanceof Float32Array) {
            floats.set(values, address / 4);
            return address;
        }
        for (let i = 0; i < count; i++) {
            floats[address / 4 + i] = numberOf(values[i], 'an element of the array');
        }
        return address;
    }

    /** `count` floats that `call` writes. It gets the addresses of the first four. */
    results(count, call) {
        const address = this.scratch(4 * count);
        call(address, address + 4, address + 8, address + 12);
        return this.floats(address, count);
    }

    /** These read what a call has written: a spring, a bone, `count` floats, or the name of a constant. */
    readSpring(address) {
        return readRecord(this.data, address, 'gyre_spring');
    }

    readBone(address) {
        return readRecord(this.data, address, 'gyre_bone');
    }

    floats(address, count) {
        return this.views.floats.slice(address / 4, address / 4 + count);
    }

    constant(address, prefix) {
        return nameOf(prefix, this.data.getInt32(address, true));
    }

    /** The address of an array in the memory, which must have at least `length` elements. */
    address(array, length, Type = Float32Array) {
        if (!(array instanceof Type) || array.buffer !== this.views.buffer) {
            throw new GyreError(
                'value',
                `expected a ${Type.name} in Gyre's memory, got ${shown(array)}` +
                    (array instanceof Type ? ' outside it; views from before it grew are no longer valid' : ''),
            );
        }
        if (array.length < length) {
            throw new GyreError('range', `expected an array of at least ${length} elements, got ${array.length}`);
        }
        return array.byteOffset;
    }

    /** The same, or 0 if there is no array. */
    optional(array, length) {
        return array == null ? 0 : this.address(array, length);
    }

    /** The address of an array of structures, of which the first `count` are used, up to `components` floats of each. */
    structures(array, count, strideBytes, components) {
        sizeOf(strideBytes, 'strideBytes');
        return this.address(array, count > 0 ? ((count - 1) * strideBytes) / 4 + components : 0);
    }

    /** The address of a table of the addresses of such arrays, `count` of them if that is given. */
    table(arrays, length, count) {
        if (!Array.isArray(arrays) || arrays.length !== (count ?? arrays.length)) {
            throw new GyreError(
                'value',
                `expected an array of ${count ?? 'one or more'} typed arrays, got ${shown(arrays)}`,
            );
        }
        const address = this.scratch(4 * arrays.length);
        arrays.forEach((array, i) => this.data.setUint32(address + 4 * i, this.address(array, length), true));
        return address;
    }

    /** Rejects ranges that would become a different range when converted for C. */
    range(begin, end) {
        if (!(Number.isInteger(begin) && Number.isInteger(end) && 0 <= begin && begin <= end && end < 2 ** 32)) {
            throw new GyreError(
                'range',
                `expected whole numbers 0 <= begin <= end, got ${shown(begin)} and ${shown(end)}`,
            );
        }
    }

    string(address) {
        const { bytes } = this.views;
        return String.fromCharCode(...bytes.subarray(address, bytes.indexOf(0, address)));
    }
}
