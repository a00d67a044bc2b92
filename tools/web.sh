#!/bin/sh
# The page that shows Gyre in a browser, out of tools/web and the npm package, in build-web/page: static files.
#   sh tools/web.sh          installs what is missing, builds the page and serves it
#   sh tools/web.sh build    builds it alone
set -eu
# shellcheck source=tools/setup.sh
. "$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)/setup.sh"

case ${1-serve} in
serve | build) ;;
*)
    echo "usage: sh tools/web.sh [build]" >&2
    exit 2
    ;;
esac

need gcc libc6-dev meson ninja-build pkg-config python3 libsimde-dev clang lld wasi-libc binaryen

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
configure "$build/native" -Dbuildtype=release -Ddefault_library=static -Dtests=disabled -Dtools=disabled \
    -Dbench=disabled ${tables:+"$tables"}
ninja -C "$build/native" >"$build/native-build.log" 2>&1 || { cat "$build/native-build.log"; exit 1; }
gcc -std=c11 -O2 -DGYRE_STATIC -I"$root/include" "$root/tools/web/native.c" "$build/native/kernels/libgyre.a" -lm \
    -o "$build/native/hashes"

say "page"
rm -rf "$page"
cp -R "$root/tools/web" "$page"
rm "$page/native.c" "$page/README.md"
cp -R "$build/package" "$page/gyre"
"$build/native/hashes" >"$page/native.json"
echo "$page"

if [ "${1-serve}" = serve ]; then
    say "serving: open http://localhost:8000 (end with Ctrl-C)"
    python3 -m http.server --directory "$page" 8000
fi
