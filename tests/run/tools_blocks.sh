#!/bin/bash
# tools_blocks.sh: bbv against the oracle's record of the uninstrumented program: each interval, each block, byte by byte.
# Requires: atomc (ATOMC), oracle and replay, qemu-alpha, the test programs; run from the repository's root. TOOLS_ALL=1: on all.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/tools.lib
. tests/run/tools.lib
needs_oracle

check() { # NAME LEVEL WORKLOAD
    local test=tools/bbv/$1-$2/$3
    list_places blocks
    list_procedures
    replay "$base/expected" bbv blocks="$base/blocks" interval=20000
    if run_tool "$test" "$1" bbv -D interval=20000; then
        equal "$test" "$base/expected" "$base/found/files/bbv.out"
    fi
}

each_workload check "lzip-O2:damaged mawk-O2:words"
[ "$failures" = 0 ]
