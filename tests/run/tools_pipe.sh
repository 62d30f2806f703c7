#!/bin/bash
# tools_pipe.sh: pipe against tests/oracle/ev4.awk, which works out from objdump's text how a 21064 issues each block, and the
# oracle's counts of the uninstrumented program.
# Requires: atomc (ATOMC), the oracle, qemu-alpha, the test programs; run from the repository's root. TOOLS_ALL=1: on all.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/tools.lib
. tests/run/tools.lib
needs_oracle

check() { # NAME LEVEL WORKLOAD
    local test=tools/pipe/$1-$2/$3
    list_places blocks
    run_plain "$1" -plugin "$BUILD/tests/oracle.so,out=$base/oracle.txt"
    alpha-linux-gnu-objdump -d --no-show-raw-insn "$program" >"$base/text"
    awk -f tests/oracle/ev4.awk "$base/blocks" "$base/text" "$base/oracle.txt" | sort >"$base/expected"
    if run_tool "$test" "$1" pipe; then
        sed -e 1d -e '/^total/d' "$base/found/files/pipe.out" | tr ' ' _ |
            awk -F'\t' '{ i[$6] += $2; c[$6] += $3; s[$6] += $5 }
                END { for (p in c) printf "%s\t%.0f\t%.0f\t%.0f\n", p, i[p], c[p], s[p] }' | sort >"$base/rows"
        equal "$test" "$base/expected" "$base/rows"
    fi
}

each_workload check "bzip2-O2:decompress blas-O2:errors"
[ "$failures" = 0 ]
