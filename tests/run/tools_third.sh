#!/bin/bash
# tools_third.sh: third finds in each program of tests/third what stands behind `//!` at its lines, and nothing else; and
# nothing in real programs.
# Requires: atomc (ATOMC), qemu-alpha, the Alpha cross compilers; run from the repository's root. Without TOOLS_ALL=1 every
# third of the small programs, and two real ones.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/tools.lib
. tests/run/tools.lib
tools_all="bzip2-O2:compress bzip2-O2:decompress bzip2-O0:damaged lzip-O2:compress lzip-O2:damaged minigzip-O2:compress
    minigzip-O0:decompress lua-O2:errors lua-O0:strings minisat-O2:pigeons mawk-O2:words byacc-O2:grammar dash-O2:expand blas-O2:errors
    zblas-O2:small"

check_planted() { # SOURCE
    local name=${1##*/} compiler=gcc
    local test=tools/third/${name%.*}
    [ "${name##*.}" = c ] || compiler=g++
    rm -f "$base/third.out"
    if ! "alpha-linux-gnu-$compiler" -O0 -g -w -static -Wl,--no-relax "$1" -o "$base/planted" >"$base/log" 2>&1 ||
        ! "$ATOMC" -t third "$base/planted" -o "$base/planted.atom" >"$base/log" 2>&1; then
        failed "$test" "it does not build" "$base/log"
        return
    fi
    (cd "$base" && timeout 60 "$(command -v "$QEMU")" ./planted.atom >"$base/log" 2>&1) || true
    grep -n '//!' "$1" | sed 's|^\([0-9]*\):.*//! *\(.*\)|\2	\1|; s| in strlen	.*|	|' | sort >"$base/expected"
    sed 1d "$base/third.out" | awk -F'\t' '{ line = $3; sub(/.*:/, "", line); print $1 "\t" line }' | sort >"$base/rows"
    equal "$test" "$base/expected" "$base/rows"
}

check_real() { # NAME LEVEL WORKLOAD
    local test=tools/third/real/$1-$2/$3
    run_plain "$1"
    if run_tool "$test" "$1" third -D leaks=false; then
        if [ "$(wc -l <"$base/found/files/third.out")" = 1 ]; then
            passed "$test"
        else
            failed "$test" "it reports" "$base/found/files/third.out"
        fi
    fi
}

number=0
for source in tests/third/*.c tests/third/*.cc; do
    number=$((number + 1))
    [ -z "${TOOLS_ALL:-}" ] && [ $((number % 3)) != 1 ] || check_planted "$source"
done
each_workload check_real "lzip-O2:damaged lua-O2:errors"
[ "$failures" = 0 ]
