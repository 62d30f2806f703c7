#!/bin/bash
# demangle.sh: reports with --demangle are those without, as binutils' c++filt reads their names.
# Requires: atomc (ATOMC), qemu-alpha, the Alpha cross compilers and binutils; run from the repository's root.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
qemu=$(command -v "$QEMU")

run() { # OPTIONS OUTPUT
    # shellcheck disable=SC2086 # several words
    "$ATOMC" $1 -t prof -t callgraph -t hiprof -D folded=true -D callgrind=true -D least=0 "$scratch/names" -o "$scratch/names.atom" \
        >"$scratch/log" 2>&1 && mkdir "$2" && (cd "$2" && "$qemu" -0 names ../names.atom) >"$scratch/log" 2>&1
}

alpha-linux-gnu-g++ -O2 -g -static -Wl,--no-relax tests/tools/names.cc -o "$scratch/names"
if ! run "" "$scratch/plain" || ! run --demangle "$scratch/shown"; then
    failed demangle "it does not run" "$scratch/log"
    exit 1
fi
# Rows with the same numbers are in the order of what is shown in neither.
for file in prof.out callgraph.out hiprof.out hiprof.out.folded hiprof.out.callgrind; do
    alpha-linux-gnu-c++filt -i <"$scratch/plain/$file" | sort >"$scratch/expected"
    sort "$scratch/shown/$file" >"$scratch/found"
    if ! grep -q -F 'Shape::sides(int) const' "$scratch/expected"; then
        failed "demangle/$file" "there is no name to compare" "$scratch/expected"
    elif diff "$scratch/expected" "$scratch/found" >"$scratch/difference"; then
        passed "demangle/$file"
    else
        failed "demangle/$file" "not what c++filt makes of the names (<)" "$scratch/difference"
    fi
done
[ "$failures" = 0 ]
