"""The layers of kernels/: no file includes one of a higher layer, there are no cycles, and each header has an include
guard or is a template.

usage: build/layers.py KERNELS

    dispatch                             the tables
    a topic: spring, body, arrays ...    kernels and their steps
    common                               shared by topics: argument checks, bounds, the meaning of awake
    simd                                 vectors and loops
    scalar                               scalar code, and macros for the language
"""
import pathlib
import re
import sys

import tap

NOT_TOPICS = {"scalar": 0, "simd": 1, "common": 2, "dispatch": 4}
TOPIC = 3
EVERYWHERE = {"list.h", "tables.h"}  # in no layer
PARTS_OF_LOOPS = {"simd/loops/parameters-inl.h", "simd/loops/sets-inl.h"}  # checks and cleanup

kernels = pathlib.Path(sys.argv[1])
texts = {path.relative_to(kernels).as_posix(): path.read_text() for path in kernels.rglob("*.[ch]")}


def folder_of(path):
    return path.split("/")[0]


def height_of(folder):
    return NOT_TOPICS.get(folder, TOPIC)


def included_by(path):
    return [file for file in re.findall(r'^#include "(.+?)"', texts[path], re.MULTILINE) if file not in EVERYWHERE]


def circles(graph):
    """The nodes that can reach themselves."""
    def reached(node, seen):
        for following in graph.get(node, ()):
            if following not in seen:
                seen.add(following)
                reached(following, seen)
        return seen
    return sorted(node for node in graph if node in reached(node, set()))


def ends_its_parameters(path):
    """Whether a file without a guard refuses to be included without parameters and undefines them at its end, either
    itself or through a file that it includes."""
    text = texts[path] + "".join(texts[file] for file in included_by(path))
    asked = set(re.findall(r"^#(?:ifndef |.*!defined\()(REAL|LOOP|PATH)\b", text, re.MULTILINE))
    return asked and "#error" in text and all(re.search(rf"^#undef {name}$", text, re.MULTILINE) for name in asked)


upward = [f"{path}: {file}" for path in texts if "/" in path for file in included_by(path)
          if height_of(folder_of(file)) > height_of(folder_of(path))]
tap.check(len(texts) > 50 and not upward, "no file includes one of a higher layer", "\n".join(upward))

missing = [f"{path}: {file}" for path in texts for file in included_by(path) if file not in texts]
tap.check(not missing, "each included file exists", "\n".join(missing))

found = circles({path: included_by(path) for path in texts})
tap.check(not found, "no file includes itself through others", "\n".join(found))

folders = {}
for path in texts:
    for file in included_by(path):
        if folder_of(file) != folder_of(path) and "/" in path:
            folders.setdefault(folder_of(path), set()).add(folder_of(file))
found = circles(folders)
tap.check(not found, "no folder includes itself through others", f"{found}: {folders}")

for path, text in sorted(texts.items()):
    if path.endswith(".h"):
        guards = re.findall(r"^#ifndef (GYRE_\w+_H)$", text, re.MULTILINE)
        wanted = "GYRE_" + re.sub(r"\W", "_", path.removesuffix(".h").removesuffix("-inl")).upper() + "_H"
        is_template = not guards and (path in PARTS_OF_LOOPS or ends_its_parameters(path))
        tap.check(guards == [wanted] or is_template, f"{path}: included once, or a template", f"{guards}, not {wanted}")
tap.finish()
