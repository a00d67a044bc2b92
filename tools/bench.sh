#!/bin/sh
# Measures Gyre on this machine, its ceilings, and the libraries and loops it is compared with.
#   sh tools/bench.sh [short|full]     about five minutes (the default), or three quarters of an hour
# Writes bench/results/<cpu>/: README.md with the figures, pictures, and results.json. The raw rows stay in
# build-bench/rows. Works on Debian, Ubuntu and Raspberry Pi OS. Installs missing packages as root or with passwordless
# sudo; otherwise peers that are not installed are left out.
set -eu
# shellcheck source=tools/setup.sh
. "$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)/setup.sh"

case ${1-short} in
short) effort=--short ;;
full) effort= ;;
*)
    echo "usage: sh tools/bench.sh [short|full]" >&2
    exit 2
    ;;
esac

results=$root/bench/results
mkdir -p "$results"
for folder in "$results" "$results"/*/; do # checked before the measurements, not after them
    if [ -d "$folder" ] && [ ! -w "$folder" ]; then
        echo "cannot write to $folder" >&2
        exit 1
    fi
done

need gcc g++ libc6-dev meson ninja-build pkg-config python3 binutils libsimde-dev libbenchmark-dev
# Only the newest LLVM has models of the newest CPUs.
newest_llvm=$(apt-cache search --names-only '^llvm-[0-9]+$' 2>/dev/null | sed 's/ .*//' | sort -V | tail -n 1)
want clang "${newest_llvm:-llvm}" libeigen3-dev libsleef-dev libbullet-dev libode-dev

build=$root/build-bench
say "building"
configure "$build" -Dbuildtype=release -Dbench=enabled -Dtests=disabled -Dtools=disabled
ninja -C "$build" >"$build.log" 2>&1 || { cat "$build.log"; exit 1; }

# fail PROGRAM EXIT_CODE OUTPUT: reports a failure and continues, because the rows of other programs are valid. One
# reason is a row that failed its check, which the program itself has reported.
fail() {
    echo "$1 failed with exit code $2; its output: $3" >&2
    failed="${failed-} $1"
}

rows=$build/rows
rm -rf "$rows"
mkdir "$rows"
topics=$(PYTHONPATH=$root/bench/report python3 -B -c 'import results; print(*results.TOPICS)')
for topic in $topics; do
    errors=
    case $topic in math | body) errors=--errors ;; esac
    set --
    for run in 1 2 3; do
        say "measuring: $topic, $run of 3"
        code=0
        # shellcheck disable=SC2086 # may be empty
        "$build/bench/bench_$topic" $effort $errors --json="$rows/$topic.$run.json" >"$rows/$topic.$run.txt" || code=$?
        [ ! -f "$rows/$topic.$run.json" ] || set -- "$@" "$rows/$topic.$run.json"
        if [ $code -ne 0 ]; then
            fail "bench_$topic" $code "$rows/$topic.$run.txt"
            break
        fi
        errors= # every run gives the same errors
    done
    [ $# -eq 0 ] || python3 "$root/bench/report/merge.py" "$rows/$topic.json" "$@" || failed="${failed-} report/merge.py"
done

say "simulating loops with llvm-mca"
if "$build/bench/bench_kernels" --traces="$build/traces.txt" &&
    python3 "$root/bench/report/mca.py" "$build/bench/bench_kernels" "$build/traces.txt" \
        "$rows/kernels.json" "$rows/mca.json"; then
    :
else
    echo "continuing without the static bounds of llvm-mca" >&2
fi

say "results"
code=$(git -C "$root" log -1 --date=short --format='commit %h of %cd' 2>/dev/null) || code="unknown: not a git repository"
[ -z "$(git -C "$root" status --porcelain --untracked-files=no -- . ':!bench/results' 2>/dev/null)" ] ||
    code="$code, with local changes"
python3 "$root/bench/report/report.py" "$rows" "$results" "$code"

if [ -n "${failed-}" ]; then
    echo "failed:$failed" >&2
    exit 1
fi
