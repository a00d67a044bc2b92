#!/bin/sh
# Makes a release from the checked-out commit in build-release/gyre-VERSION: archives of the source, of Gyre in one
# file, and of the library for Linux on x86-64 and AArch64 and for Windows on x86-64; the Debian packages; the interface
# of the shared library, for comparison; and checksums.
#   sh tools/release.sh [--unmeasured]           all of it, and the interface changes since the last release
#   sh tools/release.sh [--unmeasured] check     twice, in two folders, and compares every byte
# Refuses if kernels have changed since the speeds in the README were measured. With --unmeasured it does not, and names
# what it makes gyre-VERSION-unmeasured. Installs what is missing. Needs x86-64 and a clean checkout.
set -eu
# shellcheck source=tools/setup.sh
. "$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)/setup.sh"

unmeasured=
if [ "${1-}" = --unmeasured ]; then
    unmeasured=-unmeasured
    shift
fi
case $* in
'' | check) ;;
*)
    echo "usage: sh tools/release.sh [--unmeasured] [check]" >&2
    exit 2
    ;;
esac
if [ "$(uname -m)" != x86_64 ]; then
    echo "release.sh needs x86-64, but this is $(uname -m)" >&2
    exit 1
fi
if [ -n "$(git -C "$root" status --porcelain)" ]; then
    echo "a release is made from a commit, but there are uncommitted changes:" >&2
    git -C "$root" status --short >&2
    exit 1
fi

results=$(sed -n 's/^<!-- python3 bench\/report\/excerpt.py \(.*\) -->$/\1/p' "$root/README.md")
measured=$(sed -n 's/^"code": "commit \([0-9a-f]*\) of [0-9-]*",$/\1/p' "$root/$results/results.json")
if [ -z "$unmeasured" ] &&
    ! git -C "$root" diff --quiet "${measured:-unknown}" HEAD -- kernels ':!kernels/*.md' 2>/dev/null; then
    echo "kernels have changed since ${measured:-an unknown commit}, at which the speeds in the README were measured" >&2
    echo "($results). Measure again: sh tools/bench.sh full; or pass --unmeasured." >&2
    exit 1
fi

need abigail-tools binutils build-essential debhelper dh-python gcc gcc-aarch64-linux-gnu gcc-mingw-w64-x86-64-posix git \
    libc6-dev-arm64-cross libgomp1 libjansson-dev libsimde-dev meson ninja-build pkg-config python3

version=$(sed -n "s/^ *version: '\(.*\)',$/\1/p" "$root/meson.build" | head -n 1)
name=gyre-$version$unmeasured
soname=gyre-${version%.*}
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022
# Nothing from the builder's environment goes into a release.
unset CC CXX AR CFLAGS CXXFLAGS CPPFLAGS LDFLAGS DESTDIR DEB_BUILD_OPTIONS DEB_BUILD_PROFILES

# pack ARCHIVE FOLDER: packs the folder, with relative names, the time of the commit and no owner
pack() {
    tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -C "$(dirname "$2")" -cf - \
        "$(basename "$2")" | gzip -9n >"$1.tar.gz"
}

# logged LOG COMMAND...: sends the output to the log, whose end is shown if the command fails
logged() {
    log=$1
    shift
    "$@" >>"$log" 2>&1 || { tail -n 30 "$log"; exit 1; }
}

# build PLATFORM OPTION...: the installed library for that platform, in $work/install/$name-PLATFORM
build() {
    platform=$1
    shift
    say "$platform"
    logged "$work/$platform.log" meson setup "$work/$platform" "$work/$name" --buildtype=release \
        --prefix="/$name-$platform" --libdir=lib -Dpkgconfig.relocatable=true \
        -Dtests=disabled -Dtools=disabled -Dbench=disabled "$@"
    logged "$work/$platform.log" ninja -C "$work/$platform"
    logged "$work/$platform.log" env DESTDIR="$work/install" meson install -C "$work/$platform" --no-rebuild
    cp "$work/$name/LICENSE" "$work/install/$name-$platform/"
}

# make_release WORK: makes it in WORK/gyre-VERSION.release
make_release() {
    work=$1
    release=$work/$name.release
    rm -rf "$work"
    mkdir -p "$release" "$work/one-file"

    say "source"
    git -C "$root" archive --format=tar --prefix="$name/" HEAD | gzip -9n >"$release/$name.tar.gz"
    tar -C "$work" -xzf "$release/$name.tar.gz"

    say "one file" # it has all tables, which GYRE_ALL_TABLES compiles
    sh "$work/$name/tools/amalgamate.sh" "$work/one-file/$name-one-file" >/dev/null
    cp "$work/$name/LICENSE" "$work/$name/tools/docs/one-file.md" "$work/one-file/$name-one-file/"
    pack "$release/$name-one-file" "$work/one-file/$name-one-file"

    build interface -Ddebug=true -Dtables=sse2-portable # the types in debug information are the same for any table
    abidw --headers-dir "$work/$name/include" --no-corpus-path --no-comp-dir-path --no-show-locs \
        "$work/install/$name-interface/lib/libgyre.so.$version" >"$release/$soname.abi"
    build linux-x86_64
    # Nothing built for other platforms is run. A compiler for Windows does not read /usr/include, where SIMDe is.
    mkdir "$work/include"
    ln -s /usr/include/simde "$work/include/simde"
    printf "[constants]\nlibraries = '%s'\n[properties]\nskip_sanity_check = true\n" "$work" >"$work/cross.ini"
    emulation=$work/$name/tests/emulation
    build linux-aarch64 --cross-file "$work/cross.ini" --cross-file "$emulation/aarch64-linux-gnu.ini"
    build windows-x86_64 --cross-file "$work/cross.ini" --cross-file "$emulation/x86_64-w64-mingw32.ini" \
        -Dc_link_args=-Wl,--no-insert-timestamp
    for platform in linux-x86_64 linux-aarch64 windows-x86_64; do
        pack "$release/$name-$platform" "$work/install/$name-$platform"
    done

    say "Debian packages"
    mkdir "$work/deb"
    tar -C "$work/deb" -xzf "$release/$name.tar.gz"
    cp -r "$work/deb/$name/tools/packaging/debian" "$work/deb/$name/debian"
    (
        cd "$work/deb/$name"
        export DEB_BUILD_OPTIONS='nocheck noautodbgsym' DEB_BUILD_PROFILES=nocheck
        logged "$work/deb.log" dpkg-buildpackage -b -us -uc
    )
    cp "$work"/deb/*.deb "$release/"

    (cd "$release" && sha256sum -- * >"$work/SHA256SUMS" && mv "$work/SHA256SUMS" .)
}

target=$root/build-release/$name
make_release "$root/build-release/work"
rm -rf "$target"
cp -r "$release" "$target"
if [ "$*" = check ]; then
    make_release "$root/build-release/again-in-another-folder"
    say "comparing the two releases byte by byte"
    if ! diff -r "$target" "$release"; then
        echo "the second release differs from the first" >&2
        exit 1
    fi
    echo "identical"
fi

before=$root/tools/packaging/abi/$soname.abi
if [ -f "$before" ]; then
    say "the interface since the last release of $soname"
    if ! abidiff "$before" "$target/$soname.abi"; then
        echo "the interface differs from the last release of the same soname: see step 2 of tools/docs/releasing.md" >&2
        exit 1
    fi
else
    say "no earlier release of $soname to compare the interface with; this one is in $soname.abi"
fi

say "$target"
ls -l "$target"
