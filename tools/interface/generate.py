"""Generates everything that follows from the headers and kernels/list.h, in the files listed in FILES below.

usage: generate.py [--check]     --check: writes nothing, and fails if a file is out of date
"""
import pathlib
import re
import sys

import interface
import python_binding
from interface import ROOT

JS = ROOT / "tools" / "bindings" / "js"
WIDTH = 120
MADE = "Made by tools/interface/generate.py"
FUNCTIONS = interface.read()
KERNELS = [function for function in FUNCTIONS if function.member]


# ---- The struct of kernels ----

def c_text(parameter):
    """A parameter as declared in C: "float *const v[3]" of the type "float *const [3]"."""
    type_, bracket, length = parameter.type.partition("[")
    space = "" if type_.endswith("*") else " "
    return f"{type_.rstrip()}{space if not type_.endswith(' ') else ' '}{parameter.name}{bracket}{length}"


def struct_of_kernels():
    """The members of gyre_kernels in cpu.h: existing ones keep their order and get their current prototypes, new ones
    come last."""
    path = ROOT / "include/gyre/cpu.h"
    head, members, tail = re.fullmatch(r"(.*    gyre_rounding rounding;\n)(.*?)(} gyre_kernels;.*)", path.read_text(),
                                       re.DOTALL).groups()
    by_member = {function.member: function for function in KERNELS}
    there = re.findall(r"^ *gyre_status \(\*(\w+)\)|^()$", members, re.MULTILINE)
    there = [name for name, _ in there if not name or name in by_member]
    while there and not there[-1]:
        there.pop()
    lines = []
    for name in there + [name for name in by_member if name not in there]:
        if name:
            front = f"    gyre_status (*{name})("
            line, words = front, [c_text(parameter) for parameter in by_member[name].parameters]
            for i, word in enumerate(words):
                word += ");" if i + 1 == len(words) else ","
                if len(line) + len(word) + (line != front) > WIDTH:
                    lines.append(line)
                    line = " " * len(front) + word
                else:
                    line += word if line == front else f" {word}"
            lines.append(line)
        else:
            lines.append("")
    return path, head + "\n".join([*lines, ""]) + tail


# ---- Debian ----

def debian_symbols():
    """Each symbol with the first version that had it: from its line, or the current version."""
    path = ROOT / "tools/packaging/debian/libgyre0.1.symbols"
    version = re.search(r'GYRE_VERSION "(.+)"', (ROOT / "include/gyre/gyre.h").read_text()).group(1)
    since = dict(re.findall(r"^ (\w+)@Base (\S+)$", path.read_text(), re.MULTILINE))
    lines = [f" {function.name}@Base {since.get(function.name, version)}" for function in FUNCTIONS]
    head = ["libgyre.so.0.1 libgyre0.1 #MINVER#", "* Build-Depends-Package: libgyre-dev"]
    return path, "\n".join([*head, *sorted(lines), ""])


# ---- The page of all functions ----

def cxx_names():
    """{member: its C++ function}, from the call in tests/cxx/forms.cc: gyre::NAME(...), gyre::CLASS::NAME(...) or
    gyre::CLASS(...).NAME(...)."""
    text = re.sub(r"\s*\\\n\s*", " ", (ROOT / "tests/cxx/forms.cc").read_text())
    names = {}
    for member, call in re.findall(r"^#define form_(\w+) (.*)$", text, re.MULTILINE):
        method = re.search(r"gyre::(\w+)\([^()]*\)\s*\.(\w+)\(", call)
        names[member] = f"gyre::{method[1]}::{method[2]}" if method else \
            [name for name in re.findall(r"gyre::[\w:]+(?=\()", call) if name != "gyre::components"][0]
    return names


TITLES = {"spring": "Springs", "particle": "Particles and flings", "rotation": "Rotations", "chain": "Chains of bones",
          "body": "Bodies", "arrays": "Arrays", "math": "Mathematics", "cpu": "Instruction sets", "status": "Status",
          "gyre": "Version"}


