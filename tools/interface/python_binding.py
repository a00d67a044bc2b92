"""The files of the Python package that follow from the headers: _constants.py and _interface.py."""
import re
import textwrap

import interface
from interface import ROOT

PACKAGE = ROOT / "tools/bindings/python/gyre"
WIDTH = 120
FUNCTIONS = interface.read()
STRUCTS = {struct.name: struct for struct in interface.structs()}
ENUMERATIONS = interface.enumerations()

# Functions that are written by hand, with their names in Python.
BY_HAND = {
    "gyre_gather": "gather", "gyre_scatter": "scatter", "gyre_find_awake": "find_awake",
    "gyre_bodies_step": "Bodies.step", "gyre_bodies_transforms": "Bodies.transforms",
    "gyre_kernels_for": "use", "gyre_kernels_best": "use", "gyre_use": "use", "gyre_in_use": "in_use",
    "gyre_isa_name": "in_use", "gyre_rounding_name": "in_use", "gyre_kernels_isa": "in_use",
    "gyre_kernels_rounding": "in_use", "gyre_status_name": "Error", "gyre_version": "version"}
COMPLETED = {"gyre_bodies", "gyre_bone_chains"}  # batches whose classes are derived by hand from those made here
OPTIONAL = {"follow", "time_scale"}  # arrays that may be NULL
COUNTED = {"gyre_bone_chains": "position"}  # of whose arrays the first does not have `count` elements
OPTIONAL_MEMBERS = {("gyre_bone_chains", "colliders"), ("gyre_chain_collider", "end"), ("gyre_chain_collider", "radius")}
# Functions that only read their arrays of arrays, and those that write all of them. Others write those called out or
# ..._out, or else the last.
READ_ONLY = {"gyre_hash", "gyre_bodies_set_angular_velocity"}
WRITE_ALL = {"gyre_decelerate"}
DEFAULTS = {("gyre_bone", "rest"): "(0, 0, 0, 1)"}
ELEMENTS = {"float": "FLOAT", "uint8_t": "UINT8", "uint16_t": "UINT16", "size_t": "UINTP"}
READ_TYPES = {"float": "FloatsIn", "uint8_t": "BytesIn", "uint16_t": "IndicesIn", "size_t": "OffsetsIn"}
WRITE_TYPES = {"float": "Floats", "uint8_t": "Bytes"}
C_TYPES = {"float": "c_float", "bool": "c_bool", "int": "c_int", "size_t": "c_size_t", "uint64_t": "c_uint64"}
PLAIN = {"float": "float", "bool": "bool", "int": "int", "size_t": "int", "uint64_t": "int"}
ZEROS = {"float": "0", "bool": "False", "int": "0", "uint64_t": "0"}


def class_of(name):
    return "".join(part.capitalize() for part in name.removeprefix("gyre_").split("_"))


def is_batch(struct):
    return any(member.is_pointer for member in struct.members)


def own_struct(name):
    """Of a batch, the structure of C, which is not the class that users see."""
    return f"{class_of(name)}Struct" if is_batch(STRUCTS[name]) else class_of(name)


def made_record(function):
    """The struct whose class makes itself by this function: Spring.from_response."""
    found = re.match(r"gyre_(spring|bone)_from_", function.name)
    return f"gyre_{found[1]}" if found else None


def record_of(function):
    """The struct whose class has this function as a method."""
    of_spring = function.name.startswith("gyre_spring_") and function.parameters[0].type == "gyre_spring"
    return "gyre_spring" if of_spring else made_record(function)


def path_of(function):
    """The function's name in Python: Springs.step, Spring.peak, hash."""
    if function.name in BY_HAND:
        return BY_HAND[function.name]
    owner = function.batch or record_of(function)
    return f"{class_of(owner)}.{function.name.removeprefix(f'{owner}_')}" if owner else function.name.removeprefix("gyre_")


PATHS = {function.name: path_of(function) for function in FUNCTIONS}


# ---- Comments as docstrings ----

