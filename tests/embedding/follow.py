"""Follows a page about embedding as a new user does, from an empty folder, and reports how long that takes.

usage: embedding/follow.py SOURCE PAGE LANGUAGE COMPILER... [-- LANGUAGE COMPILER...]
       LANGUAGE: c or c++

Each section with commands is a separate way, and text above the first section is common to all. Blocks are saved under
the names at the end of the lines before them, commands are run, and their output is compared with the text block after
them.

The page is followed to the letter, except that Gyre is downloaded from a copy of SOURCE, which builds only one table by
default, to save time; with GYRE_TEST_EFFORT=small, the one file has only springs.
"""
import os
import pathlib
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import tap
from page import blocks_of, files_of, same_output

ADDRESS = "https://example.org/gyre.git"
TABLE = {"x86_64": "sse2-portable", "aarch64": "neon-portable"}.get(platform.machine(), "scalar-portable")


def replace(path, old, new):
    text = path.read_text()
    if text.count(old) != 1:
        sys.exit(f"{path} does not have exactly once: {old}")
    path.write_text(text.replace(old, new))


def copy_project(source, copy):
    """Turns it into a repository with one commit and, like the one that readers have, without the tag of a release."""
    for file in files_of(source):
        (copy / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / file, copy / file)
    replace(copy / "CMakeLists.txt", 'set(GYRE_TABLES ""', f'set(GYRE_TABLES "{TABLE}"')
    replace(copy / "meson_options.txt", "'tables', type: 'array', value: []",
            f"'tables', type: 'array', value: ['{TABLE}']")
    if os.environ.get("GYRE_TEST_EFFORT") == "small":
        replace(copy / "tools/amalgamation/gyre.c.in", "#define GYRE_ONE_FILE\n",
                "#define GYRE_ONE_FILE\n#define GYRE_ONLY_SPRINGS 1\n")
    for command in (["init", "--quiet"], ["add", "--all"],
                    ["-c", "user.name=test", "-c", "user.email=test@example.org", "commit", "--quiet", "-m", "copy"]):
        subprocess.run(["git", "-C", copy, *command], check=True, capture_output=True)


def environment_of(folder, source, compilers):
    """A new user's environment: the compilers and Python, under their usual names, and ADDRESS. Created in this folder."""
    copy_project(source, folder / "gyre")
    (folder / "bin").mkdir()
    for language, compiler in {**compilers, "python": [sys.executable]}.items():
        program = folder / "bin" / {"c": "cc", "c++": "c++", "python": "python3"}[language]
        program.write_text(f'#!/bin/sh\nexec {shlex.join(compiler)} "$@"\n')
        program.chmod(0o755)
    settings = {"CC": "cc", "CXX": "c++", "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "GIT_CONFIG_COUNT": "1",
                "GIT_CONFIG_KEY_0": f"url.file://{folder / 'gyre'}.insteadOf", "GIT_CONFIG_VALUE_0": ADDRESS}
    kept = {name: value for name, value in os.environ.items() if not name.endswith("FLAGS") and name != "DESTDIR"}
    return kept | settings


def follow(blocks, folder, environment):
    """Yields lines that describe what is wrong; stops where a command fails."""
    compared = 0
    for block in blocks:
        if block.language == "sh":
            ran = subprocess.run(["sh", "-e", "-c", block.text], cwd=folder, env=environment, capture_output=True,
                                 text=True)
            if ran.returncode:
                yield f"{block}: exit code {ran.returncode}\n{block.text}{ran.stdout[-3000:]}{ran.stderr}"
                return
            if block.expected is not None:
                compared += 1
                if not same_output(ran.stdout, block.expected):
                    yield f"{block}: it prints\n{ran.stdout}and the page shows\n{block.expected}"
        elif block.name:
            (folder / block.name).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.name).write_text(block.text)
        elif block.language != "text":
            yield f"{block}: the line before it does not end with the name of a file"
    if not compared:
        yield "no output is compared"


def main():
    source, page = map(pathlib.Path, sys.argv[1:3])
    compilers, rest = {}, sys.argv[3:]
    while rest:
        end = rest.index("--") if "--" in rest else len(rest)
        compilers[rest[0]], rest = rest[1:end], rest[end + 1:]
    blocks, _ = blocks_of(page.name, page.read_text())
    sections = list(dict.fromkeys(block.section for block in blocks if block.section and block.language == "sh"))
    tap.check(sections, f"{page.name} has a way to follow")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        environment = environment_of(folder, source, compilers)
        for i, section in enumerate(sections):
            empty = folder / f"empty-{i}"
            empty.mkdir()
            started = time.monotonic()
            wrong = list(follow([block for block in blocks if block.section in ("", section)], empty, environment))
            tap.check(not wrong, f"{section}: {(time.monotonic() - started) / 60:.2f} minutes", "\n".join(wrong))
    tap.finish()


main()
