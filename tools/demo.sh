#!/bin/sh
# Installs what is missing, builds Gyre, runs a shipped scene and an asteroid, and draws springs and a tumbling body.
#   sh tools/demo.sh [SCENE.json]
set -eu
# shellcheck source=tools/setup.sh
. "$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)/setup.sh"

scene=${1-$root/tools/scenes/million_retargeted.json}
if [ $# -gt 1 ] || { [ $# -eq 1 ] && [ ! -r "$1" ]; }; then
    echo "usage: sh tools/demo.sh [SCENE.json]" >&2
    exit 2
fi

need gcc libc6-dev meson ninja-build pkg-config libsimde-dev libjansson-dev python3-numpy python3-matplotlib

say "building in $root/build"
configure "$root/build" -Dtools=enabled
ninja -C "$root/build" tools/gyre

say "running $scene"
"$root/build/tools/gyre" info
"$root/build/tools/gyre" simulate "$scene" --output "$root/build/states.csv"
echo "states: $root/build/states.csv"
"$root/build/tools/gyre" simulate "$root/tools/scenes/toutatis.json"

say "drawing"
python=python3
python3 -c 'import matplotlib, numpy' 2>/dev/null || python=/usr/bin/python3 # for which Debian's packages are
for picture in springs tumble; do
    for kind in svg png; do
        PYTHONPATH=$root/tools/bindings/python LD_LIBRARY_PATH=$root/build/kernels \
            "$python" -m gyre.plot $picture --output "$root/build/$picture.$kind"
    done
    echo "picture: $root/build/$picture.svg (and .png)"
done