def page():
    names, lines = cxx_names(), [
        "# All functions", "", f"<!-- {MADE} -->", "",
        "Each function with its name in C++ ([gyre.hpp](../../include/gyre/gyre.hpp)), in JavaScript",
        "([types.d.ts](../bindings/js/types.d.ts)) and in Python ([python.md](python.md)); a name with a dot is a method,",
        "in JavaScript of a batch. The contracts are in the headers."]
    for topic in interface.TOPICS + interface.OTHERS:
        lines += ["", f"## {TITLES[topic]}", "", f"[{topic}.h](../../include/gyre/{topic}.h)", "",
                  "| C | what | C++ | JavaScript | Python |", "|---|---|---|---|---|"]
        for function in FUNCTIONS:
            if function.topic == topic:
                js = js_path(function) if function in KERNELS else ""
                cxx = names.get(function.member, CXX_OF_OTHERS.get(function.name))
                what = re.sub(r"(?<!`)\b(\w*_\w+|\*\w+)\b(?!`)", r"`\1`", function.summary).replace("|", "\\|")
                lines.append(f"| `{function.name}` | {what} | `{cxx}` | {f'`{js}`' if js else ''} | "
                             f"`{python_binding.path_of(function)}` |")
    return ROOT / "tools/docs/functions.md", "\n".join(lines) + "\n"


CXX_OF_OTHERS = {"gyre_kernels_for": "gyre::kernels_for", "gyre_kernels_best": "gyre::kernels_best",
                 "gyre_use": "gyre::use", "gyre_in_use": "gyre::in_use", "gyre_isa_name": "gyre::name",
                 "gyre_rounding_name": "gyre::name", "gyre_kernels_isa": "gyre::isa_of",
                 "gyre_kernels_rounding": "gyre::rounding_of", "gyre_status_name": "gyre::name",
                 "gyre_version": "gyre::version"}


# ---- JavaScript ----

UI = ["spring", "particle", "chain", "arrays"]  # topics of the small module
BY_HAND = {"gyre_bodies_step": "it adds up reports", "gyre_bodies_transforms": "its options are in an object"}
OPTIONAL = {"follow", "time_scale"}  # arrays that may be NULL
MATRIX = {"gyre_spring_matrix": ("SpringMatrix", 16), "gyre_particle_matrix": ("ParticleMatrix", 10)}
ELEMENTS = {"float": "Float32Array", "uint8_t": "Uint8Array", "uint16_t": "Uint16Array", "uint32_t": "Uint32Array"}
TABLES = {3: "Vectors", 4: "Quaternions", 9: "Matrices", 0: "readonly Float32Array[]"}
ENUMERATIONS = {"gyre_inertia_kind": "GYRE_INERTIA_"}


def camel_case(name):
    return re.sub(r"_([a-z0-9])", lambda found: found[1].upper(), re.sub(r"_(s|J)$", "", name))


def js_name(function):
    prefix = f"{function.batch}_" if function.batch else "gyre_"
    return camel_case(function.name.removeprefix(prefix))


def js_path(function):
    name = js_name(function)
    return f"{camel_case(function.batch.removeprefix('gyre_'))}.{name}" if function.batch else name


def is_single_result(function, parameter):
    """Values that C writes through a pointer and JavaScript returns."""
    if parameter.is_const or not parameter.is_pointer or parameter.is_table:
        return False
    in_a_range = function.has_range or function.parameters[-1].name == "count"
    return parameter.pointee in ("size_t", "uint64_t") if in_a_range else True


