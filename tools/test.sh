#!/bin/sh
# Installs what is missing, builds Gyre, and runs its tests. tests/README.md lists what each suite costs and finds.
#   sh tools/test.sh                for every change, on this machine's CPU: six minutes on two cores
#   sh tools/test.sh all            as in CI, with other CPUs and systems: half an hour
#   sh tools/test.sh nightly        every suite in full, including those that rarely find more
#   sh tools/test.sh SUITE...       the named suites, in full; the lists are below
#   sh tools/test.sh exhaustive     every one of 2^32 arguments of the elementary functions, and 1e8 steps in a row
# Ends with "N passed, N failed"; exit code 0 if none failed.
set -eu
# shellcheck source=tools/setup.sh
. "$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)/setup.sh"

# Ignore settings left over from looking at one failure.
unset GYRE_TEST_EFFORT GYRE_TEST_ISA GYRE_TEST_BEST GYRE_TEST_BEST_FUSED GYRE_EXHAUSTIVE

short='gcc clang address embedding'
# Ordered to keep both cores busy: a suite that ends with one long test comes while others are built.
all="gcc clang address wasm aarch64 windows msvc embedding onefile packages avx512"
nightly="$all thread nehalem nehalem-clang avx512-clang i686 arm s390x windows-clang"
case ${*:-short} in
short) form=short suites=$short ;;
all) form=all suites=$all ;;
nightly) form=full suites=$nightly ;;
*) form=full suites=$* ;;
esac
for suite in $suites; do
    case " $nightly exhaustive " in
    *" $suite "*) ;;
    *)
        echo "unknown suite '$suite'; expected one of: $nightly all nightly exhaustive" >&2
        exit 2
        ;;
    esac
done

# no_nehalem, no_bochs, no_wine: print why that CPU or system is not emulated here, or nothing if it is.
no_nehalem() {
    [ "$(uname -m)" = x86_64 ] || echo "because this machine cannot run x86-64 programs"
}
no_bochs() {
    if [ "$(uname -m)" != x86_64 ]; then
        echo "because Debian has Bochs for x86-64 only"
    elif grep -qw avx512f /proc/cpuinfo; then
        echo "because this CPU has AVX-512, and the other suites use it"
    fi
}

no_wine() {
    [ "$(uname -m)" = x86_64 ] || echo "because these programs are for x86-64, and Wine does not emulate another CPU"
}

# packages_of SUITE: packages that it needs in addition to those of every suite.
packages_of() {
    case $1 in
    gcc)
        echo mypy python3-hypothesis python3-matplotlib python3-pytest python3-scipy
        [ "$form" = short ] || echo libbenchmark-dev
        ;;
    embedding) echo cmake git make ;;
    onefile)
        echo clang qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-arm-linux-gnueabihf libc6-dev-armhf-cross \
            gcc-i686-linux-gnu libc6-dev-i386-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross \
            gcc-riscv64-linux-gnu libc6-dev-riscv64-cross gcc-powerpc64le-linux-gnu libc6-dev-ppc64el-cross musl-tools llvm
        ;;
    packages)
        echo build-essential cmake debhelper dh-python fakeroot lintian nix-bin pkgconf python3-jsonschema python3-wheel python3-yaml ruby
        ;;
    clang) echo clang libclang-rt-dev libomp-dev libc++-dev libc++abi-dev ;;
    address | thread) echo clang libclang-rt-dev libomp-dev ;;
    nehalem) [ -n "$(no_nehalem)" ] || echo qemu-user ;;
    nehalem-clang) packages_of clang && packages_of nehalem ;;
    avx512) [ -n "$(no_bochs)" ] || echo bochs-term bochs isolinux syslinux-common xorriso ;;
    avx512-clang) packages_of clang && packages_of avx512 ;;
    aarch64)
        echo gcc-aarch64-linux-gnu g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user \
            libcmocka-dev:arm64 libbenchmark-dev:arm64
        ;;
    arm)
        echo gcc-arm-linux-gnueabihf g++-arm-linux-gnueabihf libc6-dev-armhf-cross qemu-user libcmocka-dev:armhf
        ;;
    i686) echo gcc-i686-linux-gnu g++-i686-linux-gnu libc6-dev-i386-cross qemu-user libcmocka-dev:i386 ;;
    s390x)
        echo gcc-s390x-linux-gnu g++-s390x-linux-gnu libc6-dev-s390x-cross qemu-user libcmocka-dev:s390x
        ;;
    windows) [ -n "$(no_wine)" ] || echo gcc-mingw-w64-x86-64-posix g++-mingw-w64-x86-64-posix wine64 dpkg-dev cmake ;;
    windows-clang) packages_of windows && echo clang ;;
    msvc) packages_of windows && echo clang clang-tools lld llvm ;;
    wasm)
        echo clang lld llvm wasi-libc libclang-rt-dev-wasm32 binaryen wabt nodejs chromium firefox-esr \
            libjavascriptcoregtk-4.0-bin brotli
        command -v npm >/dev/null || echo npm # Node from other sources includes it
        ;;
    esac
}

