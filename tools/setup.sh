# Sourced by the other scripts: what Gyre needs on a Debian machine, and how to install it.
# shellcheck shell=sh

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)

say() {
    printf '\n== %s\n' "$*"
}

# missing_of PACKAGE...: those that are not installed.
missing_of() {
    # shellcheck disable=SC2016 # dpkg-query expands them
    installed=$(dpkg-query -W -f ' ${Package} ${Package}:${Architecture} ${Status}\n' "$@" 2>/dev/null |
        sed -n 's/[a-z]* ok installed$//p')
    for package in "$@"; do
        case $installed in
        *" $package "*) ;;
        *) printf ' %s' "$package" ;;
        esac
    done
}

# as_root_prefix: prints the prefix that runs a command as root; fails if there is none.
as_root_prefix() {
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null && sudo -n true 2>/dev/null && echo 'sudo -n'
    fi
}

# need PACKAGE...: installs the missing ones; without root, names them and stops. NAME:arm64 is a package of another
# architecture, for the emulated tests. On a system without dpkg it names all of them and continues, as their contents
# may be there.
need() {
    if ! command -v dpkg-query >/dev/null; then
        say "dpkg-query not found: cannot check for missing packages. Install these or their equivalents: $*"
        return 0
    fi
    missing=$(missing_of "$@")
    [ -n "$missing" ] || return 0
    # shellcheck disable=SC2086 # one word per package
    foreign=$(printf '%s\n' $missing | sed -n 's/.*://p' | sort -u)
    if ! as_root=$(as_root_prefix); then
        echo "packages are missing, and this user cannot install them. Run as root:" >&2
        for architecture in $foreign; do
            echo "    dpkg --add-architecture $architecture && apt-get update" >&2
        done
        echo "    apt-get install$missing" >&2
        exit 1
    fi
    say "installing$missing"
    for architecture in $foreign; do
        $as_root dpkg --add-architecture "$architecture"
    done
    # A mirror that is being updated may lack one of many lists; the needed packages are often available all the same.
    $as_root apt-get update -q || say "some package lists could not be updated: continuing with the existing ones"
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
}

# want PACKAGE...: installs the missing ones that are available; names those it continues without.
want() {
    missing=$(missing_of "$@")
    [ -n "$missing" ] || return 0
    say "trying to install$missing"
    # shellcheck disable=SC2086 # one word per package
    (need $missing) >/dev/null 2>&1 && return 0
    for package in $missing; do
        (need "$package") >/dev/null 2>&1 || echo "cannot install $package: continuing without it" >&2
    done
}

# extract PACKAGE FOLDER: unpacks it to FOLDER/PACKAGE, unless it is there; installs nothing.
extract() {
    [ ! -d "$2/$1" ] || return 0
    rm -rf "$2/$1.part"
    mkdir -p "$2/$1.part"
    (
        cd "$2/$1.part" || exit 1
        apt-get download -q "$1" || { $(as_root_prefix) apt-get update -q; apt-get download -q "$1"; } || exit 1
        dpkg-deb -x ./*.deb . && rm ./*.deb
    ) && mv "$2/$1.part" "$2/$1"
}

# configure FOLDER OPTION...: makes or updates a build folder with these options. A folder without meson-logs, which
# Meson creates first, is not ours and is kept.
configure() {
    folder=$1
    shift
    if [ ! -w "$(dirname "$folder")" ]; then
        echo "cannot write to $(dirname "$folder"), where Gyre would be built" >&2
        exit 1
    fi
    if [ -f "$folder/build.ninja" ]; then
        meson setup --reconfigure "$folder" "$root" "$@" >"$folder.log" 2>&1 || { cat "$folder.log"; exit 1; }
    elif [ -d "$folder/meson-logs" ] || [ -z "$(ls -A "$folder" 2>/dev/null)" ]; then
        rm -rf "$folder"
        meson setup "$folder" "$root" "$@" >"$folder.log" 2>&1 || { cat "$folder.log"; exit 1; }
    else
        echo "$folder is in the way: Gyre would be built there, but it is not a Meson build folder" >&2
        exit 1
    fi
}
