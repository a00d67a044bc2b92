"""Every figure in the headers and in the pages that are installed with them is held by what tests/data/figures.txt names
for it. A figure is a number that has a unit or more than one digit, or one of WORDS. Headers count by their comments.

Guides are left out, but for the one that is installed: their figures stand beside the commands that make them, which
build/pages.py runs or looks up. So do those in blocks of code and what they print, which are left out too.

usage: build/figures.py SOURCE

The table has a part for each file. A row is some words of the file, which stand there once, and below them, indented,
what holds their figures:

  tests/TOPIC/FILE.c: CODE   The test has this code, once, and in it the same numbers. Several lines count together.
  in words: WHY              Beside such lines: the number stands there in another form.
  bench_TOPIC 'GROUP'        A time, never tested: this program measures it, in the rows whose names begin with GROUP.
  definition: WHY            It claims nothing: a unit, a range of arguments, an example, or what other figures say.
  not held: WHY              A figure that was measured by hand. The test lists these.

So a figure that changes, in its file or in its test, asks for the row that has both.
"""
import pathlib
import re
import sys

import tap

TABLE = "tests/data/figures.txt"
REASONS = ("in words", "definition", "not held")
NUMBER = r"(?:2\^-?\d+|\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?)"
UNIT = rf"(?: (?:to|and) {NUMBER})? ?(?:(?:eps|ulp|ns|us|s|rad|u|Hz|N m|KiB|bytes|degrees|percent|times)\b|%)"
WORDS = (r"\b(?:(?:nano|micro)seconds?|(?:half|thirds|seventh)(?: of)?(?= that\b| the time\b)|half of that|about half|"
         r"twice|(?:two|three|ten) times)\b")
TOKEN = re.compile(rf"(?<![\w.^+]){NUMBER}(?!\w|\.\d|\.x)|{WORDS}")
CODE_NUMBER = re.compile(rf"0x[\da-f.]+p-?\d+|1 << \d+|(?<![\w.]){NUMBER}")


class Source:
    """Files of the source, some of them changed, as one line without what does not count in them."""

    def __init__(self, root, changed=()):
        self.root, self.changed = root, dict(changed)

    def raw(self, path):
        return self.changed.get(path) or (self.root / path).read_text()

    def text(self, path):
        text = self.raw(path)
        if path.endswith(".h") and path.startswith("include/"):
            text = " */ ".join(re.findall(r"/\*(.*?)\*/", text, re.DOTALL))
        elif path.endswith(".md"):
            text = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.DOTALL | re.MULTILINE)
        elif path.endswith((".c", ".h", ".cc", ".inc")):
            text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        return re.sub(r"\s+", " ", text)

    def installed(self):
        """The headers and pages that meson.build installs."""
        return sorted(set(re.findall(r"'(include/gyre/\w+\.h|tools/docs/[\w-]+\.md)'", self.raw("meson.build"))))

    def has_benchmark(self, program, name):
        """bench_kernels has a row for each kernel, the others begin a group's name by a string."""
        folder = self.root / "bench" / program.removeprefix("bench_")
        begin = "work_" if program == "bench_kernels" else '"'
        return any(re.search(begin + re.escape(name), self.raw(file.relative_to(self.root).as_posix()))
                   for file in folder.glob("*.cc"))


def rows_of(table):
    """(file, words, what holds them) of each row."""
    rows, file = [], None
    for line in table.splitlines():
        if line.startswith("== "):
            file = line[3:]
        elif line.startswith("    "):
            rows[-1][2].append(line.strip())
        elif line.strip() and not line.startswith("# "):
            rows.append((file, re.sub(r"\s+", " ", line.strip()), []))
    return rows


def figures_of(text):
    return [token for token in TOKEN.finditer(text)
            if len(token.group()) > 1 or token.group() != "0" and re.match(UNIT, text[token.end():])]


