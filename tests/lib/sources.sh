# sources.sh: Debian's source packages, from the machine's own apt sources, for test programs and for the oracle's
# emulator. Requires: apt-get, dpkg-dev; `sources`, the folder in which lists and downloads are kept. No root.
# shellcheck shell=bash disable=SC2154

# Runs apt-get with the machine's own sources, deb changed to deb-src, and separate lists.
apt_get() {
    apt-get -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$sources/apt/parts" \
        -o Dir::State::lists="$sources/apt/lists" -o Dir::Cache="$sources/apt/cache" \
        -o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=2 "$@"
}

prepare_apt() {
    [ ! -e "$sources/apt/ready" ] || return 0
    mkdir -p "$sources/apt/parts" "$sources/apt/lists/partial" "$sources/apt/cache/archives/partial"
    local file
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ ! -f "$file" ] || sed -n 's/^deb[[:space:]]/deb-src /p' "$file" >"$sources/apt/parts/$(basename "$file")"
    done
    for file in /etc/apt/sources.list.d/*.sources; do
        [ ! -f "$file" ] ||
            sed 's/^Types:.*/Types: deb-src/' "$file" >"$sources/apt/parts/$(basename "$file")"
    done
    apt_get update && touch "$sources/apt/ready"
}

# download PACKAGE[=VERSION] FOLDER: downloads its files to the folder, unless they exist. Returns false, with a
# message, if the package cannot be fetched.
download() {
    [ ! -e "$2/ready" ] || return 0
    prepare_apt || { echo "apt-get update failed" >&2 && return 1; }
    rm -rf "$2"
    mkdir -p "$2"
    (cd "$2" && apt_get source --download-only --only-source "$1") || { echo "apt-get source $1 failed" >&2 && return 1; }
    touch "$2/ready"
}
