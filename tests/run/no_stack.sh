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
