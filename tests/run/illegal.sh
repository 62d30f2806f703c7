# illegal: the context of a handler for an invalid instruction, or a trap: the pc of the next instruction, even if a
# tool inserts code between them; whether the handler jumps away or returns, the code after it is counted exactly.
libraries=/usr/alpha-linux-gnu
for program in static dynamic; do
    $([ $program = static ] && echo alpha || echo shared) $program "$tests/data/illegal.c"
    for tool in prof audit values $([ $program = static ] && pick "" third || echo third) \
        $([ $program = static ] && echo cache || pick "" cache) \
        "audit --without=all" "values --call=wrapper"; do
        instrument "${tool// /}" -t $tool $program || true
    done
    for on in "" on; do
        ending expected -L $libraries -singlestep -0 tool -plugin "$oracle,out=oracle.txt,registers=on,cache=on" $program $on
        check "$program$on/signals" "[ \$(grep -c ': signal [458],' expected) = 11 ]" expected
        for tool in prof audit values third cache "audit --without=all" "values --call=wrapper"; do
            [ -e "${tool// /}" ] || continue
            rm -f ./*.out
            ending found -L $libraries -0 tool "${tool// /}" $on
            same "$program$on/${tool// /}" expected found
            case $tool in prof | audit)
                check "$program$on/$tool/counts" \
                    "bash '$tests/lib/counts.sh' $tool oracle.txt $tool.out $program '^(try[0-9]*|handle|main)\$'"
                ;;
            esac
        done
    done
    rm -f prof audit values third cache audit--without=all values--call=wrapper
done
