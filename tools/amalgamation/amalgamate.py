"""Makes Gyre in one file: FOLDER/gyre.c from amalgamation/gyre.c.in and kernels/, and FOLDER/gyre/*.h from include/.

usage: amalgamate.py [--all] FOLDER
       --all    gyre.c compiles all tables, as with GYRE_ALL_TABLES

gyre.c contains the code that is compiled once, then includes itself for each table between pragmas for the instruction
set. Its second part is compiled once per table: dispatch/table.c and the files *-inl.h. Macros add the table's suffix
to the names that this part defines. On x86 SIMDe's names are replaced by the compiler's own; no other architecture uses
SIMDe.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELS = ROOT / "kernels"
TABLE = "dispatch/table.c"
GENERATED = "tables.h"  # by builds
TOPICS = {"math": "MATH", "spring": "SPRINGS", "particle": "PARTICLES", "rotation": "ROTATIONS", "body": "BODIES",
          "chain": "CHAINS", "arrays": "ARRAYS"}

ARCHITECTURES = {"any": None, "x86_64": "__x86_64__", "aarch64": "__aarch64__"}  # WebAssembly has its own package


def tables_of(text):
    """The rows of kernels/tables.txt: instruction set, rounding, lanes, another macro, the architecture's macro, the
    target of gcc and clang, what the CPU must have. No option removes anything from the target of a function."""
    for line in text.splitlines():
        architecture, isa, rounding, lanes, needs, *options = line.split() if line[:1] not in ("", "#") else [None] * 5
        if architecture in ARCHITECTURES:
            macros = [option.removeprefix("-D") for option in options if option.startswith("-D")]
            target = [option.removeprefix("-m") for option in options if re.match("-m(?!no-)", option)]
            assert len(macros) < 2, line
            yield (isa, rounding, int(lanes), macros[0] if macros else None, ARCHITECTURES[architecture],
                   ",".join(target) or None, needs)


TABLES = list(tables_of((KERNELS / "tables.txt").read_text()))
ISAS = list(dict.fromkeys(isa for isa, *_ in TABLES))
BASELINES = [(isa, architecture) for isa, rounding, _, _, architecture, _, needs in TABLES
             if rounding == "PORTABLE" and needs == "0"]
ALL_SAID = "gyre.c has all functions and tables. gcc -O2 takes about two minutes for it."
DEFAULT_SAID = """gyre.c has all functions, for SSE2 on x86-64, NEON on AArch64, and plain C elsewhere. gcc -O2 takes about 15 s for it.
AVX2 and AVX-512 are 2 to 5 times as fast: for these, define GYRE_ALL_TABLES or use --all. gcc then takes two minutes."""
PASS_MACROS = ["GYRE_TABLE", "GYRE_OF_TABLE", "GYRE_ISA", "GYRE_ROUNDING", "GYRE_LANES", "GYRE_FUSED"]


# ---- Files and what they include ----

def source_of(path):
    """The lines of a file in kernels/ without its include guard, and the comment at its top."""
    lines = (KERNELS / path).read_text().rstrip("\n").split("\n")
    guard = next((i for i, line in enumerate(lines) if re.match(r"#ifndef GYRE_\w+_H$", line)), None)
    if guard is not None:
        assert lines[guard + 1].startswith("#define") and lines[-1] == "#endif", path
        del lines[-1], lines[guard:guard + 2]
    return lines


def included(line):
    """The file in kernels/ that a line includes, or None."""
    found = re.match(r'#include "(.+?)"', line)
    return found.group(1) if found else None


def is_per_table(path):
    return path == TABLE or path.endswith("-inl.h")


def is_template(path):
    """A file that is included more than once, each time with other macros: it has no include guard."""
    return path.endswith(".h") and path != GENERATED and \
        not re.search(r"^#ifndef GYRE_\w+_H$", (KERNELS / path).read_text(), re.MULTILINE)


def conditional_lines(lines):
    """(line, whether it is between #if and #endif)"""
    depth = 0
    for line in lines:
        if line.startswith("#endif"):
            depth -= 1
        yield line, depth > 0
        if line.startswith("#if"):
            depth += 1


def files_below(path, seen):
    """The files that path includes, under any condition, and path itself: each after those that it needs."""
    if path in seen or path == GENERATED:
        return []
    seen.add(path)
    below = [file for line in source_of(path) if included(line) for file in files_below(included(line), seen)]
    return [*below, path]


def text_of(path):
    """The text of a file. Includes between #if and #endif, the operations of one width, are replaced by the text of the
    file, and so are templates."""
    text = [f"/* ---- kernels/{path} ---- */", ""]
    for line, conditional in conditional_lines(source_of(path)):
        if included(line):
            if included(line).endswith("_1_lane-inl.h"): # for GPUs, which have no table
                continue
            if is_template(included(line)) or conditional and is_per_table(included(line)):
                text += inlined(included(line))
        elif not (is_per_table(path) and line.startswith("#include <")):
            text.append(line)
    return text + [""]


def inlined(path):
    text = [f"/* ---- kernels/{path} ---- */", ""]
    lines = source_of(path)
    if is_template(path): # without the comment at its top, which is long and would be repeated
        lines = lines[next(i for i, line in enumerate(lines) if line.endswith("*/")) + 1:]
    for line in lines:
        if included(line) and is_per_table(included(line)):
            text += inlined(included(line))
        elif not line.startswith("#include"):
            text.append(line)
    return text


def parts_of_others(files):
    """The files whose text is inserted into others."""
    direct = {included(line) for path in files for line, conditional in conditional_lines(source_of(path))
              if conditional and included(line)}
    templates = {file for file in files if is_template(file)}
    return templates | {file for path in direct for file in files_below(path, set()) if is_per_table(file)}


# ---- Topics ----

def condition(topics):
    return " || ".join(["GYRE_ALL_TOPICS", *(f"defined(GYRE_ONLY_{topic})" for topic in topics)])


def files_needed(root, roots):
    """files_below, and the C files that define what their headers declare."""
    seen = set()
    files = files_below(root, seen)
    for file in files:
        source = re.sub(r"\.h$", ".c", file)
        if source in roots:
            files += files_below(source, seen)
    return files


def topics_of(files, roots):
    """{file: the topics that need it}"""
    needed = {file: [] for file in files}
    for folder, topic in TOPICS.items():
        below = {file for root in roots if root.startswith(folder + "/") for file in files_needed(root, roots)}
        for file in below & needed.keys():
            needed[file].append(topic)
    return needed


def with_topics(files, needed):
    """The text of files, each under the condition that a topic that needs it is compiled."""
    text, previous = [], ""
    for file in files:
        topics = needed.get(file, [])
        now = condition(topics) if 0 < len(topics) < len(TOPICS) else ""
        if now != previous:
            text += (["#endif", ""] if previous else []) + ([f"#if {now}", ""] if now else [])
        text += text_of(file)
        previous = now
    return text + (["#endif", ""] if previous else [])


def left_out_rows(list_text):
    """Empties the lists of topics that are left out."""
    lists = re.findall(r"^#define (GYRE_([A-Z]+)_(?:SCALAR_)?KERNELS)\(ROW\) .*ROW\(\w+, gyre_",
                       re.sub(r"\\\n", "", list_text), re.MULTILINE)
    text = ["/* Kernels of topics that are left out. */"]
    for folder, topic in TOPICS.items():
        names = [name for name, its_topic in lists if its_topic == folder.upper()]
        assert names, f"kernels/list.h has no list GYRE_{folder.upper()}_KERNELS"
        text.append(f"#if !({condition([topic])})")
        for name in names:
            text += [f"#undef {name}", f"#define {name}(ROW)"]
        text.append("#endif")
    return text + [""]


# ---- Names ----

KEYWORDS = {"const", "static", "inline", "extern", "void", "float", "double", "int", "unsigned", "char", "bool", "struct",
            "union", "enum", "typedef"}


def tokens_of(text):
    text = re.sub(r"^\s*#.*", "", text, flags=re.MULTILINE)
    return re.findall(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|[^\s\w]', text)


def behind(tokens, i):
    """The index after the bracket that opens at i."""
    depth = 0
    while True:
        depth += (tokens[i] in "([{") - (tokens[i] in ")]}")
        i += 1
        if depth == 0:
            return i


def names_at_file_scope(text):
    """({name}, {name of a function}) that preprocessed C defines outside functions."""
    tokens, names, functions = tokens_of(text), set(), set()
    i, declaration = 0, []
    while i < len(tokens):
        token = tokens[i]
        if token in ("__attribute__", "_Static_assert"):
            i = behind(tokens, i + 1)
        elif token == "{":
            end = behind(tokens, i)
            body = tokens[i + 1:end - 1]
            i = end
            if declaration[-1] == ")": # a function
                functions.add(declaration[declaration.index("(") - 1])
                declaration = []
            elif declaration[-1] != "=": # of a type, otherwise of an initial value
                if declaration[-1] not in KEYWORDS:
                    names.add(declaration.pop()) # its tag
                if declaration[-1] == "enum":
                    names.update(re.findall(r"(?:^|,)(\w+)", "".join(body)))
        elif token == ";":
            i += 1
            if "(" in declaration: # only declared, or a function type
                names.add(declaration[declaration.index("(") - 1])
            else:
                end = next((k for k, word in enumerate(declaration) if word in ("[", "=")), len(declaration))
                if declaration[end - 1:end] and declaration[end - 1] not in KEYWORDS:
                    names.add(declaration[end - 1])
            declaration = []
        elif token in ("(", "["):
            end = behind(tokens, i)
            declaration += tokens[i:end]
            i = end
        else:
            declaration.append(token)
            i += 1
    return names | functions, functions


def preprocessed(text, table):
    isa, rounding, lanes, macro, architecture, *_ = table
    macros = [f"-DGYRE_LANES={lanes}", f"-DGYRE_FUSED={int(rounding == 'FUSED')}", "-DGYRE_ALL_TOPICS=1"]
    macros += [f"-D{name}" for name in (macro, architecture) if name]
    run = subprocess.run([*shlex.split(os.environ.get("CC", "cc")), "-E", "-undef", "-P", *macros, "-x", "c", "-"],
                         input=text, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"amalgamate: {run.stderr}")
    return run.stdout


def renames(list_text, per_table):
    """#define NAME GYRE_OF_TABLE(NAME) for every name that some table defines."""
    names, functions = set(), set()
    without_includes = re.sub(r"^#include.*", "", list_text + "\n" + per_table, flags=re.MULTILINE)
    for table in TABLES:
        its_names, its_functions = names_at_file_scope(preprocessed(without_includes, table))
        names |= its_names
        functions |= its_functions
    names = {name for name in names if not name.startswith("gyre_scalar_")} - {"GYRE_TABLE"}
    # Names that a header has too, of kernels and members of gyre_kernels, are renamed only where they are called.
    public = set(re.findall(r"\w+", re.sub(r"/\*.*?\*/", "", "".join(header.read_text() for header in headers()
                                                                  if header.suffix == ".h"), flags=re.DOTALL)))
    clashes = (names & public) - functions
    if clashes:
        sys.exit(f"amalgamate: kernels/ and include/gyre/ both define {', '.join(sorted(clashes))}")
    return [f"#define {name}(...) GYRE_OF_TABLE({name})(__VA_ARGS__)" if name in public else
            f"#define {name} GYRE_OF_TABLE({name})" for name in sorted(names)], sorted(names)


def macros_of(text):
    return sorted(set(re.findall(r"^#define (\w+)", text, re.MULTILINE)))


# ---- The file ----

def headers():
    return sorted((ROOT / "include" / "gyre").iterdir())


def compilers_own(text):
    """With the compiler's names instead of SIMDe's."""
    text = re.sub(r"simde_(?=mm)", "_", text)
    text = re.sub(r"simde__(?=m\d)", "__", text)
    text = re.sub(r"SIMDE_(?=CMP_)", "_", text)
    left = re.search(r".*(simde_|SIMDE_).*", text)
    if left:
        sys.exit(f"amalgamate: no name of the compiler is known for SIMDe's in: {left.group(0)}")
    return text


def table_sections():
    rows, sections = [], []
    for isa, rounding, lanes, macro, architecture, target, needs in TABLES:
        name = f"{isa}_{rounding}"
        asked = f"(GYRE_ALL_ISAS || defined(GYRE_ONLY_{isa}))"
        asked += f" && defined({architecture})" if architecture else ""
        asked += " && !defined(GYRE_ONLY_PORTABLE)" if rounding == "FUSED" else ""
        asked += " && GYRE_HAS_WIDE" if lanes > 4 else ""
        row = f"GYRE_ROW_{name}"
        rows += [f"#if {asked}",
                 f"#define {row}(ROW) ROW(GYRE_ISA_{isa}, GYRE_ROUNDING_{rounding}, gyre_table_{name.lower()}, {needs})", "#else",
                 f"#define {row}(ROW)", "#endif"]
        sections += [f"#if {asked}"]
        if target:
            sections += ["#ifdef __clang__",
                         f'#pragma clang attribute push(__attribute__((target("{target}"))), apply_to = function)',
                         "#else", "#pragma GCC push_options", f'#pragma GCC target("{target}")', "#endif"]
        sections += [f"#define GYRE_TABLE gyre_table_{name.lower()}",
                     f"#define GYRE_OF_TABLE(name) name##_{name.lower()}",
                     f"#define GYRE_ISA GYRE_ISA_{isa}", f"#define GYRE_ROUNDING GYRE_ROUNDING_{rounding}",
                     f"#define GYRE_LANES {lanes}", f"#define GYRE_FUSED {int(rounding == 'FUSED')}"]
        sections += [f"#define {macro}"] if macro else []
        sections += ["#include GYRE_FILE"]
        sections += [f"#undef {name}" for name in [*PASS_MACROS, *([macro] if macro else [])]]
        if target:
            sections += ["#ifdef __clang__", "#pragma clang attribute pop", "#else", "#pragma GCC pop_options", "#endif"]
        sections += ["#endif", ""]
    all_rows = " ".join(f"GYRE_ROW_{isa}_{rounding}(ROW)" for isa, rounding, *_ in TABLES)
    rows += [f"#define GYRE_TABLES(ROW) {all_rows}", ""]
    return rows, sections


def all_of(conditions):
    return " && \\\n    ".join(conditions)


def default_isa():
    """Of the tables that every CPU of an architecture runs, its own, or that of any."""
    own = [f"if defined({architecture})\n#define GYRE_ONLY_{isa}\n" for isa, architecture in BASELINES if architecture]
    [rest] = [isa for isa, architecture in BASELINES if not architecture]
    return "#" + "#el".join(own) + f"#else\n#define GYRE_ONLY_{rest}\n#endif"


def with_visible_headers(lines, template):
    """The system's functions are not hidden, whichever header declares them."""
    for line in lines:
        header = re.match("#include <.+?>", line)
        if line.startswith("#include <gyre/"):
            continue
        if header and f"\n{header.group()}\n" not in template:
            yield f"#pragma GCC visibility push(default)\n{line}\n#pragma GCC visibility pop"
        else:
            yield line


def gyre_c(version, all_tables):
    roots = [included(line) for line in source_of(TABLE) if included(line) and is_per_table(included(line))]
    sources = sorted(path.relative_to(KERNELS).as_posix() for path in KERNELS.rglob("*.c"))
    sources = [path for path in sources if path != TABLE]

    seen = set()
    below_table = [file for root in roots for file in files_below(root, seen)] + [TABLE]
    parts = parts_of_others([file for file in below_table if is_per_table(file)])
    per_table_files = [file for file in below_table if is_per_table(file) and file not in parts]
    seen = {"list.h", "scalar/compiler_options.h"}
    once_files = [file for root in [*below_table, *sources] for file in files_below(root, seen)
                  if not is_per_table(file) and not is_template(file)]

    needed = topics_of([*per_table_files, *once_files], [*roots, *sources])
    list_text = "\n".join(source_of("list.h"))
    per_table = "\n".join(with_topics(per_table_files, needed))
    rows, sections = table_sections()
    once = text_of("list.h") + left_out_rows(list_text) + rows + with_topics(once_files, needed)
    defined, names = renames(list_text, per_table)
    macros = macros_of(per_table)
    # Names that are functions in one table and macros in another.
    per_table = re.sub(rf"^(?=#define ({'|'.join(set(names) & set(macros)) or '$'})\b)", r"#undef \1\n", per_table,
                       flags=re.MULTILINE)
    template = (ROOT / "tools" / "amalgamation" / "gyre.c.in").read_text()
    parts = {
        "VERSION": version,
        "ALL_TABLES": "#define GYRE_ALL_TABLES 1 /* amalgamate.sh --all */\n" if all_tables else "",
        "DEFAULT_ISA": default_isa(),
        "ISAS": f"{'GYRE_ONLY_' + ', _'.join(ISAS):<65}",
        "NO_ISA": all_of(f"!defined(GYRE_ONLY_{isa})" for isa in ISAS),
        "NO_BASELINE": all_of(f"!(defined(GYRE_ONLY_{isa}) && defined({architecture}))" if architecture else
                              f"!defined(GYRE_ONLY_{isa})" for isa, architecture in BASELINES),
        "BASELINES": " or _".join(isa for isa, _ in BASELINES),
        "LICENSE": "\n".join(("   " + line).rstrip() for line in (ROOT / "LICENSE").read_text().rstrip("\n").split("\n")),
        "COMPILER_OPTIONS": "\n".join(text_of("scalar/compiler_options.h")),
        "ONCE": "\n".join(with_visible_headers(once, template)),
        "TABLES": "\n".join(sections).rstrip("\n"),
        "RENAMES": "\n".join(defined),
        "PER_TABLE": per_table,
        "UNDEFINE": "\n".join(f"#undef {name}" for name in sorted({*names, *macros})),
    }
    text = re.sub(r"@(\w+)@", lambda match: parts[match.group(1)], template)
    return re.sub(r"\n{3,}", "\n\n", compilers_own(text))


def status_h(text):
    """Without GYRE_SHARED, Gyre is linked into the program itself."""
    found = re.search(r"#define GYRE_STATUS_H\n", text)
    return text[:found.end()] + "\n#if !defined(GYRE_SHARED) && !defined(GYRE_STATIC)\n#define GYRE_STATIC\n#endif\n" + \
        text[found.end():]


def main():
    arguments = sys.argv[1:]
    all_tables = "--all" in arguments
    if all_tables:
        arguments.remove("--all")
    if len(arguments) != 1 or arguments[0].startswith("-"):
        sys.exit("usage: sh tools/amalgamate.sh [--all] FOLDER")
    folder = pathlib.Path(arguments[0])
    (folder / "gyre").mkdir(parents=True, exist_ok=True)
    version = re.search(r'GYRE_VERSION "(.+)"', (ROOT / "include/gyre/gyre.h").read_text()).group(1)
    (folder / "gyre.c").write_text(gyre_c(version, all_tables))
    for header in headers():
        text = header.read_text()
        (folder / "gyre" / header.name).write_text(status_h(text) if header.name == "status.h" else text)
    print(ALL_SAID if all_tables else DEFAULT_SAID)


main()
