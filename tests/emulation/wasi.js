/* Runs a WebAssembly test program in any JavaScript engine. It implements the parts of WASI that the tests need: the
   environment, output and a clock. There are no files and no arguments.
     node wasi.js PROGRAM                     with GYRE_TEST_ variables as they are
     jsc wasi.js -- PROGRAM [NAME=VALUE...]
   A browser calls run. */

/* Runs a program: environment has "NAME=VALUE" strings, write takes bytes of output. Returns the exit code. */
function run(program, environment, write) {
    const ok = 0, badFile = 8, exited = { code: 0 };
    let memory;
    const view = () => new DataView(memory.buffer), bytes = () => new Uint8Array(memory.buffer);
    const texts = environment.map((text) => Array.from(text + "\0", (c) => c.charCodeAt(0)));
    const wasi = {
        args_sizes_get(count, size) { view().setUint32(count, 0, true); view().setUint32(size, 0, true); return ok; },
        args_get: () => ok,
        environ_sizes_get(count, size) {
            view().setUint32(count, texts.length, true);
            view().setUint32(size, texts.reduce((sum, text) => sum + text.length, 0), true);
            return ok;
        },
        environ_get(pointers, at) {
            texts.forEach((text, i) => {
                view().setUint32(pointers + 4 * i, at, true);
                bytes().set(text, at);
                at += text.length;
            });
            return ok;
        },
        clock_time_get(id, precision, out) {
            view().setBigUint64(out, BigInt(Math.round((globalThis.performance || Date).now() * 1e6)), true);
            return ok;
        },
        fd_fdstat_get(file, out) { bytes().fill(0, out, out + 24); bytes()[out] = 2; return file <= 2 ? ok : badFile; },
        fd_write(file, pieces, count, written) {
            let total = 0;
            for (let i = 0; i < count; i++) {
                const at = view().getUint32(pieces + 8 * i, true), size = view().getUint32(pieces + 8 * i + 4, true);
                write(bytes().slice(at, at + size));
                total += size;
            }
            view().setUint32(written, total, true);
            return ok;
        },
        proc_exit(code) { exited.code = code; throw exited; },
    };
    const module = new WebAssembly.Module(program), imports = {};
    for (const { name } of WebAssembly.Module.imports(module)) {
        imports[name] = wasi[name] || (() => badFile); /* files */
    }
    const { exports } = new WebAssembly.Instance(module, { wasi_snapshot_preview1: imports });
    memory = exports.memory;
    try {
        exports._start();
    } catch (e) {
        if (e !== exited) { throw e; }
    }
    return exited.code;
}

if (typeof process === "object") {
    const fs = require("fs"), environment = Object.entries(process.env).map(([name, value]) => `${name}=${value}`);
    process.exitCode = run(fs.readFileSync(process.argv[2]), environment.filter((text) => text.startsWith("GYRE_TEST_")),
                           (bytes) => fs.writeSync(1, bytes));
} else if (typeof readFile === "function") {
    let text = "";
    const [program, ...environment] = arguments;
    const code = run(readFile(program, "binary"), environment, (bytes) => { text += String.fromCharCode(...bytes); });
    print(text);
    if (code !== 0) { quit(code); }
}
