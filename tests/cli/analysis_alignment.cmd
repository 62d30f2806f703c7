# any lines
# Sections that would make the linker write gigabytes, in an object and in an archive. What is aligned to 16 MB is linked.
section() { # BYTES FILE: a debug section with this alignment, written into its header: the assembler would fill the file
    printf '\t.section .debug_wide,"",@progbits\n\t.byte 1\n' | alpha-linux-gnu-as -o $2 -
    local headers number
    headers=$(alpha-linux-gnu-readelf -hW $2 | awk '/Start of section headers/ { print $5 }')
    number=$(alpha-linux-gnu-readelf -SW $2 | sed -n 's/^ *\[ *\([0-9]*\)\] \.debug_wide.*/\1/p')
    patch $2 $((headers + 64 * number + 48)) $1
}
section "00 00 00 80" wide.o && section "00 00 00 01" narrow.o && alpha-linux-gnu-ar rc wide.a wide.o && rm -f out
cp "$PROGRAM/prog" prog && echo 'tool t "t"' >t.atd && "$ATOMC" t.atd narrow.o prog -o out && rm out
"$ATOMC" t.atd wide.o wide.a prog -o out
