"""The Markdown pages are correct: their code compiles, runs and prints what they show; their commands, links, files and
names exist; tables are the output of the command above them.

usage: build/pages.py SOURCE BUILD PKG_CONFIG PROGRAM LANGUAGE COMPILER... [-- LANGUAGE COMPILER...]
       LANGUAGE: c or c++; PROGRAM: gyre, or empty if it is not built

Blocks between fences:
  c, c++   A program if it has a main, otherwise the body of main in WRAPPER, which the page must state. Compiled
  against the library of BUILD and run.
  sh       Commands of the program, the compiler, pkg-config and RUN_SCRIPT are run, others are looked up.
  text     After one of the above: its output. A line "..." stands for any lines.
  json     Well-formed.
  html, js, ts   Run and compiled by the tests of tools/bindings/js, which need other programs.
  python   Run by tests/python/guide.py.
On the pages that tests/embedding/follow.py follows, only C and C++ are tested here. A block is saved under the name
that ends the line before it, as in "save this as `program.c`:".

Between <!-- COMMAND --> and <!-- end --> is the output of COMMAND, put there by tools/docs/renew.py.
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import tap
from page import blocks_of, files_of, same_output

STRICT = ["-Wall", "-Wextra", "-Werror"]
STANDARD = {"c": "-std=c99", "c++": "-std=c++20"}
SUFFIX = {"c": ".c", "c++": ".cc"}
WRAPPER = {
    "c": "#include <gyre/gyre.h>\n#include <stdio.h>\n\nint main(void)\n{{\n{}}}\n",
    "c++": "#include <gyre/gyre.hpp>\n#include <cstdio>\n#include <span>\n#include <thread>\n#include <vector>\n\n"
           "int main()\n{{\n{}}}\n"}
WRAPPER_IS_SAID = "inside `main`"
RUN = ("cc", "c++", "gyre", "pkg-config")
RUN_SCRIPT = "tools/amalgamate.sh"
OTHER_PROGRAMS = ("apt-get", "clang-format", "cp", "dpkg-buildpackage", "git", "ldconfig", "npm", "sha256sum", "sudo", "tar")
MESON_OPTIONS = ("b_sanitize", "buildtype", "default_library", "libdir", "prefix", "werror")


# ---- Reading a page ----

def commands_of(text):
    """The commands of a sh block, without comments; a backslash joins lines."""
    joined = re.sub(r"\\\n\s*", " ", text)
    commands = (re.sub(r"(^|\s)#.*", "", line).strip() for line in joined.splitlines())
    return [command for line in commands for command in line.split(" && ") if command]


def words_of(command):
    words = shlex.split(command)
    while words and re.match(r"[A-Z_]+=", words[0]):
        words = words[1:]
    return words


def anchor_of(heading):
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


# ---- The project that a page belongs to ----

class Project:
    def __init__(self, source, build, pkg_config, program, compilers):
        self.source, self.build, self.program, self.compilers = source, build, program, compilers
        self.files = files_of(source)
        self.pages = [file for file in self.files if file.endswith(".md")]
        self.installed = re.findall(r"'(tools/docs/[\w-]+\.md)'", (source / "meson.build").read_text())
        self.top = {file.split("/")[0] for file in self.files if "/" in file}
        own = pathlib.Path(__file__).resolve()  # it contains the planted faults
        text = [(source / file).read_text(errors="replace") for file in self.files
                if not file.endswith((".md", ".json", ".svg", ".inc")) and (source / file).resolve() != own]
        self.names = set(re.findall(r"\w+", "\n".join(text)))
        self.names |= {f"GYRE_ONLY_{isa}" for isa in re.findall(r"^\w+ +([A-Z]\w+)", (
            source / "kernels/tables.txt").read_text(), re.MULTILINE)}
        tests = json.loads((build / "meson-info/intro-tests.json").read_text())
        targets = json.loads((build / "meson-info/intro-targets.json").read_text())
        self.targets = {str(pathlib.Path(file).relative_to(build.resolve())) for target in targets for file in target["filename"]
                        if pathlib.Path(file).is_relative_to(build.resolve())}
        self.suites = {suite.split(":")[-1] for test in tests for suite in test["suite"]}
        self.tests = {test["name"] for test in tests}
        self.environment = dict(
            os.environ, PKG_CONFIG_PATH=str(build / "meson-uninstalled"), LD_LIBRARY_PATH=str(build / "kernels"))
        self.flags = shlex.split(subprocess.run(
            [pkg_config, "--cflags", "--libs", "gyre"], env=self.environment, capture_output=True, text=True,
            check=True).stdout)

    def work_folder(self, folder):
        """A reader's environment: the source, a build folder with the program in it, and the compilers."""
        for name in self.top | {"README.md"}:
            (folder / name).symlink_to(self.source / name)
        (folder / "build").mkdir()
        (folder / "bin").mkdir()
        for name, command in [("c++" if language == "c++" else "cc", shlex.join(compiler))
                              for language, compiler in self.compilers.items()] + [("gyre", self.program)]:
            if command:
                # A compiler may have the same name: do not call this script again.
                path = shlex.quote(os.environ["PATH"])
                (folder / "bin" / name).write_text(f'#!/bin/sh\nPATH={path} exec {command} "$@"\n')
                (folder / "bin" / name).chmod(0o755)
        if self.program:
            (folder / "build/tools").mkdir()
            (folder / "build/tools/gyre").symlink_to(self.program)
        return dict(self.environment, PATH=f"{folder / 'bin'}:{os.environ['PATH']}")


