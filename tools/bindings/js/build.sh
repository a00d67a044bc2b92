#!/bin/sh
# Makes the npm package in FOLDER/package, from this folder and the WebAssembly modules, which it builds in
# FOLDER/module.
#   sh tools/bindings/js/build.sh FOLDER
# Needs what module/build.sh needs.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
sh "$here/module/build.sh" "$1/module"

rm -rf "$1/package"
mkdir "$1/package"
cd "$1/package"
cp -R "$here"/*.js "$here"/*.d.ts "$here/lib" "$here/package.json" "$here/README.md" "$here/../../../LICENSE" .
cp ../module/gyre.wasm ../module/ui.wasm .
cp -R "$here/../../../include" . # the contracts, to which the page links
rm include/gyre/gyre.hpp
sed -i 's#(../../../include/#(include/#g' README.md
python3 "$here/generate.py" ../module lib
