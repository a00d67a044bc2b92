import { GyreError } from './error.js';
import { constants, records } from './layout.js';

export const IDENTITY = [0, 0, 0, 1]; // x y z w

const camelCase = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** The constants with a prefix, as [[name, value]]: 'GYRE_BODY_' gives GYRE_BODY_EXPLICIT_EULER as 'explicit-euler'. */
export const enumeration = (prefix) =>
    Object.entries(constants)
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, value]) => [name.slice(prefix.length).toLowerCase().replaceAll('_', '-'), value]);

/** The name of the constant with a value. */
export const nameOf = (prefix, value) => enumeration(prefix).find(([, each]) => each === value)?.[0];

const named = (prefix, what) => {
    const values = new Map(enumeration(prefix));
    return {
        get: (data, at) => nameOf(prefix, data.getInt32(at, true)),
        set: (data, at, name) => {
            if (!values.has(name)) {
                throw new GyreError('value', `unknown ${what} '${name}', expected ${[...values.keys()].join(', ')}`);
            }
            data.setInt32(at, values.get(name), true);
        },
    };
};

const floats = (count) => ({
    get: (data, at) => Array.from({ length: count }, (_, i) => data.getFloat32(at + 4 * i, true)),
    set: (data, at, values) => {
        if (values?.length !== count) {
            throw new GyreError('value', `expected an array of ${count} numbers, got ${values}`);
        }
        Array.from(values).forEach((value, i) => data.setFloat32(at + 4 * i, value, true));
    },
});

// How members are read and written, by type. `data` is a DataView of the memory.
const scalars = {
    float: { get: (data, at) => data.getFloat32(at, true), set: (data, at, value) => data.setFloat32(at, value, true) },
    _Bool: { get: (data, at) => data.getUint8(at) !== 0, set: (data, at, value) => data.setUint8(at, value) },
    uint64_t: { get: (data, at) => Number(data.getBigUint64(at, true)) },
    int: {
        set: (data, at, value) => {
            if (value !== (value | 0)) {
                throw new GyreError('value', `expected a 32-bit integer, got ${value}`);
            }
            data.setInt32(at, value, true);
        },
    },
    'float[3]': floats(3),
    'float[4]': floats(4),
    gyre_body_method: named('GYRE_BODY_', 'method'),
    gyre_collider_kind: named('GYRE_COLLIDER_', 'kind of collider'),
    gyre_spring: {
        get: (data, at) => readRecord(data, at, 'gyre_spring'),
        set: (data, at, value) => writeRecord(data, at, 'gyre_spring', value),
    },
};

const elements = { uint8_t: Uint8Array, uint16_t: Uint16Array, size_t: Uint32Array };

const memberOf = ([name, { offset, type }]) => ({
    name: camelCase(name),
    offset,
    scalar: scalars[type],
    pointers: type.includes('*') ? Number(/\[(\d+)\]/.exec(type)?.[1] ?? 1) : 0,
    isGroup: type.includes('['),
    Type: elements[/(\w+) \*/.exec(type)?.[1]] ?? Float32Array,
});
const members = new Map();

/** The members of a struct by name. Each is one value, or `pointers` pointers to arrays. */
export const membersOf = (record) => {
    if (!members.has(record)) {
        const own = Object.entries(records[record].fields)
            .filter(([name, { type }]) => type !== 'size_t' && name !== 'unused') // batches set their counts themselves
            .map(memberOf);
        members.set(record, new Map(own.map((member) => [member.name, member])));
    }
    return members.get(record);
};

/** The struct at an address as an object. */
export const readRecord = (data, address, record) =>
    Object.fromEntries(
        [...membersOf(record).values()].map(({ name, offset, scalar }) => [name, scalar.get(data, address + offset)]),
    );

/** Writes an object's properties to the struct at an address. Members without a property are not written. */
export const writeRecord = (data, address, record, values) => {
    for (const [name, value] of Object.entries(values)) {
        const member = membersOf(record).get(name);
        if (!member) {
            throw new GyreError('value', `unknown property '${name}' of ${record}`);
        }
        if (value !== undefined) {
            member.scalar.set(data, address + member.offset, value);
        }
    }
};
