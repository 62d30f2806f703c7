#!/bin/bash
# atom_xlate.sh: tables of instrumented addresses against REG_IPC at each instruction, readelf, and the map in the file.
# Requires: atomc (ATOMC), the Alpha cross compiler and binutils, qemu-alpha; run from the repository's root.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp tests/hatch/xlate/* "$scratch"
cd "$scratch"
alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax xlate.c -o xlate
same() { # TEST EXPECTED FOUND
    if [ -s "$2" ] && diff "$2" "$3" >difference 2>&1; then passed "xlate/$1"; else failed "xlate/$1" "not what the file has (<)" difference; fi
}
for copy in all sparse; do
    "$ATOMC" xlate xlate.inst.c xlate.anal.c --copy=$copy -o xlate.atom && "$QEMU" xlate.atom >found
    alpha-linux-gnu-readelf -SW xlate.atom | sed -n 's/.*\.atomc\.text *PROGBITS *0*\([0-9a-f]*\) [0-9a-f]* 0*\([0-9a-f]*\) .*/text \1 \2 0/p' >expected
    { echo "table 0 0 0" && echo "checked 1, wrong 0"; } >>expected
    grep -v -e ^entry -e '^[0-9]' found >b && same $copy/numbers expected b
    # The map's words, by original address; what is not copied is where it was.
    alpha-linux-gnu-objcopy -O binary --only-section=.atomc.map xlate.atom words
    begin=$((16#$(alpha-linux-gnu-readelf -SW xlate.atom | sed -n 's/.*\.atomc\.map *PROGBITS *\([0-9a-f]*\) .*/\1/p')))
    od -An -v -tx4 -w4 words | awk -v at=$((begin + (1 << 32))) '{ printf "%x %s\n", at, $1; at += 4 }' | sort >map
    sed -n 's/^entry //p' found | sort >entries
    join entries map | awk '{ sub(/^0*/, "", $3); print $1, $3 == "" || ($2 == $1 && length($2) > 8) ? $1 : $3 }' >expected
    same $copy/entries expected entries
    copied=$(awk '$1 != $2' entries | wc -l)
    all=$(wc -l <entries)
    if { [ $copy = all ] && [ "$copied" = "$all" ]; } || { [ $copy = sparse ] && [ "$copied" -gt 0 ] && [ "$copied" -lt "$all" ]; }; then
        passed "xlate/$copy/copied"
    else
        failed "xlate/$copy/copied" "$copied of $all procedures are in the copies"
    fi
done
exit "$((failures > 0))"
