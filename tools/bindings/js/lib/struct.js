import { GyreError } from './error.js';
import { constants, records } from './layout.js';

const camelCase = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** The constants with a prefix, as [[name, value]]: 'GYRE_BODY_' gives GYRE_BODY_EXPLICIT_EULER as 'explicit-euler'. */
export const enumeration = (prefix) =>
    Object.entries(constants)
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, value]) => [name.slice(prefix.length).toLowerCase().replaceAll('_', '-'), value]);

const methods = new Map(enumeration('GYRE_BODY_'));

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
    gyre_body_method: {
        set: (data, at, value) => {
            if (!methods.has(value)) {
                throw new GyreError('value', `unknown method '${value}', expected ${[...methods.keys()].join(', ')}`);
            }
            data.setInt32(at, methods.get(value), true);
        },
    },
    gyre_spring: {
        get: (data, at) => readRecord(data, at, 'gyre_spring'),
        set: (data, at, value) => writeRecord(data, at, 'gyre_spring', value),
    },
};

const memberOf = ([name, { offset, type }]) => ({
    name: camelCase(name),
    offset,
    scalar: scalars[type],
    pointers: type.includes('*') ? Number(/\[(\d+)\]/.exec(type)?.[1] ?? 1) : 0,
    isGroup: type.includes('['),
    Type: type.includes('uint8_t') ? Uint8Array : Float32Array,
});
const members = new Map();

/** The members of a struct by name. Each is one value, or `pointers` pointers to arrays. */
export const membersOf = (record) => {
    if (!members.has(record)) {
        const own = Object.entries(records[record].fields)
            .filter(([name]) => name !== 'count')
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
