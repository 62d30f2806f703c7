# no_stack: a program uses $30 as a general register, for numbers that are no addresses. Under each tool its output is
# the same as without; counts are the oracle's.
alpha-linux-gnu-gcc -mcpu=ev56 -static -nostdlib -Wl,--no-relax "$tests/data/no_stack.S" -o plain
ending expected -0 tool -singlestep -plugin "$oracle,out=oracle.txt,registers=on,cache=on" plain
check plain "[ \$(wc -c <expected) -gt 1984 ]"
for variant in empty prof branch cache values audit third hiprof trace "prof --without=liveness" "audit --without=liveness" \
    "branch --without=placement" "cache --call=wrapper" $(pick "" "args itb bbv memsys prof@--for=qemu gprof"); do
    variant=${variant//@/ }
    # shellcheck disable=SC2086
    instrument tool -t $variant plain || continue
    rm -f ./*.out
    ending found -0 tool tool
    check "${variant// /}" "cmp expected found" <(diff expected found)
    case ${variant%% *} in prof | branch | audit | cache)
        check "${variant// /}/counts" "bash '$tests/lib/counts.sh' ${variant%% *} oracle.txt ${variant%% *}.out plain"
        ;;
    esac
done

# The program's own first store to a full stack, at which inserted code has just raised $30 behind a spill: the fault is the
# program's, with its registers. (A fault of the spill's own store, below, makes spills near.)
alpha-linux-gnu-gcc -O1 -static -Wl,--no-relax "$tests/data/overflow_address.c" -o overflow
qemu-alpha overflow >expected
check overflow/plain "[ \$(grep -c '^overflow [0-9] at 0$' expected) = 3 ]" expected
echo 'tool unaligned counter n for i in insts where i.reads_memory or i.writes_memory {
    before i when $addr % i.size != 0 n++ } report "unaligned.out" "N" n' >unaligned.atd
for words in "-t values" "-t values --without=liveness" "unaligned.atd --without=liveness" \
    "-t prof --without=liveness --without=placement"; do
    # shellcheck disable=SC2086
    instrument tool $words overflow || continue
    qemu-alpha tool >found 2>/dev/null
    check "overflow/${words// /}" "cmp expected found" <(diff expected found)
done
