#!/bin/bash
# dynamic_addresses.sh: what tools are told of addresses in libraries: $target, $static, edges of jump tables there and the
# runtime's own translations, against transitions of the uninstrumented program.
# Requires: atomc (ATOMC), the Alpha cross compilers and libraries, qemu-alpha with plugins; run from the repository's root.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/dynamic.lib
. tests/run/dynamic.lib
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
stage=$scratch/stage
standard_input=

# Lines FROM TO COUNT with addresses in memory become ones with static addresses, both as 0x...
static_pairs() { # BASES PAIRS
    awk "$hexadecimal"'
        function moved(text, i, best, pc, value, head) {
            pc = number(substr(text, 3))
            for (i = 1; i <= count; i++) if (from[i] <= pc) best = i
            value = best ? pc - from[best] + to[best] : pc
            head = int(value / 16777216)
            return sprintf("0x%x%06x", head, value - head * 16777216)
        }
        FNR == NR { split($0, word, " "); from[++count] = number(word[1]); to[count] = number(word[2]); next }
        { print moved($1) "\t" moved($2) "\t" $3 }' "$1" "$2"
}

check() { # TEST NAME PROGRAM INPUTS ARGUMENTS...
    local test=dynamic/addresses/$1 name=$2 program=$3 inputs=$4
    shift 4
    run_program "$scratch/plain" "$name" "$program" "$inputs" "$standard_input" -L "$libraries" \
        -plugin "$BUILD/tests/transitions.so,out=$scratch/transitions,all=on" -- "$@"
    "$ATOMC" --objects=all tests/dynamic/targets.atd "$program" -o "$scratch/instrumented" >"$scratch/log" 2>&1 || {
        failed "$test" "atomc failed" "$scratch/log"
        return 0
    }
    run_program "$scratch/found" "$name" "$scratch/instrumented" "$inputs" "$standard_input" -L "$libraries" -- "$@"
    same_results "$test" "$scratch/plain" "$scratch/found" targets.out edges.out sites.out
    if ! grep -q '^wrong	0$' "$scratch/found/files/targets.out"; then
        failed "$test/translations" "addresses are not what they should be" "$scratch/found/files/targets.out"
    else
        passed "$test/translations"
    fi
    write_bases "$program"
    static_pairs "$scratch/bases" "$scratch/transitions" | sort >"$scratch/static"
    # Every transition from one of the places, and no other.
    sed 1d "$scratch/found/files/sites.out" | sort >"$scratch/sites"
    join -t'	' "$scratch/sites" "$scratch/static" | sort >"$scratch/expected"
    grep '^0x' "$scratch/found/files/targets.out" | sort >"$scratch/pairs"
    same "$test/targets" 500
    # Of jumps through tables.
    sed 1d "$scratch/found/files/edges.out" | sort >"$scratch/pairs"
    cut -f1 "$scratch/pairs" | sort -u | join -t'	' - "$scratch/static" | sort >"$scratch/expected"
    same "$test/edges" 5
    if ! awk '$1 >= "0x4"' "$scratch/pairs" | grep -q .; then
        failed "$test/edges/libraries" "none is in a library"
    fi
}
same() { # TEST LEAST
    if [ "$(wc -l <"$scratch/pairs")" -lt "$2" ]; then
        failed "$1" "too few to mean anything" "$scratch/pairs"
    elif diff "$scratch/expected" "$scratch/pairs" >"$scratch/differences"; then
        passed "$1"
    else
        failed "$1" "not the oracle's (<)" "$scratch/differences"
    fi
}

for name in bzip2 lua; do
    program=$(build_dynamic "$name" dynamic) || exit 1
    rm -rf "$scratch/inputs"
    flock "$BUILD/sources/lock" cp -a "$BUILD/programs/$name/inputs" "$scratch/inputs"
    standard_input=
    arguments=()
    # shellcheck source=/dev/null
    . "tests/programs/$name/program.sh"
    "workload_$(sed -n 's/^workloads="\([a-z]*\).*/\1/p' "tests/programs/$name/program.sh")"
    check "$name" "$name" "$program" "$scratch/inputs" "${arguments[@]}"
done
standard_input=
alpha-linux-gnu-g++ -O2 -fno-pie -no-pie -rdynamic -Wl,--no-relax tests/data/objects.cc -o "$scratch/objects" -pthread -ldl
check exceptions objects "$scratch/objects" "" exceptions
[ "$failures" = 0 ]