def in_python(text, begin_and_end=False):
    """A comment with the names of Python, without the heading of a section."""
    text = re.sub(r"^---- .* ----\n*", "", text)
    text = re.sub(r"\bgyre_\w+\b", lambda found: PATHS.get(found[0]) or (
        class_of(found[0]) if found[0] in (*STRUCTS, *ENUMERATIONS) else found[0]), text)
    text = text.replace("GYRE_INCOMPLETE", "False").replace("GYRE_OK", "Status.OK")
    text = re.sub(r"\bGYRE_(ERROR_\w+)", r"Status.\1", text)
    text = re.sub(r"\bNULL\b", "None", text)
    text = re.sub(r"\bReturns( *) Status\.ERROR", r"Raises \1Status.ERROR", text)
    if begin_and_end:
        text = text.replace("begin..end-1", "start..stop-1").replace("end - begin", "stop - start")
        text = text.replace("element end - 1", "element stop - 1").replace("if end >", "if stop >")
    assert '"""' not in text and "\\" not in text, text
    return text


def docstring(text, indent):
    """The lines of a docstring."""
    lines = text.strip().split("\n")
    lines[0] = f'"""{lines[0]}'
    space = " " * indent
    if len(lines) == 1 and len(space + lines[0]) + 3 <= WIDTH:
        return [f'{space}{lines[0]}"""']
    return [f"{space}{line}".rstrip() for line in [*lines, '"""']]


def folded(words, indent):
    return textwrap.wrap(words, WIDTH - indent, break_on_hyphens=False)


# ---- _constants.py ----

def constants():
    version = re.search(r'GYRE_VERSION "(.+)"', (interface.INCLUDE / "gyre.h").read_text())[1]
    lines = ['"""The version, and the enumerations of C. Made by tools/interface/generate.py."""', "import enum", "",
             f'VERSION = "{version}"']
    for name, (comment, values) in ENUMERATIONS.items():
        prefix = common_prefix([constant for constant, _, _ in values])
        lines += ["", "", f"class {class_of(name)}(enum.IntEnum):"]
        lines += docstring(in_python(comment) or f"Constants of {class_of(name)}.", 4) + [""]
        for constant, value, meaning in values:
            if constant != "GYRE_ISA_COUNT":
                lines += [f"    {constant.removeprefix(prefix)} = {value}"]
                lines += docstring(in_python(meaning), 4) if meaning else []
    meanings = [(constant, meaning) for constant, _, meaning in ENUMERATIONS["gyre_status"][1] if meaning]
    lines += ["", "", "MEANINGS = {", *(f'    Status.{constant.removeprefix("GYRE_")}: "{meaning}",'
                                        for constant, meaning in meanings), "}"]
    return PACKAGE / "_constants.py", "\n".join(lines) + "\n"


def common_prefix(names):
    """Of words: GYRE_ROUNDING_ of GYRE_ROUNDING_PORTABLE and GYRE_ROUNDING_FUSED."""
    parts = [name.split("_") for name in names]
    count = next(k for k, words in enumerate(zip(*parts)) if len(set(words)) > 1)
    return "_".join([*parts[0][:count], ""])


# ---- Structs ----

def c_type(member):
    if member.is_pointer:
        return f"c_void_p * {member.length}" if member.length else "c_void_p"
    kind = member.pointee
    of_python = class_of(kind) if kind in STRUCTS else "c_int" if kind in ENUMERATIONS else C_TYPES[kind]
    return f"{of_python} * {member.length}" if member.length else of_python


def fields(struct):
    lines = ["    _fields_ = ["]
    return [*lines, *(f'        ("{member.name}", {c_type(member)}),' for member in struct.members), "    ]"]


def plain_type(member):
    if member.length:
        return "Sequence[float]"
    return class_of(member.pointee) if member.pointee in (*STRUCTS, *ENUMERATIONS) else PLAIN[member.pointee]


