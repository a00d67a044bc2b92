#!/bin/sh
# Makes a copy of Gyre as one C file and its headers: FOLDER/gyre.c and FOLDER/gyre/*.h. See tools/docs/one-file.md.
#   sh tools/amalgamate.sh FOLDER          all functions, for the instruction set that every CPU of the architecture has
#   sh tools/amalgamate.sh --all FOLDER    for all instruction sets, of which the best that the CPU has is used
# Needs Python 3 and, for the preprocessor, a C compiler: cc, or $CC.
set -eu
exec python3 "$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)/amalgamation/amalgamate.py" "$@"
