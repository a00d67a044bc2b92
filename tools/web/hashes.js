// The hashes of the state after 120 scripted frames: in this browser, and from the native program that tools/web.sh
// ran.
import { scripts } from './frames.js';

const hex = (hash) => hash.toString(16).padStart(16, '0');

/** Runs each script, shows both hashes, and reports whether all are equal. */
export async function showHashes(gyre) {
    const verdict = document.getElementById('verdict'), answer = await fetch('native.json');
    if (!answer.ok) {
        verdict.value = `native.json is missing (${answer.status})`;
        return;
    }
    const native = await answer.json();
    const body = document.querySelector('#hashes tbody'), equal = [];
    document.getElementById('native-table').textContent = native.table;
    for (const [name, run] of Object.entries(scripts)) {
        await new Promise(requestAnimationFrame); // lets the page draw between two scripts
        const own = hex(run(gyre)), row = body.insertRow();
        const head = document.createElement('th');
        head.scope = 'row';
        head.textContent = name;
        row.append(head);
        row.insertCell().textContent = own;
        row.insertCell().textContent = native.hashes[name];
        equal.push(own === native.hashes[name]);
    }
    const all = equal.length > 0 && equal.every(Boolean);
    verdict.value = all ? 'yes' : 'no';
    verdict.dataset.equal = all;
}