class Call:
    """A function in JavaScript: `taken`, its parameters as (name, type), `passed`, the arguments for C, `results`, as
    (name, type, bytes, how to read them)."""
    def __init__(self, function):
        self.function, self.taken, self.passed, self.results = function, [], [], []
        self.grouped = []  # parameters that are members of one object
        self.start = None  # what results are before the call, if C reads them
        self.default_end = None
        everything = function.parameters[1 if function.batch else 0:]
        self.has_count = not function.has_range and everything[-1].name == "count"
        self.end = "end" if function.has_range else f"countOf({camel_case(everything[0].name)})"
        grouping = any(parameter.name in OPTIONAL for parameter in everything)
        self.tables = [parameter for parameter in everything if parameter.is_table]
        for parameter, following in zip(everything, [*everything[1:], None]):
            self.add(parameter, following, grouping)
        if function.has_range and not function.batch:
            self.default_end = self.length_of_arrays(everything)

    def take(self, name, type_, grouping=False, optional=False):
        if grouping and not self.grouped:
            self.taken.append(("parameters", None))
        if grouping:
            self.grouped.append((f"{name}?" if optional else name, f"{type_} | null" if optional else type_))
        else:
            self.taken.append((name, type_))

    def add(self, parameter, following, grouping):
        name = camel_case(parameter.name)
        if is_single_result(self.function, parameter):
            self.add_result(parameter)
        elif parameter.name in ("begin", "end"):
            self.passed.append(parameter.name)
        elif parameter.name == "count" and self.has_count:
            self.passed.append(self.end)
        elif parameter.name == "components":
            self.passed.append(f"countOf({camel_case(self.tables[0].name)})")
        elif parameter.name.endswith("_count"):
            pass  # passed by the array before
        elif parameter.is_table:
            self.take(name, TABLES[parameter.length])
            others = f", {camel_case(self.tables[0].name)}.length" if parameter != self.tables[0] else ""
            length = f", {parameter.length}" if parameter.length else others
            self.passed.append(f"host.table({name}, end{length})")
        elif parameter.pointee == "void":
            self.take(name, "Float32Array")
            self.passed.append(f"host.structures({name}, end, strideBytes, countOf({camel_case(self.tables[0].name)}))")
        elif parameter.pointee in MATRIX and following and following.name == f"{parameter.name}_count":
            self.take(name, "Float32Array")
            self.passed += [f"host.address({name}, 0)", f"Math.floor({name}.length / {MATRIX[parameter.pointee][1]})"]
        elif parameter.pointee in MATRIX:
            self.take(name, "ArrayLike<number>")
            self.passed.append(f"host.copy({name}, {MATRIX[parameter.pointee][1]})")
        elif parameter.length:
            self.take(name, "ArrayLike<number>")
            self.passed.append(f"host.copy({name}, {parameter.length})")
        elif parameter.is_pointer:
            type_, optional = ELEMENTS[parameter.pointee], parameter.name in OPTIONAL
            length = "end - begin" if parameter.pointee == "uint32_t" else self.end  # one index per element
            self.take(name, type_, grouping, optional)
            of_type = "" if parameter.pointee == "float" else f", {type_}"
            self.passed.append(f"host.{'optional' if optional else 'address'}({name}, {length}{of_type})")
        elif parameter.pointee == "gyre_spring":
            self.take(name, "Spring")
            self.passed.append(f"host.spring({name})")
        else:
            assert parameter.pointee in ("float", "size_t"), f"{self.function.name}: {parameter}"
            self.take(name, "number")
            self.passed.append(name)

    def add_result(self, parameter):
        kind, at = parameter.pointee, sum(size for _, _, size, _ in self.results)
        address = "out" if at == 0 else f"out + {at}"
        if kind == "gyre_spring":
            result = ("Required<Spring>", 12, f"host.readSpring({address})")
        elif kind == "gyre_bone":
            self.taken.append(("bone?", "Bone"))
            self.start = "host.bone(bone)"
            result = ("Required<Bone>", 80, f"host.readBone({address})")
        elif kind in MATRIX:
            name, count = MATRIX[kind]
            result = (name, 4 * count, f"host.floats({address}, {count})")
        elif kind in ENUMERATIONS:
            names = [name.removeprefix(ENUMERATIONS[kind]).lower().replace("_", "-")
                     for name in interface.enumeration(kind)]
            result = (" | ".join(f"'{name}'" for name in names), 4, f"host.constant({address}, '{ENUMERATIONS[kind]}')")
        elif kind == "float" and parameter.length:
            result = ("Float32Array", 4 * parameter.length, f"host.floats({address}, {parameter.length})")
        elif kind == "float":
            result = ("number", 4, f"host.data.getFloat32({address}, true)")
        elif kind == "size_t":
            result = ("number", 4, f"host.data.getUint32({address}, true)")
        else:
            assert kind == "uint64_t", f"{self.function.name}: {parameter}"
            result = ("bigint", 8, f"host.data.getBigUint64({address}, true)")
        self.results.append((camel_case(parameter.name), *result))
        self.passed.append(address)

    def length_of_arrays(self, everything):
        """The length of the last array that is written, as far as C shows, otherwise of the last array."""
        arrays = [parameter for parameter in everything if not is_single_result(self.function, parameter) and
                  (parameter.is_table or parameter.is_pointer and parameter.pointee not in ("void", "uint32_t"))]
        last = [parameter for parameter in arrays if not parameter.is_const][-1:] or arrays[-1:]
        name = camel_case(last[0].name)
        return f"lengthOf({name})" if last[0].is_table else f"countOf({name})"

    # ---- As text ----

    @property
    def is_complete(self):
        """Whether the call reports that it could not process everything."""
        return "INCOMPLETE" in self.function.comment

    def signature(self):
        taken = [name.replace("?", " = {}") for name, _ in self.taken]
        end = "this.count" if self.function.batch else self.default_end
        return [*taken, *(["begin = 0", f"end = {end}"] if self.function.has_range else [])]

    def declaration(self):
        parameters = []
        for name, type_ in self.taken:
            if type_ is None:
                type_ = "{ " + "; ".join(f"{member}: {of}" for member, of in self.grouped) + " }"
            parameters.append(f"{name}: {type_}")
        parameters += ["begin?: number", "end?: number"] if self.function.has_range else []
        return wrapped(f"    {js_name(self.function)}(", parameters, f"): {self.result_type()};", 4)

    def result_type(self):
        if not self.results:
            return "boolean" if self.is_complete else "void"
        if len(self.results) == 1:
            return self.results[0][1]
        return "{ " + "; ".join(f"{name}: {type_}" for name, type_, _, _ in self.results) + " }"

    def method(self):
        function, lines = self.function, []
        lines += wrapped(f"    {js_name(function)}(", self.signature(), ") {", 4)
        body, is_method = [], bool(function.batch)
        if is_method:
            body += ["const { host } = this;"]
        if self.grouped:
            names = [member.rstrip("?") for member, _ in self.grouped]
            body += wrapped(f"const {{ {', '.join(names)} }} = optionsOf(parameters, 'parameters', [",
                            [f"'{name}'" for name in names], "]);", 8)
        if self.results:
            body += [f"const out = {self.start or f'host.scratch({sum(size for _, _, size, _ in self.results)})'};"]
        returns = "return " if self.is_complete and not self.results else ""
        body += ["host.range(begin, end);"] if function.has_range else []
        if is_method:
            others = [each for each in self.passed if each not in ("begin", "end")]
            arguments = [f"'{function.name}'", "begin", "end", *others]
            body += wrapped(f"{returns}this.call(", arguments, ");", 8)
        else:
            body += wrapped(f"{returns}host.kernels.{function.name}(", self.passed, ");", 8)
        if len(self.results) == 1:
            body += [f"return {self.results[0][3]};"]
        elif self.results:
            body += wrapped("return {", [f"{name}: {read}" for name, _, _, read in self.results], "};", 8, " ")
        return [*lines, *(f"        {line}" for line in body), "    }"]