# ---- Checks; each yields lines that describe what is wrong ----

def compile_and_run(project, block, folder, environment):
    if block.language not in project.compilers:
        return
    name = block.name or "program" + SUFFIX[block.language]
    source = folder / name
    if not re.search(r"\bmain\(", block.text):
        block.text = WRAPPER[block.language].format(block.text)
    source.write_text(block.text)
    program = source.with_suffix(".program")
    built = subprocess.run([*project.compilers[block.language], STANDARD[block.language], *STRICT, str(source), "-o",
                            str(program), *project.flags, "-lm"], capture_output=True, text=True)
    if built.returncode:
        yield built.stderr
        return
    ran = subprocess.run([str(program)], cwd=folder, env=environment, capture_output=True, text=True)
    if ran.returncode:
        yield f"exit code {ran.returncode}: {ran.stderr}"
    if block.expected is not None and not same_output(ran.stdout, block.expected):
        yield f"it prints\n{ran.stdout}and the page shows\n{block.expected}"


def run_commands(project, block, folder, environment):
    printed = ""
    for command in commands_of(block.text):
        words = words_of(command)
        if words[0] == "build/tools/gyre":
            words[0] = "gyre"
        if words[0] not in RUN and RUN_SCRIPT not in words and not words[0].startswith("./"):
            yield from wrong_with_command(project, command)
        elif words[0] == "gyre" and not project.program:
            tap.skip(f"{block} {command}", "not there")
        else:
            ran = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)
            printed += ran.stdout
            if ran.returncode:
                yield f"{command}: exit code {ran.returncode}: {ran.stderr}"
    if block.expected is not None and project.program and not same_output(printed, block.expected):
        yield f"it prints\n{printed}and the page shows\n{block.expected}"


