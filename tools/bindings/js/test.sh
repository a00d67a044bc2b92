#!/bin/sh
# Tests the npm package; prints the Test Anything Protocol.
#   sh tools/bindings/js/test.sh PACKAGE FOLDER
# PACKAGE is what build.sh made; FOLDER gets node_modules and what the tests write. Needs nodejs, npm and chromium.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
package=$(CDPATH='' cd -- "$1" && pwd)
GYRE_SOURCE=$(CDPATH='' cd -- "$here/../../.." && pwd)
export GYRE_SOURCE
mkdir -p "$2"
cd "$2"
cp "$here"/tests/*.js "$here"/tests/*.ts "$here"/tests/*.json .
npm ci --ignore-scripts --no-audit --no-fund >&2

# The files that npm would publish.
mkdir node_modules/gyre
tar -xzf "$(npm pack --silent "$package")" -C node_modules/gyre --strip-components=1
exec node --test --test-reporter=tap ./*.test.js