def wrapped(head, items, tail, indent, space=""):
    """On one line if that fits, otherwise one item per line. The caller's lines are indented by `indent` more if head
    is not."""
    one = f"{head}{space}{', '.join(items)}{space}{tail}"
    in_front = 0 if head.startswith(" ") else indent
    if len(one) + in_front <= WIDTH:
        return [one]
    own = " " * (len(head) - len(head.lstrip()))
    return [head, *(f"{own}    {item}," for item in items), f"{own}{tail}"]


def comment_of(function):
    text = re.sub(r"\b[a-z]\w*_\w+\b", lambda found: camel_case(found[0]), function.summary).replace("*", "")
    return [f"    /** {text} */"] if len(text) + 11 <= WIDTH else ["    /**", *folded(text, "     * "), "     */"]


def folded(text, front):
    lines, line = [], front.rstrip()
    for word in text.split():
        if len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line = front.rstrip()
        line += f" {word}"
    return [*lines, line]


def js_functions():
    """lib/functions.js: functions of values and of arrays, and the methods of batches."""
    used_topics = [("uiFunctions", UI), ("otherFunctions", [topic for topic in interface.TOPICS if topic not in UI])]
    lines = [f"// {MADE}: the calls of C.", "import { Batch } from './batch.js';", "import { optionsOf } from './check.js';", "",
             "// Of what may be no array: the checks that follow refuse it.",
             "const countOf = (array) => array?.length ?? 0;", "const lengthOf = (arrays) => countOf(arrays?.[0]);"]
    for name, topics in used_topics:
        lines += ["", f"export const {name} = (host) => ({{"]
        for function in KERNELS:
            if function.topic in topics and not function.batch and function.name not in BY_HAND:
                method = Call(function).method()
                lines += [*method[:-1], "    },"]
        lines += ["});"]
    for batch in batches():
        lines += ["", f"export class {class_of(batch)} extends Batch {{"]
        methods = [Call(function).method() for function in KERNELS
                   if function.batch == batch and function.name not in BY_HAND]
        lines += [line for i, method in enumerate(methods) for line in ([""] if i else []) + method]
        lines += ["}"]
    return JS / "lib/functions.js", "\n".join(lines) + "\n"


