#!/bin/bash
# tools_third.sh: third finds in each program of tests/third what stands behind `//!` at its lines, and nothing else; and
# in real programs nothing, leaks included, or what tests/third/real.txt says, which valgrind finds too.
# Requires: atomc (ATOMC), qemu-alpha, the Alpha cross compilers; run from the repository's root. Without TOOLS_ALL=1 every
# third of the small programs, and four real ones. valgrind, for what is in real.txt, with TOOLS_ALL=1.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/tools.lib
. tests/run/tools.lib
tools_all="bzip2-O2:compress bzip2-O2:decompress bzip2-O0:damaged lzip-O2:compress lzip-O2:damaged minigzip-O2:compress
    minigzip-O0:decompress lua-O2:errors lua-O0:strings minisat-O2:pigeons minisat-O3:satisfiable mawk-O2:words mawk-O3:primes
    byacc-O2:grammar byacc-O3:error dash-O2:script dash-O2:expand dash-O0:expand blas-O2:errors blas-O3:small zblas-O2:small
    sqlite3-O2:queries sqlite3-O2:errors sqlite3-O0:queries zpaq-O2:method zpaq-O2:add zpaq-O0:method zpaq-O2:damaged
    pbzip2-O2:compress pbzip2-O2:decompress pbzip2-O3:decompress"

check_planted() { # SOURCE
    local name=${1##*/} compiler=gcc
    local test=tools/third/${name%.*}
    [ "${name##*.}" = c ] || compiler=g++
    rm -f "$base/third.out"
    # shellcheck disable=SC2046 # several words
    if ! "alpha-linux-gnu-$compiler" -O0 -g -w -static -Wl,--no-relax $(sed -n 's|^/\* options: \(.*\) \*/|\1|p' "$1") "$1" \
        -o "$base/planted" >"$base/log" 2>&1 ||
        ! "$ATOMC" -t third "$base/planted" -o "$base/planted.atom" >"$base/log" 2>&1; then
        failed "$test" "it does not build" "$base/log"
        return
    fi
    (cd "$base" && timeout 60 "$(command -v "$QEMU")" ./planted.atom >"$base/log" 2>&1) || true
    grep -n '//!' "$1" | sed 's|^\([0-9]*\):.*//! *\(.*\)|\2	\1|; s| in strlen	.*|	|' | sort >"$base/expected"
    sed 1d "$base/third.out" | awk -F'\t' '{ line = $3; sub(/.*:/, "", line); print $1 "\t" line }' | sort >"$base/rows"
    equal "$test" "$base/expected" "$base/rows"
}

# Error, procedure, place, times and bytes of what there is in the report of the real program, beside its title.
check_real() { # NAME LEVEL WORKLOAD
    local test=tools/third/real/$1-$2/$3
    run_plain "$1"
    if run_tool "$test" "$1" third; then
        {
            head -n 1 "$base/found/files/third.out" | cut -f1-5
            sed -n "s/^$1-$2:$3: //p" tests/third/real.txt
        } >"$base/expected"
        cut -f1-5 "$base/found/files/third.out" | sed '1!s|[^	]*/||; 2,$s/	/ /g' >"$base/rows"
        equal "$test" "$base/expected" "$base/rows"
    fi
}

# The leak of real.txt in dash, by valgrind, in dash built for this machine.
check_leak_of_dash() {
    local test=tools/third/real/dash/valgrind native=$base/native
    if ! command -v valgrind >/dev/null; then
        skipped "$test" "valgrind is not installed"
        return
    fi
    cp -a "$BUILD/programs/dash/source" "$native"
    if ! (cd "$native" && touch aclocal.m4 && touch configure config.h.in Makefile.in src/Makefile.in && ./configure &&
        make -C src CFLAGS="-O2 -g -w") >"$base/log" 2>&1; then
        failed "$test" "dash does not build for this machine" "$base/log"
        return
    fi
    (cd "$BUILD/programs/dash/inputs" && valgrind --leak-check=full --child-silent-after-fork=yes "$native/src/dash" script.sh) \
        >"$base/log" 2>&1 || true
    echo "leak savestr memalloc.c:83 1 21" >"$base/expected"
    awk '/definitely lost in loss record/ { bytes = $2; blocks = $5 }
        bytes && / by .*\(memalloc.c/ { gsub(/[()]/, ""); print "leak", $(NF - 1), $NF, blocks, bytes; bytes = 0 }' \
        "$base/log" >"$base/rows"
    equal "$test" "$base/expected" "$base/rows"
}

number=0
for source in tests/third/*.c tests/third/*.cc; do
    number=$((number + 1))
    [ -z "${TOOLS_ALL:-}" ] && [ $((number % 3)) != 1 ] || check_planted "$source"
done
each_workload check_real "lzip-O2:damaged lua-O2:errors sqlite3-O2:queries pbzip2-O2:decompress"
[ -z "${TOOLS_ALL:-}" ] || check_leak_of_dash
[ "$failures" = 0 ]
