#!/bin/sh
# Tests the npm package; prints the Test Anything Protocol.
#   sh tools/bindings/js/test.sh FOLDER
#   sh tools/bindings/js/test.sh FOLDER parts     what functions cost, which takes the time of 16 links
# FOLDER/package was made by build.sh; FOLDER/tests gets node_modules. Needs nodejs, npm and chromium; parts: only
# nodejs, and what module/build.sh needs.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
GYRE_SOURCE=$(CDPATH='' cd -- "$here/../../.." && pwd)
export GYRE_SOURCE
if [ "${2-}" = parts ]; then
    sh "$here/module/build.sh" "$1/module" parts >&2
    cd "$1"
    exec node --test --test-reporter=tap "$here/tests/parts.js"
fi
mkdir -p "$1/tests"
cd "$1/tests"
cp "$here"/tests/*.js "$here"/tests/*.ts "$here"/tests/*.json .
npm ci --ignore-scripts --no-audit --no-fund >&2

# The files that npm would publish.
mkdir node_modules/gyre
tar -xzf "$(npm pack --silent ../package)" -C node_modules/gyre --strip-components=1
exec node --test --test-reporter=tap ./*.test.js
