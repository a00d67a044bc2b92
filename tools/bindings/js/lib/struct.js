import { booleanOf, hasLength, numberOf, objectOf, optionsOf, shown, unknown } from './check.js';
import { GyreError } from './error.js';
import { constants, records } from './layout.js';

export const IDENTITY = [0, 0, 0, 1]; // x y z w

export const camelCase = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

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
                throw unknown(what, name, [...values.keys()]);
            }
            data.setInt32(at, values.get(name), true);
        },
    };
};

const floats = (count) => ({
    get: (data, at) => Array.from({ length: count }, (_, i) => data.getFloat32(at + 4 * i, true)),
    set: (data, at, values, name) => {
        if (!hasLength(values, count)) {
            throw new GyreError('value', `${name}: expected an array of ${count} numbers, got ${shown(values)}`);
        }
        const numbers = Array.from(values, (value, i) => numberOf(value, `${name}[${i}]`));
        numbers.forEach((value, i) => data.setFloat32(at + 4 * i, value, true));
    },
});

const SPRING = ['angularFrequency', 'dampingRatio', 'follow'];

/** Writes a whole spring, of which only `follow` may be missing. */
export const writeSpring = (data, at, spring, name = 'spring') => {
    const { angularFrequency, dampingRatio, follow = 0 } = optionsOf(spring, name, SPRING);
    numberOf(angularFrequency, 'angularFrequency');
    numberOf(dampingRatio, 'dampingRatio');
    numberOf(follow, 'follow');
    data.setFloat32(at, angularFrequency, true);
    data.setFloat32(at + 4, dampingRatio, true);
    data.setFloat32(at + 8, follow, true);
};

// How members are read and written, by type. `data` is a DataView of the memory.
const scalars = {
    float: {
        get: (data, at) => data.getFloat32(at, true),
        set: (data, at, value, name) => data.setFloat32(at, numberOf(value, name), true),
    },
    _Bool: {
        get: (data, at) => data.getUint8(at) !== 0,
        set: (data, at, value, name) => data.setUint8(at, booleanOf(value, name)),
    },
    uint64_t: { get: (data, at) => Number(data.getBigUint64(at, true)) },
    int: {
        set: (data, at, value, name) => {
            if (!Number.isInteger(value) || value !== (value | 0)) {
                throw new GyreError('value', `${name}: expected a 32-bit integer, got ${shown(value)}`);
            }
            data.setInt32(at, value, true);
        },
    },
    'float[3]': floats(3),
    'float[4]': floats(4),
    gyre_body_method: named('GYRE_BODY_', 'method'),
    gyre_collider_kind: named('GYRE_COLLIDER_', 'kind of collider'),
    gyre_spring: { get: (data, at) => readRecord(data, at, 'gyre_spring'), set: writeSpring },
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

/** The properties of a bone, of which all may be missing. */
export const boneValues = (bone) => ({ ...objectOf(bone, 'bone'), rest: bone.rest ?? IDENTITY });

/** Writes an object's properties to the struct at an address. Members without a property are not written. */
export const writeRecord = (data, address, record, values) => {
    const own = membersOf(record);
    for (const [name, value] of Object.entries(objectOf(values, record))) {
        const member = own.get(name);
        if (!member) {
            throw unknown('property', name, [...own.keys()], record);
        }
        if (value !== undefined) {
            member.scalar.set(data, address + member.offset, value, name);
        }
    }
};
