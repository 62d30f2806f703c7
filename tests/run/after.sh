# after: $addr after a load has the value that it had before the load, even if the load overwrites its own base
# register; and $old has the value of a register before the instruction; with threads, on the program's stack, in dead
# registers. With --strict no action may be omitted.
cp "$tests"/after/* .
echo 'local t, s = {}, 1 for i = 1, 20000 do t[i] = {i} s = s * 1.01 + i / 7 end print(#t, s)' >small.lua
while read -r each word tool flags; do
    use "$each" O2 large || continue # the tool's inputs are too large here
    for flag in "" $flags; do
        instrument "$tool" --strict $flag "$tool.atd" "$program"
        qemu "$tool" $word small.lua </dev/null >printed || true
        # Compared as text, because awk rounds large numbers. The third one is that of loads into their own base, or of
        # values that change.
        check "$tool/$each$flag" \
            "awk 'NR == 2 { good = \$1 \"\" == \$2 \"\" && \$1 != 0 && \$3 > 1000 } END { exit !good }' $tool.out" "$tool.out"
        rm -f "$tool.out"
    done
done <<END
bzip2 -c sum
lua -- sum
bzip2 -c old --without=liveness $(pick "" "--stack=program --stack=own")
lua -- old --stack=program $(pick "" "--without=liveness --stack=own")
pbzip2 -c old --stack=program --stack=own --without=liveness
END

# The address register of a load that faults, its stack pointer, and the address at which it continues; also with a
# moved stack pointer, as with threads when no register is free (here all registers are read).
alpha plain fault.c -g -O1 -pthread
qemu plain >expected
check fault-plain "grep 'stack kept' expected"
for flag in --without=liveness ""; do
    instrument fault --strict $flag --stack=program old.atd plain
    prints "fault$flag" qemu fault <expected
done

printf 'tool t\ncounter n\nfor i in insts where i.class == call { after i n += $old(i.ra) }\n' >call.atd
check old/call "! '$ATOMC' call.atd plain -o call >log 2>&1 &&
    grep \"error: '\\\$old' is for instructions that always continue with the next one, but at 0x\" log" log
