# stacks: work on stacks in a large arena, after a large heap, deep, small, of a handler, and an exit there: the
# behaviour is unchanged, counts are right, and memory around the stacks is unchanged.
cp "$tests"/stacks/* .
alpha static program.c -fno-optimize-sibling-calls
shared dynamic program.c -fno-optimize-sibling-calls
alpha threads program.c -fno-optimize-sibling-calls -Wl,-u,pthread_create
for kind in static $(pick "" "dynamic threads"); do
    for tool in $(pick "" "prof audit") cache third calls.atd; do
        case $tool in *.atd) how= ;; *) how=-t ;; esac
        instrument "$kind-$tool" $how $tool $kind || continue
        for way in arena:3540 heap:3540 deep:2001 small:3540 handler:46500 exit:177; do
            [ -e "plain-$kind-$way" ] || ending "plain-$kind-$way" -s 600000000 -L /usr/alpha-linux-gnu $kind "${way%:*}"
            ending found -s 600000000 -L /usr/alpha-linux-gnu "$kind-$tool" "${way%:*}"
            same "$kind-$tool/${way%:*}" "plain-$kind-$way" found
            [ $tool != calls.atd ] || check "$kind-$tool/${way%:*}/calls" \
                "[ \$(cat entered) = ${way#*:} ] && [ \$(cat called) = ${way#*:} ]" called
        done
    done
done