def wrong_with_command(project, command):
    """Checks a command that is not run: that its script, options, tests and targets exist."""
    words = words_of(command)
    program, arguments = words[0], words[1:]
    if program in ("sh", "python3") and arguments:
        script, arguments = arguments[0], arguments[1:]
        if script not in project.files:
            yield f"{command}: there is no {script}"
            return
        usage = re.split(r"[^\w.=-]+", (project.source / script).read_text())
        for argument in arguments:
            known = argument.split("=")[0] in usage or (project.source / argument).exists() or \
                argument.isupper() or argument.startswith("build")
            if not known:
                yield f"{command}: {script} does not know {argument}"
    elif program == "meson":
        options = re.findall(r"option\('(\w+)'", (project.source / "meson_options.txt").read_text())
        for i, argument in enumerate(arguments):
            name = re.match(r"-D(\w+)=", argument)
            if name and name.group(1) not in (*options, *MESON_OPTIONS):
                yield f"{command}: there is no option {name.group(1)}"
            if arguments[i - 1] == "--suite" and argument not in project.suites:
                yield f"{command}: there is no suite {argument}"
        if arguments[:1] == ["test"]:
            for argument in [word for word in arguments[3:] if re.fullmatch(r"[a-z0-9]+(_\w+)+", word)]:
                if argument not in project.tests:
                    yield f"{command}: there is no test {argument}"
    elif re.match(r"build[\w-]*/(tests|bench|tools)/", program):
        target = program.split("/", 1)[1]
        folder = target.split("/")[0]
        if any(each.startswith(f"{folder}/") for each in project.targets) and target not in project.targets:
            yield f"{command}: there is no target {target}"
    elif program == "ninja" or program in OTHER_PROGRAMS:
        pass
    else:
        yield f"{command}: nothing looks {program} up"


def wrong_with_links(project, page, prose):
    """Of links to files and headings. A page that is installed links to such pages alone: all lie in one folder."""
    here = project.source / page
    anchors = {anchor_of(line.lstrip("#")) for line in prose if line.startswith("#")}
    for n, line in enumerate(prose, 1):
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            path, _, anchor = target.partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            if path and page in project.installed and str(pathlib.PurePath(page).parent / path) not in project.installed:
                yield f"{page}:{n}: not installed beside it: {target}"
            elif path and not (here.parent / path).exists():
                yield f"{page}:{n}: there is no {target}"
            elif anchor and path.endswith(".md"):
                there = (here.parent / path).read_text().splitlines()
                if anchor not in {anchor_of(line.lstrip("#")) for line in there if line.startswith("#")}:
                    yield f"{page}:{n}: there is no heading {target}"
            elif anchor and not path and anchor not in anchors:
                yield f"{page}:{n}: there is no heading {target}"


def wrong_with_names(project, page, prose):
    """Checks text between backquotes: paths from the root or from the page, commands, and names of the interface."""
    here = (project.source / page).parent
    for n, line in enumerate(prose, 1):
        for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", line):
            path = re.match(r"[\w.-]+(/[\w.<>*-]+)+/?$", span)
            first = span.split("/")[0]
            ours = path and first != "subprojects" and (first in project.top or (here / first).is_dir())
            if ours and not re.search("[<>*]", span) and not re.match(r"build[\w-]*/(tests|bench|tools|kernels)/", span):
                if not (project.source / span).exists() and not (here / span).exists():
                    yield f"{page}:{n}: there is no {span}"
            if re.match(r"(sh tools/|python3 \w+/)", span):
                for wrong in wrong_with_command(project, span):
                    yield f"{page}:{n}: {wrong}"
            for name in re.findall(r"\b(?:gyre|GYRE|vf|VF)_\w+\b(?!\*)", span):
                if name not in project.names and not name.endswith(("_", "NAME")):
                    yield f"{page}:{n}: there is no {name}"


def wrong_with_tables(project, path):
    renewed = subprocess.run([sys.executable, project.source / "tools/docs/renew.py", "--check", path],
                             capture_output=True, text=True)
    if renewed.returncode:
        yield renewed.stdout + renewed.stderr
    for machine, rows in re.findall(r"^<!-- .*excerpt.py (bench/\S+) -->(.*?)^<!-- end -->", path.read_text(),
                                    re.MULTILINE | re.DOTALL):
        figures = (project.source / machine / "README.md").read_text()
        for row in re.findall(r"^\|.*\|$", rows, re.MULTILINE):
            if row not in figures:
                yield f"not in {machine}/README.md: {row}"