packages='gcc g++ libc6-dev ccache meson ninja-build pkg-config python3 binutils libsimde-dev libcmocka-dev
    libjansson-dev libtbb-dev sollya patchelf python3-mesonpy python3-numpy python3-venv'
for suite in $suites; do
    packages="$packages $(packages_of "$suite")"
done
# All at once, so that nothing turns out to be missing half-way through.
# shellcheck disable=SC2046,SC2086 # one word per package
need $(printf '%s\n' $packages | sort -u)

builds=$root/build-test
mkdir -p "$builds"

# Code that several builds compile alike is compiled once, wherever the builds are.
export PATH="/usr/lib/ccache:$PATH" CCACHE_DIR="$builds/ccache" CCACHE_BASEDIR=/ CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 \
    CCACHE_MAXSIZE=4G

# emulate_avx512 BUILD: runs its programs in Bochs, with Debian's kernel for virtual machines.
emulate_avx512() {
    kernel=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/^ *Depends: //p' | head -n 1)
    extract "$kernel" "$builds" && extract busybox-static "$builds" &&
        python3 "$root/tests/emulation/record.py" "$1" "$builds/$kernel"/boot/vmlinuz-* \
            "$(find "$builds/busybox-static" -path '*/bin/busybox')"
}

# microsoft_dll BUILD: replaces the DLL by one made with clang-cl, with Microsoft's ABI; the next build makes the
# original again. First it runs a program made with only the headers and the import library.
microsoft_dll() {
    wine=$builds/libwine-dev/usr/include/wine/wine
    wine_libraries=$builds/libwine-dev/usr/lib/x86_64-linux-gnu/wine/x86_64-windows
    extract libwine-dev "$builds" &&
        cmake -G Ninja --toolchain "$root/tests/emulation/x86_64-pc-windows-msvc.cmake" -S "$root" -B "$builds/msvc" \
            -DCMAKE_C_COMPILER="$(clang -print-prog-name=clang-cl)" -DWINE_DEVELOPMENT="$builds/libwine-dev" \
            -DGYRE_SIMDE="$builds/mingw-libraries/include" -DGYRE_TABLES="$(echo "$windows_tables" | tr , ';')" \
            -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$builds/msvc-installed" &&
        ninja -C "$builds/msvc" install &&
        clang --driver-mode=cl --target=x86_64-pc-windows-msvc /W4 /WX /GS- -Wno-unused-command-line-argument \
            /clang:-pedantic-errors -I"$builds/msvc-installed/include" -imsvc "$wine/msvcrt" -imsvc "$wine/windows" \
            "/Tc$root/tests/emulation/microsoft.c" -fuse-ld=lld "/Fo$builds/msvc/" "/Fe$builds/msvc-installed/bin/" \
            /link /entry:main /nodefaultlib /subsystem:console "$builds/msvc-installed/lib/gyre.lib" \
            "$wine_libraries/libvcruntime140.a" "$wine_libraries/libwinecrt0.a" &&
        /usr/lib/wine/wine64 "$builds/msvc-installed/bin/microsoft.exe" &&
        cp "$builds/msvc-installed/bin/gyre.dll" "$1/kernels/libgyre-0.1.dll" &&
        touch -d @0 "$1/kernels/libgyre-0.1.dll"
}

# Meson's logs of each suite, because suites may share a build.
results=$builds/results
rm -rf "$results"

