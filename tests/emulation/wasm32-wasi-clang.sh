#!/bin/sh
# clang for WebAssembly. Meson takes its linker for one of ELF, of whose options it knows few. Programs are linked without
# optimisation, for which clang would run wasm-opt: seconds for each of many tests. Of the modules and of the hashes'
# program it is run by name.
optimisation=
for argument; do
    shift
    case $argument in
    -Wl,--start-group | -Wl,--end-group | -Wl,--allow-shlib-undefined | -Wl,--as-needed | -Wl,--no-undefined) ;;
    -Wl,*) optimisation=-O0 && set -- "$@" "$argument" ;;
    *) set -- "$@" "$argument" ;;
    esac
done
exec clang --target=wasm32-wasi -mbulk-memory "$@" ${optimisation:+"$optimisation"}