def batches():
    return list(dict.fromkeys(function.batch for function in KERNELS if function.batch))


def class_of(batch):
    name = camel_case(batch.removeprefix("gyre_"))
    return f"{name[0].upper()}{name[1:]}Calls"


def js_types():
    """functions.d.ts: the types of the functions."""
    calls = [Call(function) for function in KERNELS if function.name not in BY_HAND]
    text = "\n".join(line for call in calls for line in call.declaration())
    names = [name for name in ("Bone", "Matrices", "ParticleMatrix", "Quaternions", "Spring", "SpringMatrix", "Vectors")
             if re.search(rf"\b{name}\b", text)]
    lines = [f"// {MADE}: what the headers say of each function.",
             f"import type {{ {', '.join(names)} }} from './types.js';"]
    others = [topic for topic in interface.TOPICS if topic not in UI]
    for name, topics in (("UiFunctions", UI), ("OtherFunctions", others)):
        lines += ["", f"export interface {name} {{"]
        for call in calls:
            if call.function.topic in topics and not call.function.batch:
                lines += [*comment_of(call.function), *call.declaration()]
        lines += ["}"]
    for batch in batches():
        lines += ["", f"export interface {class_of(batch)} {{"]
        for call in calls:
            if call.function.batch == batch:
                lines += [*comment_of(call.function), *call.declaration()]
        lines += ["}"]
    return JS / "functions.d.ts", "\n".join(lines) + "\n"


# Values that every function accepts for a parameter of this name, or for names not listed, of this type.
SAMPLES = {"mass": "1", "stiffness": "100", "damping": "1", "response": "0.5", "dampingRatio": "1", "duration": "0.5",
           "bounce": "0.25", "halfLife": "0.1", "settling": "0.5", "fraction": "0.01", "interval": "1", "displacement": "1",
           "velocity": "2", "tolerance": "0.01", "dt": "1 / 60", "position": "0", "where": "1", "speed": "1", "part": "0.5",
           "longest": "1", "period": "360", "strideBytes": "4", "tensor": "[1, 2, 3, 0, 0, 0]", "palette": "floats(16)",
           "distance": "1", "dimension": "8", "coefficient": "1", "offset": "1", "deceleration": "1", "maxSpeed": "1",
           "dragForce": "0.4", "gravityPower": "0", "length": "0.1", "rate": "60"}

# What a batch is made from, for batches that need more than a count.
STARTS = {"gyre_flings": "N, { spring }", "gyre_bone_chains": "N, { bones: [{}] }"}

# Properties of samples that may be missing.
OPTIONAL_MEMBERS = {"Spring": ["follow"], "Bone": ["tail", "radius"]}


