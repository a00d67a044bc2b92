# Sourced by the other scripts: what a Debian machine needs for Gyre, and how it gets there.

root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)

say() {
    printf '\n== %s\n' "$*"
}

# need PACKAGE...: installs those that are missing; without root, names them and stops. NAME:arm64 is a package of
# another architecture, for the emulated tests.
need() {
    missing=
    foreign=
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    case $missing in *:arm64*) foreign='dpkg --add-architecture arm64' ;; esac
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
            as_root='sudo -n'
        else
            echo "missing packages, and not root. Please have root run:" >&2
            [ -z "$foreign" ] || echo "    $foreign && apt-get update" >&2
            echo "    apt-get install$missing" >&2
            exit 1
        fi
    fi
    say "installing$missing"
    # shellcheck disable=SC2086 # one word per package
    [ -z "$foreign" ] || ${as_root-} $foreign
    ${as_root-} apt-get update -q
    # shellcheck disable=SC2086
    ${as_root-} env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
}

# configure FOLDER OPTION...: a build folder as asked, whether or not it was there before.
configure() {
    folder=$1
    shift
    if [ -f "$folder/build.ninja" ]; then
        meson setup --reconfigure "$folder" "$root" "$@" >"$folder.log" 2>&1 || { cat "$folder.log"; exit 1; }
    else
        rm -rf "$folder"
        meson setup "$folder" "$root" "$@" >"$folder.log" 2>&1 || { cat "$folder.log"; exit 1; }
    fi
}
