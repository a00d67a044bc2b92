#!/bin/sh
# Builds the libraries that the tests and the program need and that Debian does not package for Windows: cmocka and
# jansson, from Debian's source packages. SIMDe's headers are put next to them, because a compiler for Windows does not
# read /usr/include.
#   sh tests/emulation/mingw_libraries.sh FOLDER
set -eu
# shellcheck source=tools/setup.sh
. "$(CDPATH='' cd -- "$(dirname -- "$0")/../../tools" && pwd)/setup.sh"

support=$(CDPATH='' cd -- "$(dirname -- "$0")/../support" && pwd)
folder=$1
[ -z "$(find "$folder/libraries.ini" -newer "$support/windows_math.c" 2>/dev/null)" ] || exit 0
rm -rf "$folder"
mkdir -p "$folder/include" "$folder/lib/pkgconfig" "$folder/objects" "$folder/lists/partial"
folder=$(CDPATH='' cd -- "$folder" && pwd)

# Few machines have source package lists: this makes one from the mirror of the others.
# shellcheck disable=SC2016 # apt-get expands them
apt-get indextargets --format 'deb-src $(SITE) $(CODENAME) $(COMPONENT)' 'Identifier: Packages' 'Origin: Debian' \
    'Component: main' | sort -u | grep -v -e -updates -e -security >"$folder/sources.list"
sources() {
    apt-get -q -o Dir::Etc::sourcelist="$folder/sources.list" -o Dir::Etc::sourceparts=- \
        -o Dir::State::lists="$folder/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
        -o APT::Sandbox::User= "$@"
}
(cd "$folder/objects" && sources update && sources source cmocka jansson)

compile() {
    x86_64-w64-mingw32-gcc -O1 -w -D__USE_MINGW_ANSI_STDIO=1 -I"$folder/include" "$@"
}
# library NAME: archives the objects in this folder
library() {
    x86_64-w64-mingw32-ar rcs "$folder/lib/lib$1.a" ./*.o
    rm ./*.o
    cat >"$folder/lib/pkgconfig/$1.pc" <<END
Name: $1
Description: $1 for Windows
Version: $(echo "$1"-* | sed 's/.*-//')
Cflags: -I$folder/include
Libs: -L$folder/lib -l$1
END
}
cd "$folder/objects"
cp cmocka-*/include/*.h jansson-*/src/*.h jansson-*/android/jansson_config.h "$folder/include"
ln -s /usr/include/simde "$folder/include"
compile -DHAVE_INTTYPES_H -DHAVE_MALLOC_H -DHAVE_SIGNAL_H -DHAVE_STRUCT_TIMESPEC -DHAVE_GCC_THREAD_LOCAL_STORAGE \
    -c cmocka-*/src/cmocka.c
library cmocka
: >"$folder/include/jansson_private_config.h" # all defaults
compile -DHAVE_STDINT_H -c jansson-*/src/*.c
library jansson
mkdir windows_math-1
compile -std=c11 -c "$support/windows_math.c"
library windows_math
cat >"$folder/libraries.ini" <<END
[constants]
libraries = '$folder'
gcc_libraries = '$(dirname "$(x86_64-w64-mingw32-gcc -print-libgcc-file-name)")'
END
