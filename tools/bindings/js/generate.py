"""Writes the WebAssembly modules as source files of the package: LIB/gyre_module.js and LIB/ui_module.js, each a module
as text, and LIB/layout.js, the structs and enumerations of the C headers.

usage: generate.py MODULES LIB     MODULES: the folder made by module/build.sh
"""
import base64
import json
import pathlib
import sys
import zlib

modules, lib = map(pathlib.Path, sys.argv[1:])
layout = json.loads((modules / "layout.json").read_text())
(lib / "layout.js").write_text("".join(
    f"export const {name} = {json.dumps(layout[name], separators=(',', ':'))};\n" for name in ("records", "constants")))
for name in ("gyre", "ui"):
    deflated = zlib.compress((modules / f"{name}.wasm").read_bytes(), 9)
    (lib / f"{name}_module.js").write_text(f"export const module = '{base64.b64encode(deflated).decode()}';\n")
