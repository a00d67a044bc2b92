"""The files that tools/interface/generate.py makes are up to date with the headers and kernels/list.h, and it refuses
inconsistent input.

usage: build/interface.py SOURCE
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

import tap

source = pathlib.Path(sys.argv[1])
READ = ["include/gyre", "kernels/list.h", "tests/cxx/forms.cc", "tools/interface", "tools/docs/functions.md",
        "tools/packaging/debian", "tools/bindings/js", "tools/bindings/python"]


def generate(root, *arguments):
    return subprocess.run([sys.executable, "-B", root / "tools/interface/generate.py", *arguments], capture_output=True,
                          text=True)


def changed(root, path, old, new):
    text = (root / path).read_text()
    assert old in text, f"{path} has no {old}"
    (root / path).write_text(text.replace(old, new, 1))


run = generate(source, "--check")
tap.check(run.returncode == 0, "all files are up to date", run.stderr)

with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    for path in READ:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (source / path).is_dir() else shutil.copy)(source / path, root / path)

    PROTOTYPE = "GYRE_API gyre_status gyre_find_awake("
    changed(root, "include/gyre/arrays.h", PROTOTYPE,
            "GYRE_API gyre_status gyre_clear(float *x, size_t begin, size_t end);\n" + PROTOTYPE)
    run = generate(root)
    tap.check("gyre_clear is not in kernels/list.h" in run.stderr, "a function missing from the list is refused", run.stderr)

    changed(root, "kernels/list.h", "    ROW(find_awake,",
            "    ROW(clear, gyre_clear, (float *x, size_t begin, size_t end), (x, begin, end)) \\\n    ROW(find_awake,")
    changed(root, "tests/cxx/forms.cc", "#define form_find_awake",
            "#define form_clear answer(gyre::clear({begin, end}, span(x, end)))\n#define form_find_awake")
    run = generate(root, "--check")
    tap.check(run.returncode == 1 and all(name in run.stderr for name in (
        "cpu.h", "libgyre0.1.symbols", "functions.md", "lib/functions.js", "functions.d.ts", "calls.js", "_interface.py")),
              "a new function makes every file out of date", run.stderr)
    run = generate(root)
    made = {path.name: path.read_text() for path in root.rglob("*.*") if path.suffix in (
        ".h", ".symbols", ".md", ".js", ".ts", ".py")}
    for name, line in (("cpu.h", "    gyre_status (*clear)(float *x, size_t begin, size_t end);\n} gyre_kernels;"),
                       ("libgyre0.1.symbols", " gyre_clear@Base 0.1.0\n"), ("functions.md", "`gyre::clear` | `clear` | `clear` |"),
                       ("functions.js", "host.kernels.gyre_clear(host.address(x, end), begin, end);"),
                       ("functions.d.ts", "    clear(x: Float32Array, begin?: number, end?: number): void;"),
                       ("calls.js", "path: 'clear',"),
                       ("_interface.py", 'run(library.gyre_clear, (checked.write("x", x),), start, stop, (), checked.count, '
                                         'threads)')):
        tap.check(line in made[name], f"{name} has it", run.stdout + run.stderr)
    run = generate(root, "--check")
    tap.check(run.returncode == 0, "then all files are up to date", run.stderr)
tap.finish()
