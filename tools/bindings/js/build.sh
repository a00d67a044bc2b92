#!/bin/sh
# Makes the npm package in FOLDER/package, from this folder and the WebAssembly modules, which it builds in
# FOLDER/module.
#   [HOMEPAGE=URL] sh tools/bindings/js/build.sh FOLDER     HOMEPAGE: the project's home page, for releases
# Needs what module/build.sh needs.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
sh "$here/module/build.sh" "$1/module"

rm -rf "$1/package"
mkdir "$1/package"
cd "$1/package"
cp -R "$here"/*.js "$here"/*.d.ts "$here/lib" "$here/package.json" "$here/README.md" "$here/../../../LICENSE" .
cp ../module/gyre.wasm ../module/ui.wasm .
sed -i "s#@HOMEPAGE@#${HOMEPAGE-https://example.org/gyre}#g" package.json

# The contracts, to which the page links, and the pages that they name. Other links lead out of the package.
cp -R "$here/../../../include" .
rm include/gyre/gyre.hpp
mkdir docs
grep -o -h -e '[a-z-]*\.md' include/gyre/*.h | sort -u | while read -r name; do
    cp "$here/../../docs/$name" docs
done
sed -i -e 's#(../../../include/#(include/#g' -e 's#\[\([^]]*\)\](\.\./[^)]*)#\1#g' README.md
python3 "$here/generate.py" ../module lib