def sample_of(name, type_, matrix_of):
    if name in SAMPLES and type_ not in ("Float32Array", "readonly Float32Array[]") or name == "palette":
        return SAMPLES[name]
    if name == "matrix":
        return f"gyre.{matrix_of}MatrixAt({'spring' if matrix_of == 'spring' else 1}, 1 / 60)"
    if type_ == "Spring":
        return "spring"
    if type_ == "Bone":
        return "{ tail: [0, -0.1, 0], radius: 0.01 }"
    if type_ == "readonly Float32Array[]":
        return "[floats(N)]"
    if type_ in TABLES.values():
        return f"table({next(count for count, table in TABLES.items() if table == type_)})"
    arrays = {"Float32Array": "floats(N)", "Uint8Array": "gyre.uint8(N).view", "Uint16Array": "gyre.uint16(N).view",
              "Uint32Array": "gyre.uint32(N).view"}
    if type_ not in arrays:
        sys.exit(f"generate.py: SAMPLES has no value for the parameter {name} of type {type_}")
    return arrays[type_]


def js_calls():
    """tests/calls.js: a call of each, with all arguments, and which of these, or of their properties, may be missing."""
    lines = [f"// {MADE}: a call of each function that it makes.",
             "const N = 4;", "", "export const callsOf = (gyre) => {",
             "    const floats = (count) => gyre.float32(count).view;",
             "    const table = (count) => Array.from({ length: count }, () => floats(N));",
             "    const spring = { angularFrequency: 10, dampingRatio: 0.5, follow: 0 };", "    return ["]
    for call in (Call(function) for function in KERNELS if function.name not in BY_HAND):
        function, parameters, taken, optional = call.function, [], [], []
        matrix_of = "particle" if function.topic == "particle" else "spring"
        for name, type_ in call.taken:
            parameters.append(name.rstrip("?"))
            optional += [name.rstrip("?")] if name.endswith("?") else []
            optional += [member.rstrip("?") for member, _ in call.grouped if type_ is None and member.endswith("?")]
            if type_ is None:
                samples = [f"{member.rstrip('?')}: {sample_of(member, of.removesuffix(' | null'), matrix_of)}"
                           for member, of in call.grouped]
                taken.append("{ " + ", ".join(samples) + " }")
            else:
                taken.append(sample_of(name, type_, matrix_of))
                optional += OPTIONAL_MEMBERS.get(type_, [])
        if function.has_range:
            parameters, taken, optional = [*parameters, "begin", "end"], [*taken, "0", "N"], [*optional, "begin", "end"]
        on = "gyre"
        if function.batch:
            on += f".{camel_case(function.batch.removeprefix('gyre_'))}({STARTS.get(function.batch, 'N')})"
        lists = {"parameters": [f"'{name}'" for name in parameters], "taken": taken,
                 "optional": [f"'{name}'" for name in optional]}
        whole = wrapped("        {", [f"path: '{js_path(function)}'", f"on: {on}",
                                      *(f"{name}: [{', '.join(items)}]" for name, items in lists.items())], "},", 8, " ")
        lines += whole if len(whole) == 1 else [
            "        {", f"            path: '{js_path(function)}',", f"            on: {on},",
            *(line for name, items in lists.items() for line in wrapped(f"            {name}: [", items, "],", 0)),
            "        },"]
    return JS / "tests/calls.js", "\n".join([*lines, "    ];", "};", ""])


FILES = [struct_of_kernels, debian_symbols, page, js_functions, js_types, js_calls, python_binding.constants,
         python_binding.interface_file]


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__.split("\n\n")[1])
    is_check, wrong = bool(sys.argv[1:]), []
    for make in FILES:
        path, text = make()
        name = path.relative_to(ROOT)
        if is_check and (not path.exists() or path.read_text() != text):
            wrong.append(str(name))
        elif not is_check and (not path.exists() or path.read_text() != text):
            path.write_text(text)
            print(f"wrote {name}")
    if wrong:
        sys.exit(f"not what tools/interface/generate.py makes: {', '.join(wrong)}; run it without options")


if __name__ == "__main__":
    main()
