// Checks of what callers pass. Each throws a GyreError that says what was wrong.
import { GyreError } from './error.js';

/** A value as messages show it. */
export const shown = (value) => {
    if (typeof value === 'string') {
        return `'${value}'`;
    }
    if (typeof value === 'function') {
        return 'a function';
    }
    if (typeof value !== 'object' || value === null) {
        return String(value);
    }
    const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
    return Array.isArray(value) || ArrayBuffer.isView(value) ? `${kind}(${value.length})` : kind;
};

/** The fewest letters to insert, remove, replace or swap with their neighbours that make b of a. */
const distance = (a, b) => {
    let before = [];
    let row = Array.from({ length: b.length + 1 }, (_, j) => j);
    for (let i = 1; i <= a.length; i++) {
        const next = [i];
        for (let j = 1; j <= b.length; j++) {
            next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
            if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
                next[j] = Math.min(next[j], before[j - 2] + 1);
            }
        }
        [before, row] = [row, next];
    }
    return row[b.length];
};

/** The error for a name that is none of `names`: "unknown property 'x' of options". */
export const unknown = (kind, name, names, owner) => {
    const text = typeof name === 'string' ? name : shown(name);
    const [nearest] = names
        .map((each) => ({ each, letters: distance(text.toLowerCase(), each.toLowerCase()) }))
        .filter(({ each, letters }) => letters <= Math.max(1, each.length / 3))
        .sort((a, b) => a.letters - b.letters);
    const hint = nearest ? `; did you mean '${nearest.each}'?` : `, expected ${names.join(', ')}`;
    return new GyreError('value', `unknown ${kind} '${text}'${owner ? ` of ${owner}` : ''}${hint}`);
};

/** The value, which must be an object with properties, and no array. */
export const objectOf = (value, what) => {
    if (typeof value !== 'object' || value === null || Symbol.iterator in value) {
        throw new GyreError('value', `${what}: expected an object, got ${shown(value)}`);
    }
    return value;
};

/** The same, with no other properties than `names`. */
export const optionsOf = (value, what, names) => {
    // In a loop over `in`, which makes no array: these are checked in every frame.
    for (const name in objectOf(value, what)) {
        if (!names.includes(name) && Object.hasOwn(value, name)) {
            throw unknown('property', name, names, what);
        }
    }
    return value;
};

export const numberOf = (value, what) => {
    if (typeof value !== 'number') {
        throw new GyreError('value', `${what}: expected a number, got ${shown(value)}`);
    }
    return value;
};

export const booleanOf = (value, what) => {
    if (typeof value !== 'boolean') {
        throw new GyreError('value', `${what}: expected true or false, got ${shown(value)}`);
    }
    return value;
};

/** A whole number that C takes as a size. */
export const sizeOf = (value, what) => {
    if (!Number.isInteger(value) || value < 0) {
        throw new GyreError('value', `${what} must be a whole number, at least 0; got ${shown(value)}`);
    }
    if (value >= 2 ** 32) {
        throw new GyreError('range', `${what} must be less than 2^32; got ${value}`);
    }
    return value;
};

/** Whether a value is an array of `count` elements, or like one. */
export const hasLength = (values, count) => typeof values === 'object' && values?.length === count;

/** The error for an array of another length, or for what is none. */
export const misfit = (what, wanted, got) =>
    typeof got === 'object' && Number.isInteger(got?.length)
        ? new GyreError('range', `${what}: expected ${wanted}, got ${got.length}`)
        : new GyreError('value', `${what}: expected ${wanted}, got ${shown(got)}`);

/** Copies an array of numbers, or what is like one, to a typed array. Floats are rounded, others must fit. */
export const copyNumbers = (values, to, what) => {
    const isFloat = to instanceof Float32Array;
    if (isFloat && values instanceof Float32Array) {
        to.set(values);
        return;
    }
    const refuse = (i, wanted) => {
        throw new GyreError('value', `${what}[${i}]: expected ${wanted}, got ${shown(values[i])}`);
    };
    for (let i = 0; i < values.length; i++) {
        if (typeof values[i] !== 'number') {
            refuse(i, 'a number');
        }
    }
    if (values.length > 0) {
        to.set(values);
    }
    for (let i = 0; i < values.length && !isFloat; i++) {
        if (to[i] !== values[i]) {
            refuse(i, `a whole number from 0 to ${2 ** (8 * to.BYTES_PER_ELEMENT) - 1}`);
        }
    }
};