def zero(struct, member):
    if (struct.name, member.name) in DEFAULTS:
        return DEFAULTS[struct.name, member.name]
    if member.length:
        return f"({', '.join(['0'] * member.length)})"
    if member.pointee in ENUMERATIONS:
        first = ENUMERATIONS[member.pointee][1][0][0]
        prefix = common_prefix([constant for constant, _, _ in ENUMERATIONS[member.pointee][1]])
        return f"{class_of(member.pointee)}.{first.removeprefix(prefix)}"
    return "None" if member.pointee in STRUCTS else ZEROS[member.pointee]


def record(struct):
    """A struct of plain values: Spring, SpringMatrix, BodySolver."""
    members = [member for member in struct.members if member.name != "unused"]
    width = max(len(member.name) for member in members) + 2
    notes = [f"{member.name:{width}}{in_python(member.comment)}".rstrip() for member in members]
    text = in_python(struct.comment) or f"What {struct.name} is in {struct.topic}.h."
    lines = ["", "", f"class {class_of(struct.name)}(Record):", *docstring("\n".join([text, "", *notes]), 4), "",
             "    __slots__ = ()", *fields(struct)]
    chosen = [f'"{member.name}": {class_of(member.pointee)}' for member in members if member.pointee in ENUMERATIONS]
    lines += [f"    _enumerations_ = {{{', '.join(chosen)}}}"] if chosen else []
    lines += [f"    {member.name}: {plain_type(member)}" for member in members]
    parameters = [f"{member.name}: {plain_type(member)}{' | None' if zero(struct, member) == 'None' else ''} = "
                  f"{zero(struct, member)}" for member in members]
    passed = [f"{member.name} or {class_of(member.pointee)}()" if zero(struct, member) == "None" else
              f"tuple({member.name})" if member.length else member.name for member in members]
    lines += ["", *wrapped("    def __init__(", ["self", *parameters], ") -> None:", 4),
              *wrapped("        super().__init__(", passed, ")", 8)]
    for function in FUNCTIONS:
        if record_of(function) == struct.name and function.name not in BY_HAND:
            lines += ["", *Call(function).lines()]
    return lines


def array_types(member):
    """Types of an array of a batch, as read and as written by users."""
    if member.pointee in STRUCTS:
        return f"Sequence[{class_of(member.pointee)}]"
    if member.length:
        return "TableIn" if member.is_const else "Table"
    return READ_TYPES[member.pointee] if member.is_const else WRITE_TYPES[member.pointee]


def is_optional(struct, member):
    return member.may_be_null or (struct.name, member.name) in OPTIONAL_MEMBERS


def descriptor(struct, member):
    doc = in_python(member.comment).replace('"', "'")
    if not member.is_pointer:
        kind = "Value"
        front = f"{plain_type(member)}"
    elif member.pointee in STRUCTS:
        kind, front = f"Records[{class_of(member.pointee)}]", own_struct(member.pointee)
    else:
        type_ = array_types(member)
        kind = f"Array[{f'Optional[{type_}]' if is_optional(struct, member) else type_}]"
        front = ", ".join([ELEMENTS[member.pointee], str(member.length or 0), str(not member.is_const),
                           str(is_optional(struct, member))])
    line = f'    {member.name} = {kind}({front}, "{doc}")'
    if len(line) <= WIDTH:
        return [line]
    texts = folded(doc, 12)
    texts = [f'"{text}{" " if i + 1 < len(texts) else ""}"' for i, text in enumerate(texts)]
    return [f"    {member.name} = {kind}({front},", *(f"        {text}" for text in texts[:-1]), f"        {texts[-1]})"]


