#!/bin/bash
# tools_cache.sh: cache, dtb, icache and itb against simulations of our own, written apart from them, of what the oracle
# records of the uninstrumented program: each level's counts and each procedure's.
# Requires: atomc (ATOMC), oracle and replay, qemu-alpha, the test programs; run from the repository's root. TOOLS_ALL=1: on all.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/tools.lib
. tests/run/tools.lib
needs_oracle

# compare NAME LEVEL WORKLOAD TOOL MODE WORD [PARAMETER=VALUE...]: WORD is the first level's name; the rest goes to both.
compare() {
    local name=$1 test=tools/$4/$1-$2/$3 tool=$4 mode=$5 word=$6 value
    local -a defines=() given=()
    shift 6
    for value in "$@"; do
        case $value in
        -*) given+=("${value#-}") ;; # for the simulation only
        *) defines+=(-D "$value") given+=("$value") ;;
        esac
    done
    replay "$base/expected.unsorted" "$mode" name="$word" "${given[@]}"
    sort "$base/expected.unsorted" >"$base/expected"
    run_tool "$test" "$name" "$tool" "${defines[@]}" -D procedures=true || return 0
    { sed 1d "$base/found/files/$tool.out"; sed 1d "$base/found/files/$tool.procedures.out" | cut -f1,3-; } | tr ' ' _ |
        sort >"$base/rows"
    equal "$test" "$base/expected" "$base/rows"
}

check() { # NAME LEVEL WORKLOAD
    list_procedures
    compare "$@" cache cache L1 size=4096 line=64 ways=2 size2=65536 line2=64 ways2=4
    compare "$@" icache fetch I1 size=8192 line=32 ways=1 size2=32768 line2=64 ways2=0
    [ -n "${TOOLS_ALL:-}" ] || [ "$1" = lzip ] || return 0
    compare "$@" cache cache L1 size=8192 line=32 ways=1 size2=16384 allocate=false writeback=false
    compare "$@" cache cache L1 size=8192 line=32 ways=0 allocate=false
    compare "$@" dtb cache DTB page=8192 pages=8 -size=65536 -line=8192 -ways=0 -writeback=false
    compare "$@" itb fetch ITB page=4096 pages=8 ways=2 -size=32768 -line=4096
}

each_workload check "bzip2-O2:decompress lzip-O2:damaged"

# cg_annotate reads what cache writes for it, and finds the same sums.
if ! command -v cg_annotate >/dev/null; then
    skipped tools/cache/cg_annotate "cg_annotate is not installed (Debian's package valgrind)"
elif cp docs/examples/primes.c "$base" && alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax "$base/primes.c" -o "$base/primes" &&
    "$ATOMC" -t cache -D cachegrind=true -D size2=65536 "$base/primes" -o "$base/primes.atom" >"$base/log" 2>&1; then
    (cd "$base" && "$(command -v "$QEMU")" ./primes.atom >/dev/null && cg_annotate cachegrind.out >annotated 2>&1) || true
    awk '$1 == "L1" { print $5, $6, $7, $8 }' "$base/cache.out" >"$base/expected"
    sed -n 's/ ([^)]*)//g; s/,//g; s/ *PROGRAM TOTALS//p' "$base/annotated" | awk '{ print $1, $2, $4, $5 }' >"$base/totals"
    equal tools/cache/cg_annotate "$base/expected" "$base/totals"
else
    failed tools/cache/cg_annotate "the example does not build" "$base/log"
fi
[ "$failures" = 0 ]
