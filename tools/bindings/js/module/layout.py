"""What the package needs from Gyre's headers, found with clang, as JSON: the offsets of struct members, the values of
enumerations, and the parameters of functions.

usage: layout.py CLANG ARGUMENT...
"""
import json
import re
import subprocess
import sys


def clang(*arguments, source):
    return subprocess.run([*sys.argv[1:], *arguments, "-fsyntax-only", "-x", "c", "-"], input=source, text=True,
                          stdout=subprocess.PIPE, check=True).stdout


def declarations():
    tree = json.loads(clang("-Xclang", "-ast-dump=json", source="#include <gyre/gyre.h>\n"))
    return [node for node in tree["inner"] if node.get("name", "").startswith("gyre_")]


def constants_of(enumeration):
    value = -1
    for constant in enumeration["inner"]:
        if constant["kind"] == "EnumConstantDecl":
            value = int(constant["inner"][0]["value"]) if "inner" in constant else value + 1
            yield constant["name"], value


def parameters_of(function):
    return [{"name": parameter["name"], "type": parameter["type"]["qualType"]}
            for parameter in function.get("inner", []) if parameter["kind"] == "ParmVarDecl"]


def layouts_of(records):
    """{struct: {"size": bytes, "fields": {name: {"offset": bytes, "type": C}}}}"""
    asked = "".join(f"char size_of_{name}[sizeof({name})];\n" for name in records)
    dump = clang("-Xclang", "-fdump-record-layouts", source="#include <gyre/gyre.h>\n" + asked)
    layouts = {}
    for text in dump.split("*** Dumping AST Record Layout")[1:]:
        name = re.search(r"\| struct (\w+)", text).group(1)
        fields = re.findall(r"^ +(\d+) \|   (\S.*) (\w+)$", text, re.MULTILINE) # deeper lines are members of members
        layouts[name] = {"size": int(re.search(r"sizeof=(\d+)", text).group(1)),
                         "fields": {field: {"offset": int(offset), "type": kind.replace("struct ", "")}
                                    for offset, kind, field in fields}}
    return {name: layouts[name] for name in records}


def main():
    found = declarations()
    of_kind = lambda kind: [node for node in found if node["kind"] == kind]
    records = [node["name"] for node in of_kind("RecordDecl") if node["name"] != "gyre_kernels"]
    json.dump({
        "records": layouts_of(records),
        "constants": dict(pair for node in of_kind("EnumDecl") for pair in constants_of(node)),
        "functions": {node["name"]: {"returns": node["type"]["qualType"].split("(")[0].strip(),
                                     "parameters": parameters_of(node)} for node in of_kind("FunctionDecl")},
    }, sys.stdout, indent=1)


main()