def batch(struct):
    """A struct of arrays: Springs, Bodies, ChainCollider."""
    sizes = {"count", "levels", "bone_count", "collider_count", "unused"}
    members = [member for member in struct.members if member.name not in sizes]
    name = class_of(struct.name)
    lines = ["", "", f"class {name}Struct(Structure):", "    __slots__ = ()", *fields(struct), "", "",
             f"class {name}(Batch):", *docstring(in_python(struct.comment), 4), "",
             "    __slots__ = ()", f"    _Struct = {name}Struct"]
    needed = [member for member in members if member.is_pointer and not is_optional(struct, member) and
              member.name != "level_begin"]
    lines += [f'    _counted = "{COUNTED.get(struct.name, needed[0].name)}"']
    lines += [line for member in members for line in descriptor(struct, member)]
    others = [member for member in members if member not in needed]
    parameters = ["self", *(f"{member.name}: {array_types(member)}" for member in needed), "*"]
    for member in others:
        type_, default = (array_types(member), "None") if member.is_pointer else (plain_type(member), zero(struct, member))
        parameters.append(f"{member.name}: {type_}{' | None' if default == 'None' else ''} = {default}")
    passed = [f"{member.name}={member.name}" + (
        f" or {class_of(member.pointee)}()" if member.pointee in STRUCTS and not member.is_pointer else "") for member in members]
    lines += ["", *wrapped("    def __init__(", parameters, ") -> None:", 4),
              *wrapped("        super().__init__(", passed, ")", 8)]
    for function in FUNCTIONS:
        if function.batch == struct.name and function.name not in BY_HAND:
            lines += ["", *Call(function).lines()]
    return lines


def wrapped(head, items, tail, indent):
    """On one line if that fits, otherwise in lines below it."""
    one = f"{head}{', '.join(items)}{tail}"
    if len(one) <= WIDTH:
        return [one]
    lines, line = [head], " " * (indent + 4)
    for i, item in enumerate(items):
        item += "," if i + 1 < len(items) else ""
        if line.strip() and len(line) + 1 + len(item) + len(tail) > WIDTH:
            lines.append(line)
            line = " " * (indent + 4)
        line += f" {item}" if line.strip() else item
    return [*lines, line + tail]


# ---- Functions ----

def is_written(function, parameter):
    """Whether C writes to an array of arrays, which the types do not say."""
    tables = [each for each in function.parameters if each.is_table]
    called_out = [each for each in tables if each.name.endswith("out")]
    if function.name in READ_ONLY | WRITE_ALL:
        return function.name in WRITE_ALL
    return parameter in called_out if called_out else parameter == tables[-1]


def is_result(function, parameter):
    """What C writes through a pointer and Python returns."""
    if parameter.is_const or not parameter.is_pointer or parameter.is_table:
        return False
    in_arrays = function.has_range or function.parameters[-1].name == "count"
    return parameter.pointee == "uint64_t" if in_arrays else True


