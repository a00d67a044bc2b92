"""The interface of the library, read from its headers and kernels/list.h; generate.py makes files from it."""
import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "include" / "gyre"
TOPICS = ["spring", "particle", "rotation", "chain", "body", "arrays", "math"]  # of kernels: header, folder, list
OTHERS = ["cpu", "status", "gyre"]


@dataclasses.dataclass
class Parameter:
    name: str
    type: str  # without the name: "const float *", "float *const [3]", "gyre_spring"

    @property
    def is_pointer(self):
        return "*" in self.type or "[" in self.type

    @property
    def is_const(self):
        return self.type.startswith("const ")

    @property
    def pointee(self):
        """float for "const float *", "float *const [3]" and "float [3]"; for a value, the type itself"""
        return re.sub(r"^const ", "", self.type).split(" *")[0].split(" [")[0]

    @property
    def length(self):
        """3 for "float *const [3]", 0 for "float *const []", None for others"""
        found = re.search(r"\[(\d*)\]$", self.type)
        return int(found.group(1) or 0) if found else None

    @property
    def is_table(self):
        """An array of arrays."""
        return "*const [" in self.type


@dataclasses.dataclass
class Function:
    name: str
    topic: str
    returns: str
    parameters: list
    summary: str  # the first sentence of its comment, or of the comment shared with the function before it
    comment: str
    member: str = ""  # of gyre_kernels; "" if it is not a kernel
    is_scalar: bool = False  # a kernel that takes only a few numbers

    @property
    def has_range(self):
        return any(parameter.name == "begin" for parameter in self.parameters)

    @property
    def batch(self):
        """The struct of arrays that it takes, or None."""
        first = self.parameters[0] if self.parameters else None
        found = first and re.fullmatch(r"const (gyre_\w+) \*", first.type)
        return found.group(1) if found and self.has_range else None


@dataclasses.dataclass
class Member:
    name: str
    type: str  # without the name: "const float *", "float *[4]", "float [6]", "gyre_spring"
    comment: str  # with that of the member after it, if both are described in one sentence: "u, and", "u/s: ..."

    @property
    def is_pointer(self):
        return "*" in self.type

    @property
    def is_const(self):
        return self.type.startswith("const ")

    @property
    def pointee(self):
        return self.type.removeprefix("const ").split()[0]

    @property
    def length(self):
        """4 for "float *[4]" and "float [4]", None without brackets"""
        found = re.search(r"\[(\d+)\]$", self.type)
        return int(found.group(1)) if found else None

    @property
    def may_be_null(self):
        return "NULL" in self.comment or "likewise" in self.comment


@dataclasses.dataclass
class Struct:
    name: str
    topic: str
    comment: str
    members: list


def parameter_of(text):
    found = re.fullmatch(r"(.*?)(\w+)((?:\[\d*\])?)", " ".join(text.split()))
    return Parameter(found.group(2), f"{found.group(1).strip()}{' ' + found.group(3) if found.group(3) else ''}")


def sentence_of(comment):
    """The first sentence, up to the first full stop, colon before a list, or empty line."""
    text = re.sub(r"\s*\n\s*", " ", comment.split("\n\n")[0]).strip()
    return re.split(r"(?<=[\w`)\]][.:])\s", text, maxsplit=1)[0].rstrip(":.") + "."


def functions_of(topic):
    text = (INCLUDE / f"{topic}.h").read_text()
    found, comment = [], ""
    for part in re.finditer(r"/\*(?P<comment>.*?)\*/|^GYRE_API (?P<returns>[^;(]*?)(?P<name>gyre_\w+)\((?P<parameters>[^;]*)\);",
                            text, re.MULTILINE | re.DOTALL):
        if part["name"] is None:
            comment = re.sub(r"^ {3}", "", part["comment"], flags=re.MULTILINE)
            continue
        parameters = [parameter_of(each) for each in part["parameters"].split(",") if each.strip() != "void"]
        found.append(Function(part["name"], topic, part["returns"].strip(), parameters, sentence_of(comment), comment))
    return found


