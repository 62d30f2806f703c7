# placement: derived counts equal the counts that would have been made, wherever signals interrupt the program; also
# entries that follow from callers' counts, and counts beside code that is not derived.

# twice.atd makes each count in two ways in the same run.
alpha interrupts "$tests/data/interrupts.c"
instrument twice -v "$tests/data/twice.atd" interrupts
derived=$(statistic twice.log "counter updates derived")
check derives "[ $derived -gt 50000 ] && [ $(statistic twice.log 'for derived counts') -lt $((derived / 3)) ]" twice.log

# sharing.atd does the same, and with each switch the reports are the same: recursive calls, mutual recursion, pointers
# and jumps, left by longjmp; by fork, abort and exit; faults before a call. The same in libraries, with faults there.
alpha static "$tests/data/sharing.c"
shared dynamic "$tests/data/sharing.c"
while IFS='|' read -r linked objects switches ways; do
    for switch in $switches; do
        instrument $linked$switch -v --objects=$objects ${switch#--default} "$tests/data/sharing.atd" $linked
        for way in $ways; do
            run_program $linked-$way$switch program $linked$switch "" "" -L "${LIBRARIES:-/usr/alpha-linux-gnu}" -- $way
            [ $switch = --default ] || same_results $linked-$way$switch $linked-$way$switch $linked-$way--default
        done
    done
    check $linked-shares "[ $(statistic $linked--default.log 'calls counted by callers') -gt 3000 ]" $linked--default.log
    for way in $ways; do
        check $linked-$way "grep '^leaf	[0-9]' $linked-$way--default/stdout && ! grep '^0x' $linked-$way--default/stdout"
    done
done <<'END'
static|main|--default --without=sharing --without=placement|calls exit fault
dynamic|all|--default --without=placement|fault
END
check static-shares-none "[ $(statistic static--without=sharing.log 'calls counted by callers') = 0 ]"

# The output has no count that differs: such a line begins with an address, or ends with both counts.
check_counts() { # TEST
    check "$1" "grep '^Blocks compared' printed && ! grep -e '^0x' -e '	.*[0-9]	[0-9]*\$' printed &&
        [ \$(tail -n 1 printed) -ge 1000 ]" printed
}
# Handlers that jump away or return at random moments; faults in the middle of blocks that are left by a jump, skipped,
# or corrected, a thousand nested in each other; ends by a fault.
for each in twice:jump twice:nest twice:fault twice:skip twice:mend twice:crash static--default:jump static--default:nest; do
    qemu "${each%:*}" "${each#*:}" $(pick 300 3000) >printed 2>/dev/null || true
    check_counts "$each"
    [ $each = twice:crash ] || check "$each-interrupted" "grep -x interrupted printed"
done
# Sums that are made at the beginning of their blocks, where a signal or a fault leaves these.
instrument early "$tests/data/early_sums.atd" interrupts
for each in jump nest fault skip mend crash; do
    qemu early $each $(pick 200 3000) >printed 2>/dev/null || true
    check_counts "early:$each"
done
# Sums that depend on values at run time, which differ between the handlers and the code that they interrupt.
instrument parted "$tests/data/parted_sums.atd" interrupts
for each in jump nest fault skip mend crash; do
    qemu parted $each $(pick 200 3000) >/dev/null 2>&1 || true
    cp parted_sums.differ printed
    check_counts "parted:$each"
done
# Each instruction there is counted once for each handler.
cat >once.atd <<'END'
tool once "instructions of look"
set own = inst i where i.proc.name == "look"
counter executed[own]
for i in own { before i executed[i]++ }
report "-" for i in own where executed[i] > 0 as executed[i]
END
for how in "" --without=placement; do
    # shellcheck disable=SC2086
    instrument once $how once.atd interrupts && qemu once mend >printed || true
    check "once$how" "[ \"\$(tail -n +2 printed | sort -u)\" = 1000 ]" printed
done
# Killed at random moments, by the hundredths of a second that it has taken (the 14th word).
for run in $(seq "$(pick 2 6)"); do
    for each in twice static--default; do
        "$QEMU" $each spin >printed 2>/dev/null &
        while :; do
            [ "$(cut -d " " -f 14 /proc/$!/stat)" -lt $((12 + 9 * run)) ] || break
            sleep 0.02
        done
        kill -TERM $! 2>/dev/null || true
        { wait $! || true; } 2>/dev/null
        check_counts "$each:killed-$run"
    done
done

# Beside histograms and a procedure that is replaced.
cp "$tests"/placement/* .
echo 'long double_it(long x) { return 2 * x; }' >double.c
alpha plain beside.c
instrument made --without=placement beside.atd plain
instrument derived -v beside.atd plain
for each in made derived; do
    run_program ran-$each program $each "" "" --
done
check beside "[ $(statistic derived.log 'counter updates derived') -gt 50000 ] && [ $(wc -l <ran-made/stdout) -gt 1000 ] &&
    [ $(head -n 1 ran-made/stdout) = 19800 ]" derived.log
same_results beside/results ran-made ran-derived
