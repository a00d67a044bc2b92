#!/bin/sh
# Builds the WebAssembly modules of the package.
#   sh tools/bindings/js/module/build.sh FOLDER         FOLDER/gyre.wasm, FOLDER/ui.wasm and FOLDER/layout.json
#   sh tools/bindings/js/module/build.sh FOLDER parts   then, for the test of what functions cost: the gyre.wasm that
#                                                       lacks those of line N of parts.txt, as FOLDER/without_N.wasm
# Needs Debian's clang, lld, wasi-libc (only the headers), libsimde-dev and binaryen.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../../../.." && pwd)
tab=$(printf '\t')
mkdir -p "$1/objects"
cd "$1"

# The table's row in kernels/tables.txt, and the options from kernels/meson.build for all arithmetic. memcpy is an
# instruction.
options=$(sed '/^#/d' "$root/kernels/wasm32_options.txt")
IFS=" " read -r isa rounding lanes _ table <<END
$(sed -n 's/^wasm32 *//p' "$root/kernels/tables.txt")
END
compile() {
    # shellcheck disable=SC2086 # separate words intended
    "${CC:-clang}" --target=wasm32-wasi -std=c11 -O3 -fno-tree-slp-vectorize -ffp-contract=off -fno-math-errno $options \
        $table -mbulk-memory -fvisibility=hidden -DGYRE_STATIC -DGYRE_LANES="$lanes" -DGYRE_FUSED=0 \
        -DGYRE_ISA="GYRE_ISA_$isa" -DGYRE_ROUNDING="GYRE_ROUNDING_$rounding" -DGYRE_TABLE=table -I"$root/kernels" -I"$root/include" "$@"
}

# exports NAME TOPIC...: writes linker options, one for each function of these lists of kernels/list.h
exports() {
    name=$1
    shift
    {
        echo '#include "list.h"'
        echo '#define NAME(member, plain, parameters, arguments) --export=plain'
        printf 'GYRE_%s_KERNELS(NAME)\n' "$@"
    } | compile -E -P -x c - | grep -o -e '--export=[a-z0-9_]*' >"objects/$name.exports"
}

# link NAME: makes NAME.wasm, which exports what objects/NAME.exports has
link() {
    # The stack is below all data, so that it cannot grow into them.
    "${WASM_LD:-wasm-ld}" --no-entry --strip-all -O2 --stack-first -z stack-size=262144 \
        --export=gyre_version --export=gyre_status_name --export=__heap_base @"objects/$1.exports" objects/*.o -o "objects/$1.wasm"
    # The lowest kilobyte is only the far end of the stack, so constant addresses may be folded into loads and stores.
    wasm-opt -O3 --low-memory-unused --enable-simd --enable-bulk-memory "objects/$1.wasm" -o "$1.wasm"
}

if [ "${2-}" = parts ]; then
    n=0
    while IFS="$tab" read -r _ functions; do
        n=$((n + 1))
        grep -v -x -E -e "--export=($functions)" objects/gyre.exports >"objects/without_$n.exports"
        link "without_$n"
    done <"$here/parts.txt"
    exit
fi

rm -f objects/*.o
compile -c "$here/module.c" -o objects/module.o &
for source in "$root"/kernels/*.c "$root"/kernels/*/*.c; do
    case $source in
    */dispatch/*) ;;
    *) compile -c "$source" -o "objects/$(basename "$(dirname "$source")")_$(basename "$source" .c).o" ;;
    esac
done
wait $!
exports gyre VECTOR SCALAR
exports ui SPRING PARTICLE CHAIN ARRAYS SPRING_SCALAR PARTICLE_SCALAR CHAIN_SCALAR
link gyre
link ui
python3 "$here/layout.py" "${CC:-clang}" --target=wasm32-wasi -I"$root/include" >layout.json
