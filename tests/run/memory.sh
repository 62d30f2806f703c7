# memory: $memory against the program's own values: in readable pages and others, at faults, in all accesses.
cp "$tests"/memory/* .
for each in probes race faults; do
    alpha $each $each.c -pthread
done

# At chosen addresses: 186 reads in each thread, or in the only thread. Threads have no stack of the tool's own, and no
# direct calls.
for flags in "" --stack=own --copy=all --call=direct; do
    instrument instrumented $flags probes.atd probes
    for way in default:0 blocked:0 ignored:0 handled:0 default:3 blocked:3 ignored:3 handled:3; do
        case $way$flags in *:3--stack=own | *:3--call=direct) continue ;; esac
        times=$((${way#*:} ? ${way#*:} : 1)) blocked=$(case $way in blocked*) echo 1 ;; *) echo 0 ;; esac)
        looks=$((186 * times))
        ending found -0 program instrumented "${way%:*}" "${way#*:}"
        prints "probes-$way$flags" cat found <<END
0 faults, blocked $blocked $blocked
$looks looks, 0 wrong, 0 strange
Looked	One	Two	Four	Eight	Most	Chosen	Sum
$looks	$looks	$looks	$looks	$looks	0xfbf4ede6	$looks	$((times * 1954364))
From	Bytes
-9223372036854775808	0
0	$((times * 118))
1	0
2	0
exit status 0
END
    done
done

# At an address that another thread takes away.
instrument instrumented race.atd race
ending found instrumented 20000
printf 'done\nThere\tGone\tOther\n1\t1\t0\nexit status 0\n' | prints race cat found

# The next access is to fault: the program finds the same as without atomc; large values, the number of reads and their
# values are printed after it.
for flags in "" --stack=program --call=wrapper --copy=all; do
    instrument "faults$flags.atom" $flags faults.atd faults
done
large=$(((7 << 32) + 1000))
while read -r way row; do
    ending plain -0 program faults "$way"
    sed -i "/^qemu: /d" plain # of the emulator itself, in no order with the program's
    {
        sed '$d' plain
        printf 'large: %s\nInstruction\tLooks\tSeen\nldq\t%s\t%s\nstl\t%s\t%s\nldl\t3\t0\nlds\t3\t0\n' $row
        tail -n 1 plain
    } >expected
    for flags in "" --stack=program --call=wrapper --copy=all; do
        ending found -0 program "faults$flags.atom" "$way"
        sed -i "/^qemu: /d" found
        same "faults-$way$flags" expected found
    done
done <<END
blocked 0 1 0 1 3
default 0 1 0 1 3
handled $large 2 $((2 * large + 1000 + 232 + 1000)) 2 10
once $large 3 $((2 * large + 1000 + 232 + 1000)) 2 10
skips 1000 2 $((1000 + 232 + 1000 + 1000)) 3 $((3 + 17 + 17 + 34 * 256))
END

# The values of all loads and stores. Sums differ from run to run with the addresses in them, but two equal two others.
within=$(pick "^main|^count|^mem|alloc|write|xsputn" ".*")
check_accesses() { # TEST
    check "$1" "awk -F '\t' 'NR == 2 { good = \$1 > 20000 && \$5 > 20000 && \$3 \"\" == \$4 \"\" && \$8 \"\" == \$9 \"\" &&
        \$2 \$6 \$7 \$10 == \"0001\" } END { exit !good }' accesses.out" accesses.out
    rm -f accesses.out
}
for level in O0 "O2 -mcpu=ev56"; do
    alpha accesses accesses.c -$level -pthread
    ending plain -0 program accesses 30
    for flags in "" --stack=program --without=liveness --poison; do
        instrument instrumented $flags -D "within=$within" accesses.atd accesses
        ending found -0 program instrumented 30
        same "accesses-${level%% *}$flags-output" plain found
        check_accesses "accesses-${level%% *}$flags"
    done
done

# Between load-locked and store-conditional, alone and together with the other tool.
sum=$((1500 * 1499 / 2))
printf '%s\nTimes\tBefore\tFirst\tAfter\n1500\t%d\t%d\t%d\nexit status 0\n' "$(sed '$d' plain)" $sum \
    $sum $((sum + 1500)) >expected
for tools in "" "accesses.atd -D within=$within"; do
    instrument instrumented $tools locked.atd accesses
    ending found instrumented 30
    same "locked${tools:+-beside-accesses}" expected found
done
check_accesses accesses-beside-locked
"$ATOMC" locked_lost.atd accesses -o instrumented >log 2>&1 || true
lost="warning: 1 calls or updates are left out: between load-locked and store-conditional, and the value asked for is gone after it"
printf "locked_lost.atd:%s: $lost\n" 6:5 9:17 | prints lost sed -n 's/ (first at .*//p' log
