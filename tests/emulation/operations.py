"""Checks that a WebAssembly program uses vector instructions, and no relaxed ones, whose results differ between hosts.

usage: operations.py PROGRAM
"""
import re
import subprocess
import sys

NEEDED = ("f32x4.mul", "f32x4.sqrt", "f32x4.pmax", "i32x4.bitmask", "v128.any_true", "v128.bitselect", "f64x2.mul",
          "f32x4.demote_f64x2_zero")

text = subprocess.run(["wasm-objdump", "-d", sys.argv[1]], stdout=subprocess.PIPE, text=True, check=True).stdout
operations = set(re.findall(r"\| *((?:v128|[if]\d+x\d+)\.\w+)", text))
missing = [name for name in NEEDED if name not in operations]
relaxed = sorted(name for name in operations if "relaxed" in name or "dot_i8x16" in name)
print("1..2")
print("not ok" if missing else "ok", "1 - vectors", *missing)
print("not ok" if relaxed else "ok", "2 - nothing relaxed", *relaxed)
