// Links to what the screen shows: the scene after #, and its settings, the theme and what draws it in the query.

const NUMBER = /^-?\d+(\.\d+)?(e-?\d+)?$/i;
export const LONGEST_TEXT = 40; // characters
const SHOWN_TEXT = 24; // characters of a wrong value

const shown = (number) => number.toLocaleString('en');

/** How the query has the value of each kind of setting. `read` returns undefined for what is none. */
const forms = {
    range: {
        read: (text, { min, max, round }) =>
            NUMBER.test(text) && Number(text) >= min && Number(text) <= max ? round(Number(text)) : undefined,
        write: String,
        expected: ({ min, max }) => `a number from ${shown(min)} to ${shown(max)}`,
    },
    select: {
        read: (text, { options }) => Object.hasOwn(options, text) ? text : undefined,
        write: String,
        expected: ({ options }) => `one of ${Object.keys(options).join(', ')}`,
    },
    check: {
        read: (text) => text === 'yes' ? true : text === 'no' ? false : undefined,
        write: (value) => value ? 'yes' : 'no',
        expected: () => 'yes or no',
    },
    text: {
        read: (text) => text.length <= LONGEST_TEXT ? text : undefined,
        write: String,
        expected: () => `at most ${LONGEST_TEXT} characters`,
    },
    file: {
        read: () => undefined,
        write: () => undefined, // a link cannot hold a file
        expected: () => 'a file, which is chosen in the settings',
    },
};

forms.hidden = forms.range; // changed by dragging the picture

/** Settings of the page itself. */
export const PAGE = [
    { name: 'theme', kind: 'select', options: { dark: 'Dark', light: 'Light' } },
    { name: 'renderer', kind: 'select', options: { webgl: 'WebGL2', '2d': 'canvas 2D' } },
];

/** Reads the values of settings from a query. `wrong` has a sentence for each parameter that has no effect. */
export function readLink(query, settings) {
    const values = {}, wrong = [], known = new Map(settings.map((setting) => [setting.name, setting]));
    for (const name of new Set(query.keys())) {
        const texts = query.getAll(name), setting = known.get(name);
        if (!setting) {
            wrong.push(`“${name.slice(0, SHOWN_TEXT)}” is not a parameter of this scene. It has ${[...known.keys()].join(', ')}.`);
            continue;
        }
        const form = forms[setting.kind], value = texts.length === 1 ? form.read(texts[0], setting) : undefined;
        if (value === undefined) {
            wrong.push(texts.length > 1 ? `${name} is there ${texts.length} times; its default is used.` :
                `${name}=${texts[0].slice(0, SHOWN_TEXT)}: expected ${form.expected(setting)}; its default is used.`);
        } else {
            values[name] = value;
        }
    }
    return { values, wrong };
}

/** A query with the values that are not the defaults. */
export function writeLink(settings, defaults, values) {
    const query = new URLSearchParams();
    for (const { name, kind } of settings) {
        const text = values[name] === defaults[name] ? undefined : forms[kind].write(values[name]);
        if (text !== undefined) {
            query.set(name, text);
        }
    }
    return query;
}
