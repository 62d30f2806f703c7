# atom_xlate: tables of instrumented addresses against REG_IPC at each instruction, readelf, and the map in the file.
. "$tests/lib/agree.sh"
cp "$tests"/atom/xlate/* .
alpha xlate xlate.c
section() { # NAME: address and size
    alpha-linux-gnu-readelf -SW xlate.atom | sed 's/^ *\[ *[0-9]*\] *//' |
        awk -v name="$1" '$1 == name { print $3, $5 }' | sed 's/\<0*//g'
}
for copy in all sparse; do
    instrument xlate.atom xlate xlate.inst.c xlate.anal.c --copy=$copy
    qemu xlate.atom >printed
    agree $copy/numbers <(printf '%s\n' "text $(section .atomc.text) 0" "table 0 0 0" "checked 1, wrong 0") \
        <(grep '^[tc]' printed)
    # The map's words are 4 GB below the instructions; instructions that are not copied keep their addresses.
    alpha-linux-gnu-objcopy -O binary --only-section=.atomc.map xlate.atom words
    od -An -v -tx4 -w4 words | awk -v at=$((16#$(section .atomc.map | cut -d" " -f1))) \
        '{ printf "1%08x %s\n", at, $1; at += 4 }' >map
    printed entry >entries
    among $copy/entries entries <(awk '{ sub(/^0*/, "", $2); print $1, $2 == "" ? $1 : $2 }' map)
    all=$(wc -l <entries) copied=$(awk '$1 != $2' entries | wc -l)
    check $copy/copied "[ $copied -gt 0 ] && $([ $copy = all ] && echo "[ $copied = $all ]" || echo "[ $copied -lt $all ]")"
done
