# aarch64_runtime: the runtime for AArch64, without atomc: what it executes step by step, where routines return to, the
# kernel's structures, and a program with copies that are written by hand: its start, its system calls, signals, a fork, its
# end.
# size: quick
command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64 >/dev/null || {
    skipped all "no compiler, or no emulator, for AArch64"
    return
}
runtime=$BUILD/runtime-aarch64
cross() { # ARGUMENTS
    aarch64-linux-gnu-gcc -std=gnu11 -O2 -Wall -Wextra -Werror -DATOMC_AARCH64 -I"$top" -I"$BUILD/generated" "$@"
}

check structures "cross -c '$tests/aarch64/structures.c' -o structures.o"

cross -static "$tests/aarch64/stepping.c" "$runtime"/machine/aarch64/{stepping,primitives}.o -o steps
check stepping "timeout $RUN_TIMEOUT $QEMU_AARCH64 -cpu max steps $(pick 3000 100000) >printed &&
    grep -q '^[0-9]* groups, 0 different$' printed" printed
# Of words that are executed otherwise, sbc for adc, the results must differ.
sed 's/execute(&real, word)/execute(\&real, word ^ (g == 8) << 30)/' \
    "$tests/aarch64/stepping.c" >other.c
cross -static other.c "$runtime"/machine/aarch64/{stepping,primitives}.o -o other
check finds/stepping "! $QEMU_AARCH64 -cpu max other 100 >printed && grep -q '^adc' printed" printed

cross -static "$tests/aarch64/primitives.c" "$runtime"/machine/aarch64/primitives.o -o primitives
check primitives "timeout $RUN_TIMEOUT $QEMU_AARCH64 primitives >printed && [ \"\$(cat printed)\" = right ]" printed

# At each instruction of routines, the walk finds where they return to; without the change of the base after ldp it would not.
walk=("$runtime"/signals/returns.o "$runtime"/machine/aarch64/{code,stepping,primitives}.o)
cross -mgeneral-regs-only -static "$tests/aarch64/returns.c" "$runtime/machine/aarch64/effects.o" "${walk[@]}" -o returns
check returns "timeout $RUN_TIMEOUT $QEMU_AARCH64 returns >printed &&
    grep -q '^[1-9][0-9]* instructions, 0 without' printed" printed
sed 's/{FIRST, SECOND, CHANGES_AFTER}/{FIRST, SECOND, NOTHING}/' "$top/runtime/machine/aarch64/effects.c" >other.c
cross -mgeneral-regs-only -static "$tests/aarch64/returns.c" other.c "${walk[@]}" -o other
check finds/returns "! timeout $RUN_TIMEOUT $QEMU_AARCH64 other >printed 2>&1" printed

# The program is linked with the runtime as atomc links analysis routines; its text, its map and its copies are where atomc
# puts them.
aarch64-linux-gnu-gcc -c "$tests/aarch64/program.S" -o program.o
bytes() { # SECTION
    aarch64-linux-gnu-size -A program.o | awk -v section="$1" '$1 == section { print $2 }'
}
headers=9
for _ in twice as the number of headers is known afterwards; do
    cross -DPROGRAM_BYTES="$(bytes .program)" -DCOPIES_BYTES="$(bytes .copies)" -DHEADERS=$headers \
        -c "$tests/aarch64/image.c" -o image.o
    aarch64-linux-gnu-gcc -static -no-pie -Wl,-e,test_start -Wl,-Ttext-segment=0x68000000 \
        -Wl,--section-start=.program=0x400000,--section-start=.map=0x20400000,--section-start=.copies=0x40000000 \
        -Wl,--wrap=__register_frame_info -Wl,--wrap=__deregister_frame_info \
            "$BUILD/runtime/runtime-aarch64.o" program.o image.o -lm -o program
    now=$(aarch64-linux-gnu-readelf -hW program | awk '/Number of program headers/ { print $5 }')
    [ "$now" != $headers ] || break
    headers=$now
done
after='after 7: entries 1, loops counted, calls counted, alarms counted, at instructions, pc original'
printf '%s\n' begins handled alarmed faulted child "$after" parent "$after" >expected
for time in $(pick "1 2" "1 2 3 4 5 6 7 8 9 10"); do
    check "program/$time" "timeout $RUN_TIMEOUT $QEMU_AARCH64 program >printed; [ \$? = 3 ] && diff expected printed" printed
done
