# any lines
# Sections that would make the linker write gigabytes, in an object and in an archive. What is aligned to 16 MB is linked.
section() { printf '\t.section .debug_wide,"",@progbits\n\t.p2align %d\n\t.byte 1\n' "$1" | alpha-linux-gnu-as -o $2 -; }
section 31 wide.o && section 24 narrow.o && alpha-linux-gnu-ar rc wide.a wide.o && rm -f out
cp "$PROGRAM/prog" prog && echo 'tool t "t"' >t.atd && "$ATOMC" t.atd narrow.o prog -o out && rm out
"$ATOMC" t.atd wide.o wide.a prog -o out
