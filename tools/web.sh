#!/bin/sh
# Makes the page that shows Gyre in a browser, from tools/web and the npm package, as static files in build-web/page.
#   sh tools/web.sh          installs what is missing, builds the page and serves it
#   sh tools/web.sh build    only builds it
#   sh tools/web.sh bench    builds it and measures every kernel in headless Chromium and natively, in turn: writes
#                            bench/results/<cpu>-<browser>/
set -eu
# shellcheck source=tools/setup.sh
. "$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)/setup.sh"

case ${1-serve} in
serve | build | bench) ;;
*)
    echo "usage: sh tools/web.sh [build|bench]" >&2
    exit 2
    ;;
esac

need gcc libc6-dev meson ninja-build pkg-config python3 libsimde-dev clang lld wasi-libc binaryen
[ "${1-serve}" != bench ] || need g++ libbenchmark-dev chromium

build=$root/build-web
page=$build/page
mkdir -p "$build"

say "package"
sh "$root/tools/bindings/js/build.sh" "$build"

say "native hashes"
case $(uname -m) in
x86_64) tables=-Dtables=sse2-portable,avx2-portable ;; # the best of most CPUs; others take long to build
*) tables= ;;
esac
# Compiled as for the tests, so the compiler cache may have it.
export CC="${CC:-gcc}"
configure "$build/native" -Dbuildtype=release -Ddefault_library=static -Dtools=disabled -Dbench=disabled \
    ${tables:+"$tables"}
ninja -C "$build/native" kernels/libgyre.a >"$build/native-build.log" 2>&1 || { cat "$build/native-build.log"; exit 1; }
gcc -std=c11 -O2 -DGYRE_STATIC -I"$root/include" "$root/tools/web/native.c" "$build/native/kernels/libgyre.a" -lm \
    -o "$build/native/hashes"

say "page"
rm -rf "$page"
cp -R "$root/tools/web" "$page"
rm "$page/native.c" "$page/picture.py" "$page/picture.jpg" "$page/README.md"
for known in "$root"/bench/results/*-chromium/results.json; do # bench.html shows the last of them
    cp "$known" "$page/known.json"
done
cp -R "$build/package" "$page/gyre"
"$build/native/hashes" >"$page/native.json"
echo "$page"

case ${1-serve} in
serve)
    say "serving: open http://localhost:8000 (press Ctrl-C to stop)"
    python3 -m http.server --directory "$page" 8000
    ;;
bench)
    say "native benchmark"
    configure "$build/bench" -Dbuildtype=release -Ddefault_library=static -Dtests=disabled -Dtools=disabled \
        -Dbench=enabled -Dtables=sse2-portable,sse41-portable
    ninja -C "$build/bench" bench/bench_kernels >"$build/bench-build.log" 2>&1 || { cat "$build/bench-build.log"; exit 1; }
    rows=$build/bench/rows
    rm -rf "$rows"
    mkdir "$rows"
    for run in 1 2 3; do
        say "measuring, $run of 3"
        "$build/bench/bench/bench_kernels" --short --benchmark_filter=sse41 --json="$rows/$run.json" >"$rows/$run.txt"
        python3 "$root/bench/harness/browser.py" "$build" "$rows/browser.json"
    done
    python3 "$root/bench/report/merge.py" "$rows/kernels.json" "$rows"/[123].json
    code=$(git -C "$root" log -1 --date=short --format='commit %h of %cd' 2>/dev/null) ||
        code="unknown: not a git repository"
    python3 "$root/bench/report/browser.py" "$rows" "$rows/browser.json" "$root/bench/results" "$code"
    ;;
esac
