#!/bin/bash
# tools_heap.sh: malloc and dynmem against the oracle's record of the uninstrumented program: each allocating call, each size.
# Requires: atomc (ATOMC), oracle and replay, qemu-alpha, the test programs; run from the repository's root. TOOLS_ALL=1: on all.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/tools.lib
. tests/run/tools.lib
needs_oracle

check() { # NAME LEVEL WORKLOAD
    local test=tools/dynmem/$1-$2/$3
    list_procedures
    replay "$base/expected.unsorted" heap
    sort "$base/expected.unsorted" >"$base/expected"
    if run_tool "$test" "$1" dynmem; then
        sed 1d "$base/found/files/dynmem.out" | cut -f1,3- | tr ' ' _ | sort >"$base/rows"
        equal "$test" "$base/expected" "$base/rows"
    fi
    test=tools/malloc/$1-$2/$3
    replay "$base/expected.unsorted" heap histogram=1
    sort "$base/expected.unsorted" >"$base/expected"
    if run_tool "$test" "$1" malloc; then
        sed 1d "$base/found/files/malloc.out" | cut -f1-3,5 | sort >"$base/rows"
        equal "$test" "$base/expected" "$base/rows"
    fi
}

each_workload check "lzip-O2:damaged lua-O2:errors minisat-O2:pigeons"
[ "$failures" = 0 ]
