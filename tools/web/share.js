// The buttons that copy: a link to what the screen shows, and its parameters as a program in C or in JavaScript.

const $ = (id) => document.getElementById(id);
const NOTICE_S = 4;
const LANGUAGES = { c: 'c', javascript: 'js' }; // button and suffix

/** How each language writes a parameter: a number, or the name of a method. */
const forms = {
    c: {
        pattern: (name) => new RegExp(`^(#define ${name.toUpperCase()} ).+$`, 'm'),
        write: (value) => typeof value === 'string' ? `GYRE_BODY_${value.toUpperCase().replaceAll('-', '_')}` : String(value),
        comment: (text) => `/* ${text} */\n`,
    },
    js: {
        pattern: (name) => new RegExp(`^(const ${name} = ).+(?=;$)`, 'm'),
        write: (value) => typeof value === 'string' ? `'${value}'` : String(value),
        comment: (text) => `// ${text}\n`,
    },
};

/** A program of code/ with values in place of its own. `names` are the parameters that it has. */
function fill(program, suffix, names, values, link) {
    const { pattern, write, comment } = forms[suffix];
    return comment(link) + names.reduce((text, name) => {
        if (!pattern(name).test(text)) {
            throw new Error(`the program has no parameter ${name}`);
        }
        const number = Number(values[name]); // choices of numbers are texts
        return text.replace(pattern(name), (_, start) => start + write(isNaN(number) ? values[name] : number));
    }, program);
}

const programs = {}; // by file

/** Fetches the programs of a scene, so that a press can copy them at once, as browsers require. */
export async function prepare(scene) {
    for (const file of Object.values(LANGUAGES).map((suffix) => `code/${scene}.${suffix}`)) {
        if (!programs[file]) {
            const answer = await fetch(file);
            if (!answer.ok) {
                throw new Error(`${file}: ${answer.status} ${answer.statusText}`);
            }
            programs[file] = await answer.text();
        }
    }
}

let noticed;
function notice(text) {
    $('copied').value = text;
    clearTimeout(noticed);
    noticed = setTimeout(() => {
        $('copied').value = '';
    }, 1000 * NOTICE_S);
}

/** Copies a text, or shows it for copying by hand where a browser does not let pages copy. */
async function copy(text, what) {
    try {
        await navigator.clipboard.writeText(text);
        notice(`${what} copied`);
    } catch {
        $('by-hand').querySelector('textarea').value = text;
        $('by-hand').showModal();
        $('by-hand').querySelector('textarea').select();
    }
}

/** `shown()` returns what the screen shows: {scene, link, names, values, note}. */
export function showShare(shown) {
    $('link').onclick = () => {
        const { link, note } = shown();
        copy(link, `link${note}`);
    };
    for (const [button, suffix] of Object.entries(LANGUAGES)) {
        $(button).onclick = () => {
            const { scene, link, names, values } = shown(), program = programs[`code/${scene}.${suffix}`];
            if (program) {
                copy(fill(program, suffix, names, values, link), $(button).textContent);
            } else {
                notice('the program is still loading');
            }
        };
    }
}
