#!/bin/bash
# torture.sh: a fixed sample of GCC's own run-time tests (tests/torture/sample), instrumented. `make torture` runs all.
# Requires: what tests/torture/test.sh does.
#
# Each runs under `empty` and `prof` and with dead registers poisoned; for every fifth, prof's counts are held against
# the oracle's. A line of the sample may name other modes: those that once failed.
set -u
number=0
while read -r name level modes; do
    if [ -z "$modes" ]; then
        modes="empty prof poison"
        [ $((number++ % 5)) != 0 ] || modes="empty counts poison"
    fi
    # shellcheck disable=SC2086
    tests/torture/test.sh "$name" "$level" $modes
done <tests/torture/sample