# leave_out SUITE REASON: counts as one skipped test
leave_out() {
    say "$1: skipped, $2"
    mkdir -p "$results/$1"
    echo "{\"name\": \"$1\", \"result\": \"SKIP\"}" >"$results/$1/testlog.json"
    echo "<testsuites><testsuite><testcase name='$1'><skipped/></testcase></testsuite></testsuites>" \
        >"$results/$1/testlog.junit.xml"
}

# Each suite is described once, as "$step" NAME BUILD 'ENVIRONMENT' 'options of meson test' option of meson setup...
# The steps are build_first, which builds one suite after the other in the background while earlier ones are tested, and
# test_suite, in the foreground.

# prepare BUILD 'ENVIRONMENT' 'options of meson test' option of meson setup...: builds what these tests need
prepare() {
    (
        build=$builds/$1
        environment=$2
        test_options=$3
        shift 3
        # shellcheck disable=SC2086,SC2163 # separate words intended
        export $environment
        case $build in
        */windows*)
            mingw="$builds/mingw-libraries"
            sh "$root/tests/emulation/mingw_libraries.sh" "$mingw" >"$mingw.log" 2>&1 || { cat "$mingw.log"; exit 1; }
            ;;
        esac
        printf "[constants]\nhere = '%s'\n" "$root/tests/emulation" >"$builds/here.ini"
        configure "$build" -Dwerror=true -Dtests=enabled "$@"
        # shellcheck disable=SC2086
        needed=$(python3 "$root/tests/support/needed.py" "$build" $test_options) || exit 1
        # shellcheck disable=SC2086
        [ -z "$needed" ] || compile -C "$build" $needed >"$build-build.log" 2>&1 || { cat "$build-build.log"; exit 1; }
    )
}

# compile ARGUMENT...: runs ninja; its process ID is in a file, for stopping it when this script ends.
compile() {
    ninja "$@" &
    echo $! >"$results/ninja-$!"
    ninja=$!
    ended=0
    wait "$ninja" || ended=$?
    rm -f "$results/ninja-$ninja"
    return $ended
}

end_builds() {
    kill "$builder" 2>/dev/null || true
    for file in "$results"/ninja-*; do
        [ ! -f "$file" ] || kill "$(cat "$file")" 2>/dev/null || true
    done
}

# is_first BUILD: whether no earlier suite uses that build
begun=' '
is_first() {
    case $begun in
    *" $1 "*) return 1 ;;
    esac
    begun="$begun$1 "
}

# Output of the background: the file ended-BUILD has the result of the build, said-BUILD its output.
build_first() {
    build=$2
    shift 2
    is_first "$build" || return 0
    if prepare "$build" "$@" >"$results/said-$build" 2>&1; then
        echo yes >"$results/ended-$build.part"
    else
        echo no >"$results/ended-$build.part"
    fi
    mv "$results/ended-$build.part" "$results/ended-$build"
}

wait_for() {
    while [ ! -f "$results/ended-$1" ]; do
        kill -0 "$builder" 2>/dev/null || [ -f "$results/ended-$1" ] || return 1
        sleep 1
    done
    [ "$(cat "$results/ended-$1")" = yes ] || { cat "$results/said-$1"; return 1; }
}

test_suite() {
    name=$1
    build=$builds/$2
    environment=$3
    test_options=$4
    shift
    say "$name"
    started=$(date +%s)
    (
        if is_first "$1"; then
            wait_for "$1" || exit 1
        else
            prepare "$@" || exit 1
        fi
        # shellcheck disable=SC2086,SC2163 # separate words intended
        export $environment
        case $name in
        avx512*) emulate_avx512 "$build" || exit 1 ;;
        msvc) microsoft_dll "$build" >"$build-dll.log" 2>&1 || { cat "$build-dll.log"; exit 1; } ;;
        esac
        rm -f "$build"/meson-logs/testlog* # from other suites
        # shellcheck disable=SC2086
        meson test -C "$build" --no-rebuild --print-errorlogs $test_options || passed=no
        mkdir -p "$results/$name"
        cp "$build"/meson-logs/testlog* "$results/$name"
        [ "${passed-yes}" = yes ]
    ) || failed_suites="${failed_suites-} $name"
    is_first "$1" || true
    suite_times="${suite_times-}$(printf '%5d s  %s' $(($(date +%s) - started)) "$name")
"
}

