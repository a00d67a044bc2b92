#!/bin/sh
# clang for WebAssembly. Meson takes its linker for one of ELF, of whose options it knows few.
for argument; do
    shift
    case $argument in
    -Wl,--start-group | -Wl,--end-group | -Wl,--allow-shlib-undefined | -Wl,--as-needed | -Wl,--no-undefined) ;;
    *) set -- "$@" "$argument" ;;
    esac
done
exec clang --target=wasm32-wasi -mbulk-memory "$@"
