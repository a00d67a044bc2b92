// A scene's settings as form elements. Each is {name, kind, label, ...}; values live in one object.
import { LONGEST_TEXT } from './link.js';

/** A number on a logarithmic or linear scale between min and max, for a slider from 0 to 1000. */
const scaleOf = ({ min, max, logarithmic, round }) => logarithmic ?
    { to: (v) => 1000 * Math.log(v / min) / Math.log(max / min), from: (p) => round(min * (max / min) ** (p / 1000)) } :
    { to: (v) => 1000 * (v - min) / (max - min), from: (p) => round(min + (max - min) * p / 1000) };

export const toDigits = (digits) => (value) => Number(value.toPrecision(digits));

function makeInput(setting, value, change, look) {
    if (setting.kind === 'select') {
        const select = document.createElement('select');
        for (const [key, label] of Object.entries(setting.options)) {
            select.add(new Option(label, key, false, key === value));
        }
        select.onchange = () => change(select.value);
        return [select];
    }
    const input = document.createElement('input');
    input.autocomplete = 'off';
    if (setting.kind === 'range') {
        const scale = scaleOf(setting), output = document.createElement('output');
        const show = (v) => {
            output.value = input.ariaValueText = setting.show(v);
        };
        Object.assign(input, { type: 'range', min: 0, max: 1000, step: 1 });
        input.value = scale.to(value);
        input.oninput = () => {
            show(scale.from(Number(input.value)));
            (setting.late ? look : change)(scale.from(Number(input.value))); // costly settings change on release
        };
        input.onchange = () => change(scale.from(Number(input.value)));
        show(value);
        return [input, output];
    }
    if (setting.kind === 'check') {
        Object.assign(input, { type: 'checkbox', checked: value });
        input.onchange = () => change(input.checked);
    } else if (setting.kind === 'file') {
        Object.assign(input, { type: 'file', accept: setting.accept });
        input.onchange = () => input.files.length && change(input.files[0]);
    } else {
        Object.assign(input, { type: 'text', value, maxLength: LONGEST_TEXT, spellcheck: false });
        input.oninput = () => change(input.value);
    }
    return [input];
}

/**
 * Shows settings, and a button for each action, in a form. Calls change(name, value), act(action), and look(values) while
 * a slider moves whose value changes on release.
 */
export function showControls(form, settings, values, actions, { change, look, act }) {
    form.replaceChildren(...settings.filter(({ kind }) => kind !== 'hidden').map((setting) => {
        const label = document.createElement('label'), text = document.createElement('span'), { name } = setting;
        text.textContent = setting.label;
        label.append(text, ...makeInput(setting, values[name], (value) => {
            values[name] = value;
            change(name, value);
        }, (value) => look({ ...values, [name]: value })));
        return label;
    }));
    const row = document.createElement('div');
    row.className = 'actions';
    for (const [label, action] of Object.entries(actions)) {
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = label;
        button.onclick = () => act(action);
        row.append(button);
    }
    form.append(row);
    form.onsubmit = (event) => event.preventDefault();
}
