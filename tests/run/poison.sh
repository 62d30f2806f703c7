#!/bin/bash
# poison.sh: programs behave, and counts are right, with every register that liveness calls dead overwritten at each site.
# Requires: atomc (ATOMC), build/tests/oracle.so, the test programs, qemu-alpha; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# Folders of its own: other jobs run the same programs.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/tests"
ln -s "$(realpath "$BUILD/programs")" "$(realpath "$BUILD/sources")" "$scratch"
ln -s "$(realpath "$BUILD/tests/oracle.so")" "$scratch/tests"
for program in ${PROGRAMS:-bzip2 lua sqlite3 zpaq}; do
    BUILD=$scratch ATOMC_CHECKED='' ATOMC_FLAGS=--poison tests/run/program.sh "$program" O2 branch branch_c prof cache audit |
        sed -E 's,^(ok|not ok|skip) ,&poison/,'
done
