#!/bin/sh
# clang for WebAssembly. Meson takes its linker for one for ELF, and it accepts few of the options of those. Programs
# are linked without optimisation, because clang would run wasm-opt on them, which takes seconds for each of many tests.
# For the modules and the hashes program, wasm-opt is run explicitly.
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
