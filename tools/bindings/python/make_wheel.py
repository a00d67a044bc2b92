"""Makes a wheel and a source distribution of the commit that is checked out.

usage: tools/bindings/python/make_wheel.py FOLDER

meson-python 0.12 tags a wheel without extension modules py3-none-any, though it has a library. Here it gets the tag of
the platform, which serves every Python from 3.9 on: that of the oldest C library whose functions Gyre's library calls.
"""
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

import mesonpy

SOURCE = pathlib.Path(__file__).resolve().parents[3]
OLDEST = 17  # no tag has an older C library than 2.17


def wheel(*arguments):
    subprocess.run([sys.executable, "-m", "wheel", *arguments], check=True, stdout=subprocess.DEVNULL)


def tagged(built, folder):
    """The wheel with the platform's tag, in a folder."""
    with tempfile.TemporaryDirectory() as work:
        wheel("unpack", built, "-d", work)
        [root] = pathlib.Path(work).iterdir()
        [library] = root.glob(".gyre.mesonpy.libs/libgyre.so*")
        needed = [int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)", library.read_bytes())]
        tag = f"py3-none-manylinux_2_{max([OLDEST, *needed])}_{platform.machine()}"
        [notes] = root.glob("*.dist-info/WHEEL")
        text = re.sub(r"(?m)^Tag: .*$", f"Tag: {tag}", notes.read_text())
        notes.write_text(text.replace("Root-Is-Purelib: true", "Root-Is-Purelib: false"))
        wheel("pack", root, "-d", folder)
    return folder / f"{root.name}-{tag}.whl"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.split("\n\n")[1])
    folder = pathlib.Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(SOURCE)
    source = folder / mesonpy.build_sdist(folder)
    with tempfile.TemporaryDirectory() as work:
        built = tagged(pathlib.Path(work) / mesonpy.build_wheel(work), folder)
    print(source, built, sep="\n")


if __name__ == "__main__":
    main()
