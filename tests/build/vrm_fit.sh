#!/bin/sh
# tools/coefficients/fit_vrm still builds, and with ordinary hair the library's numbers do as its committed result says.
set -u
root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
line=$("$root/tools/coefficients/fit_vrm" --ordinary 2>/dev/null) || exit 1
grep -qxF -- "$line" "$root/tools/coefficients/vrm_fit.txt" || {
    echo "tools/coefficients/vrm_fit.txt does not have: $line" >&2
    exit 1
}