class Call:
    """A function in Python: `taken`, its parameters with their types, `passed`, the arguments for C before and after
    the range, `results`, as (type, how to make it, how to read it)."""
    def __init__(self, function):
        self.function, self.taken, self.options, self.results = function, [], [], []
        self.before, self.after, self.uses_arrays = [], [], False
        self.passed = self.before
        everything = function.parameters[1 if function.batch else 0:]
        self.is_method = bool(function.batch) or record_of(function) == "gyre_spring" and not made_record(function)
        if self.is_method and not function.batch:
            self.passed.append("self")
            everything = everything[1:]
        for parameter, following in zip(everything, [*everything[1:], None]):
            self.add(parameter, following)

    def add(self, parameter, following):
        name, kind = parameter.name, parameter.pointee
        self.uses_arrays |= parameter.is_table or (kind in ELEMENTS and parameter.is_pointer and not parameter.length
                                                   and not is_result(self.function, parameter))
        if is_result(self.function, parameter):
            self.add_result(parameter)
        elif name == "begin":
            self.passed = self.after
        elif name == "end" or name.endswith("_count"):
            pass
        elif name == "count":
            self.passed.append("checked.count")
        elif name == "components":
            self.passed.append("checked.components")
        elif parameter.is_table:
            writes = is_written(self.function, parameter)
            self.taken.append(f"{name}: {'Table' if writes else 'TableIn'}")
            method = "write_table" if writes else "read_table"
            self.passed.append(f'checked.{method}("{name}", {name}, {parameter.length})')
        elif kind in STRUCTS and following and following.name == f"{name}_count":
            self.taken.append(f"{name}: Sequence[{class_of(kind)}]")
            self.passed.append(f"*records({class_of(kind)}, {name})")
        elif kind in STRUCTS:
            self.taken.append(f"{name}: {class_of(kind)}")
            self.passed.append(name)
        elif parameter.length:
            self.taken.append(f"{name}: Sequence[float]")
            self.passed.append(f'numbers("{name}", {name}, {parameter.length})')
        elif parameter.is_pointer and name in OPTIONAL:
            self.options.append(f"{name}: {READ_TYPES[kind]} | None = None")
            self.passed.append(f'checked.optional("{name}", {name})')
        elif parameter.is_pointer:
            method, types = ("read", READ_TYPES) if parameter.is_const else ("write", WRITE_TYPES)
            self.taken.append(f"{name}: {types[kind]}")
            dtype = "" if kind == "float" else f", {ELEMENTS[kind]}"
            self.passed.append(f'checked.{method}("{name}", {name}{dtype})')
        else:
            assert kind == "float", f"{self.function.name}: {parameter}"
            self.taken.append(f"{name}: float")
            self.passed.append(name)

    def add_result(self, parameter):
        kind, name = parameter.pointee, parameter.name
        if kind == "gyre_bone":
            self.options.append(f"{name}: Bone | None = None")
            self.results.append(("Bone", f"out = copied({name} or Bone())", "out"))
            self.passed.append("out")
            return
        name = "out" if name.startswith("out") else f"{name}_out"
        if parameter.length:
            self.results.append(("Floats", f"{name} = (c_float * {parameter.length})()", f"floats({name})"))
            self.passed.append(name)
        elif kind in STRUCTS:
            made = "cls" if made_record(self.function) else class_of(kind)
            self.results.append((class_of(kind), f"{name} = {made}()", name))
            self.passed.append(name)
        elif kind in ENUMERATIONS:
            self.results.append((class_of(kind), f"{name} = c_int()", f"{class_of(kind)}({name}.value)"))
            self.passed.append(f"byref({name})")
        else:
            self.results.append((PLAIN[kind], f"{name} = {C_TYPES[kind]}()", f"{name}.value"))
            self.passed.append(f"byref({name})")

    @property
    def has_threads(self):
        return self.function.has_range and not self.results

    @property
    def is_complete(self):
        return "INCOMPLETE" in self.function.comment

    def result_type(self):
        types = [type_ for type_, _, _ in self.results]
        if not types:
            return "bool" if self.is_complete else "None"
        return types[0] if len(types) == 1 else f"tuple[{', '.join(types)}]"

    def lines(self):
        function = self.function
        makes = made_record(function)
        indent = 4 if self.is_method or makes else 0
        space = " " * indent
        parameters = [*(["cls"] if makes else ["self"] if self.is_method else []), *self.taken]
        options = list(self.options)
        if function.has_range:
            parameters += ["start: int = 0", "stop: int | None = None", *(["threads: int = 1"] if self.has_threads else [])]
        parameters += ["*", *options] if options and function.has_range else options
        name = path_of(function).split(".")[-1]
        result = self.result_type()
        lines = [f"{space}@classmethod"] if makes else []
        lines += wrapped(f"{space}def {name}(", parameters, f") -> {result}:", indent)
        comment = function.comment
        if function.batch:
            of_batch = function.parameters[0].name
            comment = re.sub(rf"(?m)^{of_batch}(?= )", "self".ljust(len(of_batch)), comment)
        lines += docstring(in_python(comment, function.has_range), indent + 4)
        body = [f"checked = Arrays({'self._count' if function.batch else ''})"] if self.uses_arrays else []
        body += [make for _, make, _ in self.results]
        returns = "return " if self.is_complete and not self.results else ""
        c_name = f"library.{function.name}"
        if function.has_range:
            before = [*(["self._struct"] if function.batch else []), *self.before]
            arguments = [c_name, tuple_of(before), "start", "stop", tuple_of(self.after),
                         "self._count" if function.batch else "checked.count", *(["threads"] if self.has_threads else [])]
            body += wrapped(f"{returns}run(", arguments, ")", 0)
        else:
            body += wrapped(f"{returns}call(", [c_name, *self.before], ")", 0)
        reads = [read for _, _, read in self.results]
        body += [f"return {', '.join(reads)}"] if reads else []
        return [*lines, *(f"{space}    {line}" for line in body)]