def check_page(project, page, text, check):
    blocks, prose = blocks_of(page, text)
    followed = f"embedding_{pathlib.Path(page).stem.removeprefix('embedding-').replace('-', '_')}" in project.tests
    # Things that no longer exist may be named in the changes of earlier releases.
    named = prose if page != "CHANGELOG.md" else "\n".join(prose).split("\n## ")[1].splitlines()
    check(f"{page}: links", wrong_with_links(project, page, prose))
    check(f"{page}: files and names", wrong_with_names(project, page, named))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        environment = project.work_folder(folder)
        if any(line.startswith("<!-- ") for line in prose):
            (folder / "page.md").write_text(text)
            check(f"{page}: tables", wrong_with_tables(
                project, folder / "page.md" if text is FAULTY else project.source / page))
        for block in blocks:
            if block.language in SUFFIX:
                if not re.search(r"\bmain\(", block.text):
                    check(f"{block} names its file", [] if WRAPPER_IS_SAID in text else [
                        f"the page does not say that its code goes {WRAPPER_IS_SAID}"])
                check(f"{block} {block.language}", compile_and_run(project, block, folder, environment))
            elif followed:
                pass
            elif block.language == "sh":
                check(f"{block} sh", run_commands(project, block, folder, environment))
            elif block.language == "json":
                (folder / (block.name or "block.json")).write_text(block.text)
                json.loads(block.text)
            else:
                known = block.language in ("html", "js", "python", "text", "ts")
                check(f"{block} is of a known kind", [] if known else [block.language])


# ---- Tests of the checks: each of these faults is found ----

FAULTY = """
A [link](nowhere.md), a [heading](#nowhere), a file `kernels/nowhere.c`, a name `gyre_nowhere`, `sh tools/test.sh icc`.

Code goes inside `main`.

```c
int unused;
```

```c
printf("1\\n");
```

```text
2
```

```sh
sh tools/nowhere.sh
meson setup build -Dnowhere=true
meson test -C build --suite nowhere
nowhere
pkg-config --exists nowhere
```

```nowhere
```

<!-- echo 1 -->
2
<!-- end -->
"""
FAULTS = ["there is no nowhere.md", "there is no heading #nowhere", "there is no kernels/nowhere.c",
          "there is no gyre_nowhere", "does not know icc", "unused", "it prints\n1\nand", "there is no tools/nowhere.sh",
          "no option nowhere", "no suite nowhere", "nothing looks nowhere up", "exit code 1", "nowhere", "out of date"]


def check_checks(project):
    found = []
    check_page(project, "README.md", FAULTY, lambda name, wrong: found.extend(wrong))
    missed = [fault for fault in FAULTS if not any(fault in line for line in found)]
    tap.check(not missed and len(found) == len(FAULTS), "every fault of a faulty page is found, and no other",
              "\n".join(["missed:", *missed, "found:", *found]))
    line = ["[A header](../../include/gyre/spring.h), [a page](bodies.md) and [a guide](cxx.md)."]
    found = list(wrong_with_links(project, project.installed[0], line))
    tap.check(len(found) == 2, "links from an installed page to what is not beside it are found", "\n".join(found))


def main():
    source, build = map(pathlib.Path, sys.argv[1:3])
    pkg_config, program = sys.argv[3:5]
    compilers, rest = {}, sys.argv[5:]
    while rest:
        end = rest.index("--") if "--" in rest else len(rest)
        compilers[rest[0]], rest = rest[1:end], rest[end + 1:]
    project = Project(source, build, pkg_config, program, compilers)

    def check(name, wrong):
        wrong = list(wrong)
        tap.check(not wrong, name, "\n".join(wrong))

    check_checks(project)
    for page in project.pages:
        check_page(project, page, (source / page).read_text(), check)
    tap.finish()


main()
