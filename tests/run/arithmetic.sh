# arithmetic: jumps whose targets are computed from the program counter or a return address go where they go,
# and are counted exactly.
alpha static "$tests/data/arithmetic.c" "$tests/data/arithmetic.s"
shared dynamic "$tests/data/arithmetic.c" "$tests/data/arithmetic.s"
libraries=/usr/alpha-linux-gnu
own='^(behind_call|through_27|by_return|by_call|elsewhere|row|behind_caller|choose|called|behind_a_call|main)$'
for program in static dynamic; do
    ending expected -L "$libraries" -singlestep -plugin "$oracle,out=oracle-$program.txt,registers=on,cache=on" $program
    for tool in prof "prof --without=placement" cache audit third $(pick "" "empty branch values"); do
        instrument tool -t $tool $program || continue
        ending found -L "$libraries" tool
        check "$program/${tool// /}" "diff expected found"
        [ "${tool%% *}" != prof ] ||
            check "$program/${tool// /}/counts" "bash '$tests/lib/counts.sh' prof oracle-$program.txt prof.out $program '$own'"
    done
done