def tuple_of(items):
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def prototype(function):
    """The types of a function for ctypes."""
    def of(parameter):
        kind = parameter.pointee
        if parameter.is_table:
            return "POINTER(c_void_p)"
        if kind == "gyre_kernels" or kind in ("void", "uint8_t", "uint16_t", "uint32_t"):
            return "c_void_p"
        if kind in STRUCTS:
            return f"POINTER({own_struct(kind)})" if parameter.is_pointer else class_of(kind)
        if kind in ENUMERATIONS:
            return "POINTER(c_int)" if parameter.is_pointer else "c_int"
        if parameter.is_pointer and kind == "float" and parameter.length is None and not is_result(function, parameter):
            return "c_void_p"
        return f"POINTER({C_TYPES[kind]})" if parameter.is_pointer else C_TYPES[kind]
    returns = {"const char *": "c_char_p", "const gyre_kernels *": "c_void_p"}.get(function.returns, "c_int")
    return wrapped(f'prototype("{function.name}", ', [returns, *map(of, function.parameters)], ")", 0)


def interface_file():
    lines = ['"""The structs and functions of C. Made by tools/interface/generate.py."""',
             "from __future__ import annotations", "",
             "from ctypes import POINTER, Structure, byref, c_bool, c_char_p, c_float, c_int, c_size_t, c_uint64, c_void_p",
             "from typing import Optional, Sequence", "",
             "from ._arrays import (FLOAT, UINT8, UINT16, UINTP, Arrays, Bytes, BytesIn, Floats, FloatsIn, "
             "IndicesIn,", "                      OffsetsIn, Table, TableIn, floats, numbers)",
             "from ._batches import Array, Batch, Records, Value",
             "from ._calls import Record, call, copied, records, run",
             f"from ._constants import {', '.join(sorted(class_of(name) for name in used_enumerations()))}",
             "from ._library import library, prototype"]
    free = [function for function in FUNCTIONS
            if function.member and not function.batch and not record_of(function) and function.name not in BY_HAND]
    public = [*(class_of(name) for name in STRUCTS if name not in COMPLETED), *map(path_of, free)]
    lines += ["", "__all__ = [", *(f"    {line}" for line in folded(", ".join(f'"{name}"' for name in public), 4)), "]"]
    for struct in STRUCTS.values():
        lines += batch(struct) if is_batch(struct) else record(struct)
    for function in free:
        lines += ["", "", *Call(function).lines()]
    lines += ["", "", "DOCUMENTATION = {"]
    for name, path in BY_HAND.items():
        [function] = [each for each in FUNCTIONS if each.name == name]
        if function.member:
            first, *more = docstring(in_python(function.comment, True), 0)
            lines += [f'    "{path}": {first}', *more[:-1], *([f"{more[-1]},"] if more else [])]
            lines[-1] += "" if more else ","
    lines += ["}", ""]
    for function in FUNCTIONS:
        lines += prototype(function)
    return PACKAGE / "_interface.py", "\n".join(lines) + "\n"


def used_enumerations():
    """Those of members and results, which the file names."""
    of_members = {member.pointee for struct in STRUCTS.values() for member in struct.members}
    of_results = {parameter.pointee for function in FUNCTIONS if function.name not in BY_HAND
                  for parameter in function.parameters if parameter.is_pointer}
    return (of_members | of_results) & set(ENUMERATIONS)