def value_of(number):
    if "<<" in number:
        return 2.0 ** int(number.split("<<")[1])
    if number.startswith("2^"):
        return 2.0 ** int(number[2:])
    return float.fromhex(number) if number.startswith("0x") else float(number.replace(",", ""))


def missing_numbers(words, code):
    """The numbers of figures of `words` that `code` does not have."""
    there = {value_of(number) for number in CODE_NUMBER.findall(code)}
    for figure in figures_of(words):
        if figure.group()[0].isdigit():
            value = value_of(figure.group())
            of_hundred = value / 100 if re.match(r"( to \d+)? (%|percent)", words[figure.end():]) else value
            if not there & {value, of_hundred}:
                yield figure.group()


def wrong_with_row(source, words, holders):
    code, in_words = "", False
    for holder in holders:
        measured = re.fullmatch(r"(bench_\w+) '(.+)'", holder)
        path, _, there = holder.partition(": ")
        in_words |= path == "in words"
        if measured:
            if not source.has_benchmark(*measured.groups()):
                yield f"{measured[1]} has no row {measured[2]}"
        elif path not in REASONS:
            count = source.text(path).count(there) if (source.root / path).is_file() else 0
            if count != 1:
                yield f"{path} has {count} times: {there}"
            code += there + "\n"
    if not [holder for holder in holders if not holder.startswith("in words")]:
        yield "nothing holds it"
    if code and not in_words:
        for number in missing_numbers(words, code):
            yield f"no code of it has {number}"


def wrong_with(source):
    """What is wrong, by file."""
    texts = {file: source.text(file) for file in source.installed()}
    wrong = {file: [] for file in texts}
    covered = {file: set() for file in texts}
    for file, words, holders in rows_of(source.raw(TABLE)):
        if file not in texts:
            wrong.setdefault(file, []).append("it is not installed")
            continue
        count, at = texts[file].count(words), texts[file].find(words)
        covered[file] |= set(range(at, at + len(words))) if count else set()
        if count != 1:
            wrong[file].append(f"it has {count} times: {words}")
        elif not any(at <= f.start() < at + len(words) for f in figures_of(texts[file])):
            wrong[file].append(f"it has no figure: {words}")
        wrong[file] += [f"{words}: {what}" for what in wrong_with_row(source, words, holders)]
    for file, text in texts.items():
        for figure in figures_of(text):
            if figure.start() not in covered[file]:
                near = text[max(0, figure.start() - 60):figure.end() + 40]
                wrong[file].append(f"{TABLE} has no row for {figure.group()}: ... {near} ...")
    return wrong


def check_faults(root):
    """Each of these changes is found, and what it says."""
    faults = (
        ("include/gyre/body.h", "/* Freely rotating", "/* Within 7 eps. Freely rotating", "no row for 7"),
        ("include/gyre/body.h", "12 eps |L| / s + 2^-146", "13 eps |L| / s + 2^-146", "no row for 13"),
        ("tests/body/step.c", "(9 + 12 * turn) * eps", "(9 + 13 * turn) * eps", "has 0 times: (9 + 12 * turn) * eps"),
        (TABLE, ": 4 * eps * of_position", ": eps * of_position", "no code of it has 4"),
        ("bench/spring/bench.cc", '"palette-"', '"palettes-"', "bench_spring has no row palette-"),
    )
    for path, old, new, found in faults:
        text = (root / path).read_text()
        assert old in text, f"{path} has no {old}"
        lines = sum(wrong_with(Source(root, {path: text.replace(old, new)})).values(), [])
        tap.check(any(found in line for line in lines), f"{new} in {path} is found", "\n".join(lines))


def main():
    root = pathlib.Path(sys.argv[1])
    source = Source(root)
    for file, wrong in wrong_with(source).items():
        tap.check(not wrong, f"{file}: its figures are held", "\n".join(wrong))
    for file, words, holders in rows_of(source.raw(TABLE)):
        for holder in holders:
            if holder.startswith("not held"):
                print(f"# {file}: {words}: {holder}")
    check_faults(root)
    tap.finish()


main()
