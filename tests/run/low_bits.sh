# low_bits: the machine ignores the two lowest bits of a jump's target, and so does a program under a tool; counts are
# the oracle's.
alpha static "$tests/data/low_bits.c" -g
shared dynamic "$tests/data/low_bits.c" -g
libraries=/usr/alpha-linux-gnu
for program in static dynamic; do
    cp $program orig
    ending expected -L $libraries -0 tool -singlestep -plugin "$oracle,out=oracle.txt,registers=on,cache=on" orig
    case $SIZE$program in # its C library is dear to instrument
    checkstatic) variants=("prof --without=placement" third) ;;
    *) variants=(empty prof "prof --without=placement" audit "audit --stack=program" third hiprof branch values) ;;
    esac
    for variant in "${variants[@]}"; do
        instrument tool -t $variant $([ "$SIZE $program $variant" != "check dynamic third" ] ||
            echo -D heap=false --objects=main) $program || continue
        rm -f ./*.out
        ending found -L $libraries -0 tool tool
        check "$program/${variant// /}" "cmp expected found" <(diff expected found)
        case ${variant%% *} in prof | branch)
            check "$program/${variant// /}/counts" \
                "bash '$tests/lib/counts.sh' ${variant%% *} oracle.txt ${variant%% *}.out $program '^(main|by_.*|callee)$'"
            ;;
        esac
    done
done