def listed():
    """{plain function: (member, topic, whether it is scalar)} of kernels/list.h"""
    text = re.sub(r"\\\n", " ", (ROOT / "kernels/list.h").read_text())
    rows = {}
    for name, topic, scalar, body in re.findall(r"^#define (GYRE_([A-Z]+?)_(SCALAR_)?KERNELS)\(ROW\)(.*)$", text, re.MULTILINE):
        for member, plain in re.findall(r"\bROW\((\w+), (gyre_\w+),", body):
            rows[plain] = (member, topic.lower(), bool(scalar))
    return rows


def read():
    """All functions, by header. Raises an error for a kernel that is listed but not declared in its topic's header, or
    the reverse."""
    rows, functions = listed(), []
    for topic in TOPICS + OTHERS:
        for function in functions_of(topic):
            if function.name in rows:
                function.member, list_topic, function.is_scalar = rows.pop(function.name)
                assert list_topic == topic, f"{function.name} is declared in {topic}.h and listed under {list_topic}"
            else:
                assert topic in OTHERS, f"{function.name} is not in kernels/list.h"
            functions.append(function)
    assert not rows, f"kernels/list.h has functions that no header declares: {sorted(rows)}"
    return functions


COMMENT = r"(?:/\*(?P<comment>(?:(?!\*/).)*)\*/\n)?"


def text_of(comment):
    return re.sub(r"^ {3}", "", (comment or "").strip(), flags=re.MULTILINE)


def members_of(body):
    """Of "float a, b; /* ... */ const float *c[3];" and so on."""
    members = []
    for declaration, comment in re.findall(r"([^;/]+);(?:\s*/\*(.*?)\*/)?", body, re.DOTALL):
        base, rest = re.fullmatch(r"\s*((?:const )?\w+)\s+(.*)", declaration, re.DOTALL).groups()
        for each in rest.split(","):
            star, name, bracket = re.fullmatch(r"\s*(\*?)(\w+)(\[\d+\])?\s*", each).groups()
            type_ = f"{base}{' *' if star else ''}{'' if star or not bracket else ' '}{bracket or ''}"
            members.append(Member(name, type_, re.sub(r"\s+", " ", comment.strip())))
    for member, following in zip(members[-2::-1], members[:0:-1]):
        if re.search(r"\band$", member.comment):
            member.comment += f" {following.comment}"
    return members


def structs():
    """The structs of the topics, in the order in which they need each other."""
    found = []
    for topic in TOPICS:
        text = (INCLUDE / f"{topic}.h").read_text()
        for part in re.finditer(COMMENT + r"typedef struct (?P<name>gyre_\w+) \{(?P<body>.*?)\n\} (?P=name);", text, re.DOTALL):
            found.append(Struct(part["name"], topic, text_of(part["comment"]), members_of(part["body"])))
    return found


def enumerations():
    """{name: (comment, [(constant, value, its comment)])} of the headers."""
    found = {}
    for topic in TOPICS + OTHERS:
        text = (INCLUDE / f"{topic}.h").read_text()
        for part in re.finditer(COMMENT + r"typedef enum (?P<name>gyre_\w+) \{(?P<body>.*?)\n\} (?P=name);", text, re.DOTALL):
            constants, value = [], 0
            for line in re.finditer(r"(GYRE_\w+)(?: = (-?\d+))?,?[ ]*(?:/\*(.*?)\*/)?", part["body"]):
                value = int(line[2]) if line[2] else value
                constants.append((line[1], value, (line[3] or "").strip()))
                value += 1
            found[part["name"]] = (text_of(part["comment"]), constants)
    return found


def enumeration(name):
    """The constants of an enumeration of the headers, in order."""
    return [constant for constant, _, _ in enumerations()[name][1]]
