#!/bin/bash
# dynamic_large.sh: sqlite3 and zpaq, which has threads and C++ exceptions, linked dynamically: of the program, of the C library, of
# all objects; counts as the oracle's.
# Requires: as dynamic.sh; a few minutes, so zpaq only with DYNAMIC_ALL=1: make check-dynamic.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/dynamic.lib
. tests/run/dynamic.lib
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
stage=$scratch/stage
# shellcheck disable=SC2034 # dynamic.lib uses it
oracle=$BUILD/tests/oracle.so
for name in ${*:-sqlite3 ${DYNAMIC_ALL:+zpaq}}; do
    program=$(build_dynamic "$name" dynamic) || { skipped "dynamic/libraries/$name" "it cannot be built"; continue; }
    rm -rf "$scratch/inputs"
    flock "$BUILD/sources/lock" cp -a "$BUILD/programs/$name/inputs" "$scratch/inputs"
    unset -f normalise
    standard_input=
    arguments=()
    # shellcheck disable=SC2034
    stable=
    # shellcheck source=/dev/null
    . "tests/programs/$name/program.sh"
    "workload_$(first_workload "$name")"
    try_libraries "dynamic/libraries/$name" "$name" "$program" "$scratch/inputs" "${arguments[@]}"
done
[ "$failures" = 0 ]