# step_unless REASON NAME...: "$step" NAME..., unless there is a reason to leave it out
step_unless() {
    reason=$1
    shift
    if [ -z "$reason" ]; then
        "$step" "$@"
    elif [ "$step" = test_suite ]; then
        leave_out "$1" "$reason"
    fi
}

# The forms leave out long tests, tests of the nightly run, benchmarks, and for the second compiler the tests that do
# not depend on it and the program, which clang compiles with the sanitizers. Emulated and sanitized suites always have
# small effort.
small=GYRE_TEST_EFFORT=small
case $form in
short)
    left_out='--no-suite long --no-suite nightly' gcc_effort=$small others_effort=$small
    beside=disabled tools_by_clang=disabled
    left_out_clang='--no-suite build --no-suite accuracy --no-suite examples'
    left_out_address="$left_out_clang --no-suite cxx"
    ;;
all)
    left_out='--no-suite nightly' gcc_effort='' others_effort=$small beside=enabled tools_by_clang=disabled
    left_out_clang='--no-suite long --no-suite scripts' left_out_address='--no-suite build --no-suite accuracy'
    ;;
full)
    left_out='' gcc_effort='' others_effort='' beside=enabled tools_by_clang=enabled
    left_out_clang='' left_out_address='--no-suite build'
    ;;
esac
not_here='--no-suite embedding --no-suite onefile --no-suite packages' # they have suites of their own here
no_dll='--no-suite build --no-suite tool' # they do not test the DLL of the build
emulated="--timeout-multiplier 3 $left_out"
not_again='--no-suite accuracy' # because hashes show whether the bits are the same

checks_by_calls='-mllvm -asan-instrumentation-with-call-threshold=0'

# Tables: gcc builds all; the others need only one of each width, in both roundings.
clang_tables='' address_tables='' windows_tables=scalar-portable,avx2-portable
[ "$form" != full ] || windows_tables=$windows_tables,avx512-fused
if [ "$(uname -m)" = x86_64 ]; then
    case $form in
    short) clang_tables=scalar-portable,avx2-fused,avx512-portable ;;
    all) clang_tables=scalar-portable,sse41-portable,avx2-fused,avx512-portable ;;
    esac
    [ "$form" = full ] || address_tables=sse2-portable,avx2-portable,avx512-fused
fi
export WINEPREFIX="$builds/wine" WINEDEBUG=-all

