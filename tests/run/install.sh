#!/bin/bash
# install.sh: make install into a scratch folder, and the installed atomc at work from there.
# Requires: a finished build (BUILD), qemu-alpha, the Alpha cross compiler; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
build=${BUILD#"$repository/"}

installs() { # TEST PREFIX DESTDIR
    if MAKEFLAGS='' make -s install BUILD="$build" PREFIX="$2" DESTDIR="$3" >"$scratch/log" 2>&1; then
        passed "$1"
    else
        failed "$1" "make install failed" "$scratch/log"
    fi
}

# What is installed, with permission bits, beside the tools and the runtime's objects.
check_files() { # TEST ROOT
    (cd "$2" && find . -type f -printf '%m %p\n' | sort -k 2) >"$scratch/found"
    {
        echo "755 ./bin/atomc"
        ls "$build"/runtime/*.o | sed 's|.*/|644 ./lib/atomc/runtime/|'
        find include -type f -printf '644 ./share/atomc/include/%P\n'
        ls stdtools/* | sed 's|.*/|644 ./share/atomc/stdtools/|'
        echo "644 ./share/man/man1/atomc.1"
    } | sort -k 2 >"$scratch/expected"
    if diff "$scratch/expected" "$scratch/found" >"$scratch/difference"; then
        passed "$1"
    else
        failed "$1" "not the files expected" "$scratch/difference"
    fi
}

# The installed atomc finds its tools and its runtime beside itself, wherever it was moved to.
check_work() { # TEST ROOT
    mkdir "$scratch/work"
    cp docs/examples/primes.c "$scratch/work"
    if (
        cd "$scratch/work"
        alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax primes.c -o primes
        "$2/bin/atomc" -t prof primes -o primes.atom
        "$QEMU" ./primes.atom >stdout
        [ "$(cat stdout)" = "168 primes" ]
        grep -q "main$" prof.out
        "$2/bin/atomc" --list >list
        "$ATOMC" --list | diff - list
    ) >"$scratch/log" 2>&1; then
        passed "$1"
    else
        failed "$1" "the installed atomc does not work" "$scratch/log"
    fi
    rm -rf "$scratch/work"
}

# Sections, and every option that --help names.
check_manual() { # TEST PAGE
    local missing='' section option
    for section in NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' FILES EXAMPLES 'SEE ALSO'; do
        grep -q -x ".SH $section" "$2" || missing="$missing section $section;"
    done
    sed 's/\\//g; s/^\.[A-Z]* //; s/[", ]//g' "$2" >"$scratch/plain"
    for option in $("$ATOMC" --help | grep -o -e '--[a-z-]*' | sort -u); do
        grep -q -e "$option" "$scratch/plain" || missing="$missing $option;"
    done
    if [ -z "$missing" ]; then
        passed "$1"
    else
        failed "$1" "the manual lacks$missing"
    fi
    if ! command -v groff >"$scratch/log"; then
        skipped "$1-typeset" "groff is not installed"
    elif groff -man -Tascii -ww "$2" 2>"$scratch/log" >"$scratch/typeset" && [ ! -s "$scratch/log" ]; then
        passed "$1-typeset"
    else
        failed "$1-typeset" "groff complains" "$scratch/log"
    fi
}

installs install/destdir /usr "$scratch/stage"
check_files install/files "$scratch/stage/usr"
check_work install/staged "$scratch/stage/usr"
check_manual install/manual "$scratch/stage/usr/share/man/man1/atomc.1"
mv "$scratch/stage/usr" "$scratch/moved to here"
check_work install/moved "$scratch/moved to here"
installs install/prefix "$scratch/prefix" ''
check_files install/prefix-files "$scratch/prefix"
[ "$failures" = 0 ]
