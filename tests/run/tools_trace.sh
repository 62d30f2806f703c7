#!/bin/bash
# tools_trace.sh: trace against the oracle's record of the uninstrumented program, reference by reference, in all its forms;
# memsys against our own simulations, procedure by procedure.
# Requires: atomc (ATOMC), oracle and replay, qemu-alpha, the test programs; run from the repository's root. TOOLS_ALL=1: on all.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/tools.lib
. tests/run/tools.lib
needs_oracle
gcc -O2 -Wall -Wextra -Werror stdtools/trace_read.c -o "$base/trace_read"

check_trace() { # NAME LEVEL WORKLOAD
    local test=tools/trace/$1-$2/$3
    replay "$base/expected" din
    if run_tool "$test/din" "$1" trace -D form=din; then
        equal "$test/din" "$base/expected" "$base/found/files/trace.out"
    fi
    if run_tool "$test/binary" "$1" trace -D form=binary; then
        "$base/trace_read" -d <"$base/found/files/trace.out" >"$base/read"
        equal "$test/binary" "$base/expected" "$base/read"
        "$base/trace_read" <"$base/found/files/trace.out" >"$base/read"
        if run_tool "$test/text" "$1" trace -D form=text; then
            equal "$test/text" "$base/read" "$base/found/files/trace.out"
        fi
    fi
    rm -rf "$base/expected" "$base/read" "$base/found"
}

# misses COLUMN MODE [NAME=VALUE...]: lines column, procedure, misses.
misses() {
    local column=$1
    shift
    replay "$base/simulated" "$@" name=all
    awk -F'\t' -v column="$column" '$1 != "all" { sum[$1] += $3 }
        END { for (name in sum) if (sum[name]) print column "\t" name "\t" sum[name] }' "$base/simulated"
}

check_memsys() { # NAME LEVEL WORKLOAD
    local test=tools/memsys/$1-$2/$3
    list_procedures
    {
        misses 8 fetch size=4096 line=32 ways=2
        misses 9 fetch size=$((6 * 4096)) line=4096 ways=0
        misses 10 cache size=4096 line=16 ways=1 writeback=false
        misses 11 cache size=$((9 * 4096)) line=4096 ways=0 writeback=false
    } | sort >"$base/expected"
    if run_tool "$test" "$1" memsys -D isize=4096 -D iways=2 -D itb=6 -D dtb=9 -D page=4096 -D dsize=4096 -D dline=16; then
        tr ' ' _ <"$base/found/files/memsys.out" | awk -F'\t' 'NR > 1 { for (i = 8; i <= 11; i++) sum[i "\t" $1] += $i }
            END { for (key in sum) if (sum[key]) print key "\t" sum[key] }' | sort >"$base/rows"
        equal "$test" "$base/expected" "$base/rows"
        sed -n 's/^# instructions //p' "$base/oracle.txt" >"$base/expected"
        awk -F'\t' 'NR > 1 { sum += $5 } END { print sum }' "$base/found/files/memsys.out" >"$base/rows"
        equal "$test/instructions" "$base/expected" "$base/rows"
    fi
}

tools_all=${tools_all/dash-O2:expand/}
each_workload check_trace "lzip-O2:damaged"
each_workload check_memsys "lzip-O2:damaged"
[ "$failures" = 0 ]
