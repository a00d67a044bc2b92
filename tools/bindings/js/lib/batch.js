import { copyNumbers, hasLength, misfit, optionsOf, sizeOf } from './check.js';
import { GyreError } from './error.js';
import { roundUp } from './heap.js';
import { records } from './layout.js';
import { firstOf, INSPECT, plain } from './shown.js';
import { camelCase, membersOf } from './struct.js';

const given = (value) => value !== undefined && value !== null && value !== false;

/** A struct of arrays in the module's memory. Its class has a property for each member of the C struct. */
export class Batch {
    #address; // of the block with the arrays, and the struct unless that is elsewhere
    #struct;
    #lengths;
    #views = new Map();

    /**
     * Adds a property to a class for each member of its struct, except those that it has already. `defaults` are initial
     * values.
     */
    static describe(Class, record, defaults = {}) {
        Object.assign(Class, { record, defaults });
        for (const [name, member] of [...membersOf(record)].filter(([each]) => !Object.hasOwn(Class.prototype, each))) {
            const { offset, scalar } = member;
            Object.defineProperty(Class.prototype, name, {
                get() {
                    // Frozen, because a spring is a copy: an assignment to a part of it would be lost.
                    return scalar
                        ? Object.freeze(scalar.get(this.host.data, this.pointer + offset))
                        : this.#view(member);
                },
                set:
                    scalar &&
                    function (value) {
                        scalar.set(this.host.data, this.pointer + offset, value, name);
                    },
            });
        }
    }

    /**
     * The value of an array is true for zeros, one number for all, or an array. Without a value it is not created.
     * `lengths` are those of arrays with other lengths than `count`. The struct may be `at` an address in another batch.
     */
    constructor(host, count, values = {}, { lengths = {}, at } = {}) {
        const { record, defaults } = this.constructor;
        const members = membersOf(record);
        sizeOf(count, 'count');
        optionsOf(values, record, [...members.keys()]);
        const starts = new Map(
            [...members.keys()].map((name) => [name, values[name] === undefined ? defaults[name] : values[name]]),
        );
        this.host = host;
        this.count = count;
        this.#lengths = lengths;

        const arrays = [...members.values()].filter(({ name, pointers }) => pointers && given(starts.get(name)));
        let size = at ? 0 : roundUp(records[record].size);
        const places = arrays.map(({ name, pointers, Type }) =>
            Array.from({ length: pointers }, () => {
                const place = size;
                size += roundUp(this.#lengthOf(name) * Type.BYTES_PER_ELEMENT);
                return place;
            }),
        );
        this.#address = host.heap.allocate(size);
        this.#struct = at ?? this.#address;
        try {
            if (records[record].fields.count) {
                host.data.setUint32(this.#struct + records[record].fields.count.offset, count, true);
            }
            arrays.forEach(({ offset }, i) =>
                places[i].forEach((place, component) =>
                    host.data.setUint32(this.#struct + offset + 4 * component, this.#address + place, true),
                ),
            );
            members.forEach((member, name) => this.#start(member, starts.get(name)));
        } catch (error) {
            Batch.prototype.free.call(this); // a derived class has nothing to free yet
            throw error;
        }
    }

    /** The address of the struct, for the functions of gyre.exports. */
    get pointer() {
        if (!this.#address) {
            throw new GyreError('null', 'the batch was freed');
        }
        return this.#struct;
    }

    /** Frees the memory. Its views must not be used afterwards. A second call does nothing. */
    free() {
        if (this.#address) {
            this.host.heap.release(this.#address);
            this.#address = 0;
            this.#views.clear();
        }
    }

    /** Calls a kernel for the elements begin..end-1. Returns false if it could not process all of them. */
    call(kernel, begin, end, ...values) {
        return this.host.kernels[kernel](this.pointer, begin, end, ...values);
    }

    /** 'springs(1000) { position: [1, 2, 3, ...] }' */
    toString() {
        const { record } = this.constructor;
        const name = `${camelCase(record.slice('gyre_'.length))}(${this.count})`;
        if (!this.#address) {
            return `${name}, freed`;
        }
        const place = membersOf(record).has('position') ? 'position' : 'orientation';
        return `${name} { ${place}: ${this[place] ? firstOf(this[place], this.count) : null} }`;
    }

    [INSPECT]() {
        return this.toString();
    }

    /** The count and the values of all members that it has. */
    toJSON() {
        const members = [...membersOf(this.constructor.record).keys()].map((name) => [name, plain(this[name])]);
        return Object.fromEntries([['count', this.count], ...members.filter(([, value]) => value !== null)]);
    }

    #lengthOf(name) {
        return this.#lengths[name] ?? this.count;
    }

    #start(member, value) {
        const { name, scalar, isGroup, Type } = member;
        if (scalar && value !== undefined) {
            this[name] = value;
        }
        if (scalar || !given(value)) {
            return;
        }
        const length = this.#lengthOf(name);
        const arrays = isGroup ? this.#view(member) : [this.#view(member)];
        if (isGroup && typeof value === 'object' && !hasLength(value, arrays.length)) {
            throw misfit(name, `${arrays.length} components`, value);
        }
        arrays.forEach((view, component) => {
            const start = isGroup && typeof value === 'object' ? value[component] : value;
            if (typeof start === 'number') {
                copyNumbers([start], new Type(1), name); // checks it
                view.fill(start);
            } else if (hasLength(start, length)) {
                copyNumbers(start, view, name);
            } else if (start !== true) {
                throw misfit(name, `${length} values`, start);
            }
        });
    }

    #view(member) {
        const { buffer } = this.host.views;
        let kept = this.#views.get(member);
        if (kept?.buffer !== buffer) {
            const at = this.pointer + member.offset;
            const length = this.#lengthOf(member.name);
            const addresses = Array.from({ length: member.pointers }, (_, i) =>
                this.host.data.getUint32(at + 4 * i, true),
            );
            const views = addresses.map((address) => address && new member.Type(buffer, address, length));
            kept = { buffer, view: !addresses[0] ? null : member.isGroup ? Object.freeze(views) : views[0] };
            this.#views.set(member, kept);
        }
        return kept.view;
    }
}
