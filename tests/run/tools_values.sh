#!/bin/bash
# tools_values.sh: values against the oracle's record of the uninstrumented program: each value of each load and store, each
# address, each first argument.
# Requires: atomc (ATOMC), oracle and replay, qemu-alpha, the test programs; run from the repository's root. TOOLS_ALL=1: on all.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/tools.lib
. tests/run/tools.lib
needs_oracle
# shellcheck disable=SC2034 # of replay
oracle_options=,values=on

# What a process number or the time is made into differs from run to run: for places where two runs of the uninstrumented
# program differ only the numbers of executions are compared.
steady() { # ROWS: without the places in $base/unsteady, but with their sums
    awk -F'\t' 'FILENAME == ARGV[1] { unsteady[$1]; next } $1 in unsteady { sum[$1] += $3; next } { print }
        END { for (pc in sum) printf "%s\tall\t%.0f\n", pc, sum[pc] }' "$base/unsteady" "$1" | sort
}

# Procedures with variable arguments store registers that nobody has set, and stacks are read before they are written: with all
# registers saved, and a stack for the analysis, these hold what they do in the uninstrumented program.
check_kind() { # NAME TEST KIND
    replay "$base/first" values kind="$3" entries="$base/entries"
    sleep 1
    replay "$base/second" values kind="$3" entries="$base/entries"
    sort "$base/first" "$base/second" | uniq -u | cut -f1 | sort -u >"$base/unsteady"
    steady "$base/first" >"$base/expected"
    if [ $((100 * $(wc -l <"$base/unsteady"))) -gt "$(cut -f1 "$base/expected" | sort -u | wc -l)" ]; then
        failed "$2/$3/steady" "more than a hundredth of the places differ from run to run" "$base/unsteady"
    fi
    if run_tool "$2/$3" "$1" values --no-liveness --stack=own -D operand="$3" -D top=1000000000; then
        sed 1d "$base/found/files/values.out" | cut -f1,7,8 | sort >"$base/all.rows"
        if [ "$3" = argument ]; then # of the procedures whose entries can be told
            cut -f1 "$base/entries" | sort -u | join -t'	' - "$base/all.rows" >"$base/known.rows"
            mv "$base/known.rows" "$base/all.rows"
        fi
        steady "$base/all.rows" >"$base/rows"
        equal "$2/$3" "$base/expected" "$base/rows"
    fi
}

check() { # NAME LEVEL WORKLOAD
    local test=tools/values/$1-$2/$3
    list_procedures
    cut -f1 "$base/procedures" | sort >"$base/known"
    entry_points | sort | join -t'	' - "$base/known" >"$base/entries"
    check_kind "$1" "$test" value
    check_kind "$1" "$test" address
    check_kind "$1" "$test" argument
}

each_workload check "lzip-O2:damaged mawk-O2:words lua-O2:errors"
[ "$failures" = 0 ]
