// How objects are shown by console.log, in templates and in JSON.

/** The name of the method that console.log calls in Node, Deno and Bun. */
export const INSPECT = Symbol.for('nodejs.util.inspect.custom');

const FEW = 3;

/** A float to six digits. */
const digits = (value) => String(Number(value.toPrecision(6)));

/** The first of `count` elements: numbers, or one in each of several arrays. */
export const firstOf = (arrays, count) => {
    const elements = Array.from({ length: Math.min(count, FEW) }, (_, i) =>
        Array.isArray(arrays) ? `[${arrays.map((array) => digits(array[i])).join(', ')}]` : digits(arrays[i]),
    );
    return `[${[...elements, ...(count > FEW ? ['...'] : [])].join(', ')}]`;
};

/** Typed arrays as arrays, at any depth. */
export const plain = (value) => {
    if (ArrayBuffer.isView(value)) {
        return Array.from(value);
    }
    return Array.isArray(value) ? value.map(plain) : value;
};