describe() {
    case $1 in
    gcc)
        "$step" gcc gcc "CC=gcc $gcc_effort" "$left_out $not_here" -Dtools=enabled "-Dbench=$beside"
        ;;
    clang)
        "$step" clang clang "CC=clang CXX=clang++ $small" "$left_out $not_here $left_out_clang" \
            -Dtables=$clang_tables "-Dtools=$tools_by_clang" -Dbench=disabled
        ;;
    address) # checks by function calls compile in a third of the time with clang
        "$step" address address "CC=clang CXX=clang++ $small" "$left_out $left_out_address $not_here" \
            -Dtables=$address_tables -Db_sanitize=address,undefined -Db_lundef=false \
            "-Dtools=$beside" -Dbench=disabled "-Dc_args=$checks_by_calls" "-Dcpp_args=$checks_by_calls"
        ;;
    # Pictures use one thread. Archer tells the sanitizer what OpenMP waits for; OpenMP itself searches fewer folders
    # for it than clang.
    thread)
        "$step" thread thread \
            "CC=clang CXX=clang++ $small OMP_TOOL_LIBRARIES=$(clang -print-file-name=libarcher.so)" \
            '--no-suite build --no-suite pictures' -Db_sanitize=thread -Db_lundef=false -Dtools=enabled -Dbench=disabled
        ;;
    # These reuse the build of gcc.
    embedding) # Gyre in other projects
        "$step" embedding gcc "CC=gcc $others_effort" "$left_out --suite embedding"
        ;;
    onefile) # Gyre in one file, on all architectures
        "$step" onefile gcc "CC=gcc $others_effort" "$left_out --suite onefile"
        ;;
    packages) # for distributions and package managers
        "$step" packages gcc 'CC=gcc' "$left_out --suite packages" -Dtools=enabled
        ;;
    # A CPU without AVX, emulated: only the baseline tables may run. Then one with AVX-512.
    nehalem) step_unless "$(no_nehalem)" nehalem gcc "CC=gcc $small" '--setup nehalem' ;;
    nehalem-clang) step_unless "$(no_nehalem)" nehalem-clang clang "CC=clang CXX=clang++ $small" '--setup nehalem' ;;
    avx512) step_unless "$(no_bochs)" avx512 gcc 'CC=gcc' '--setup avx512' ;;
    avx512-clang) step_unless "$(no_bochs)" avx512-clang clang 'CC=clang CXX=clang++' '--setup avx512' ;;
    aarch64)
        case $form in
        full) again='' bench=enabled tables='' ;;
        *) again=$not_again bench=disabled tables=neon-portable,neon-fused ;;
        esac
        "$step" aarch64 aarch64 $small "$emulated $again" \
            --cross-file "$root/tests/emulation/aarch64-linux-gnu.ini" \
            -Dtables=$tables -Dtools=disabled "-Dbench=$bench"
        ;;
    arm) # 32 bits, where only the scalar table runs
        "$step" arm arm $small "$emulated $not_again" \
            --cross-file "$root/tests/emulation/arm-linux-gnueabihf.ini" -Dtools=disabled -Dbench=disabled
        ;;
    i686) # 32-bit x86, whose callers may have stacks aligned to 4 bytes
        "$step" i686 i686 $small "$emulated $not_again" \
            --cross-file "$root/tests/emulation/i686-linux-gnu.ini" -Dtools=disabled -Dbench=disabled
        ;;
    s390x) # big-endian
        "$step" s390x s390x $small "$emulated $not_again" \
            --cross-file "$root/tests/emulation/s390x-linux-gnu.ini" -Dtools=disabled -Dbench=disabled
        ;;
    windows) # by gcc
        step_unless "$(no_wine)" windows windows $small "$emulated $not_again" \
            --cross-file "$builds/mingw-libraries/libraries.ini" \
            --cross-file "$root/tests/emulation/x86_64-w64-mingw32.ini" \
            -Dtables=$windows_tables -Dtools=enabled -Dbench=disabled
        ;;
    msvc) # the same tests with the DLL of clang-cl
        step_unless "$(no_wine)" msvc windows $small "$emulated $not_again $not_here $no_dll" \
            --cross-file "$builds/mingw-libraries/libraries.ini" \
            --cross-file "$root/tests/emulation/x86_64-w64-mingw32.ini" \
            -Dtables=$windows_tables -Dtools=enabled -Dbench=disabled
        ;;
    windows-clang)
        step_unless "$(no_wine)" windows-clang windows-clang $small "$emulated $not_again" \
            --cross-file "$builds/mingw-libraries/libraries.ini" \
            --cross-file "$root/tests/emulation/x86_64-w64-mingw32.ini" \
            --cross-file "$root/tests/emulation/x86_64-w64-mingw32-clang.ini" \
            -Dtables=$windows_tables -Dtools=enabled -Dbench=disabled
        ;;
    wasm) # the hashes in four engines, everything else in Node
        "$step" wasm wasm $small "$emulated --no-suite build" \
            --cross-file "$builds/here.ini" --cross-file "$root/tests/emulation/wasm32-wasi.ini" \
            -Dtables=wasm128-portable -Dtools=disabled -Dbench=disabled
        ;;
    exhaustive)
        "$step" exhaustive gcc 'CC=gcc GYRE_EXHAUSTIVE=1' \
            '--timeout-multiplier 10 math_errors spring_low_parts particle_low_parts body_lasting'
        ;;
    esac
}

mkdir -p "$results"
(
    step=build_first
    for suite in $suites; do
        describe "$suite"
    done
) &
builder=$!
trap end_builds EXIT
trap 'exit 130' INT TERM
step=test_suite
for suite in $suites; do
    describe "$suite"
done

say "all suites"
printf '%s' "${suite_times-}"
for suite in ${failed_suites-}; do
    echo "$suite failed: see $results/$suite, or the logs next to it if the build failed"
done
if [ "$form" = short ]; then
    cat <<END

This was the short form. \`sh tools/test.sh all\` takes half an hour and adds: tests at full effort, pictures, all ways
to embed and package Gyre, and big-endian, AArch64, Windows and WebAssembly targets by emulation.
END
fi
# shellcheck disable=SC2086 # words on purpose
python3 "$root/tests/support/count_results.py" "$results" $suites && [ -z "${failed_suites-}" ]
