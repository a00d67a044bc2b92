// Why Gyre did not load, for people.

/** A module with one SIMD instruction, for WebAssembly.validate. */
const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
    253, 98, 11]);

/** What the browser lacks, or what else went wrong. */
export function reasonOf(error) {
    if (typeof WebAssembly === 'undefined') {
        return 'This browser has no WebAssembly, or it is switched off.';
    }
    if (!WebAssembly.validate(SIMD)) {
        return 'This browser’s WebAssembly has no SIMD. Chrome has it since version 91, Firefox since 89, Safari since 16.4.';
    }
    if (typeof DecompressionStream === 'undefined') {
        return 'This browser has no DecompressionStream. Chrome has it since version 80, Firefox since 113, Safari since 16.4.';
    }
    return `Gyre did not load: ${error.message}`;
}
