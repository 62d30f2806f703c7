# conventions: helpers in assembly that are called directly, by bsr or br with any link, may have any arguments, results
# and preserved registers: under each tool, and with dead registers overwritten, the program's behaviour is unchanged,
# and counts are the oracle's. SEEDS chooses among the random programs of tests/conventions: SEEDS="$(seq 20 60)"
# tests/runner.sh check conventions A dynamic program has less to instrument.
build=$(pick shared alpha)
export QEMU_LD_PREFIX=/usr/alpha-linux-gnu
$build by_hand -no-pie "$tests/data/helper_registers.c" -O1 -g
try() { # PROGRAM VARIANT
    local tool=${2%% *} test=$1/${2// /}
    instrument tool -t $2 "$1" || return 0
    rm -f ./*.out
    ending found -0 tool tool
    check "$test" "cmp expected found" <(diff expected found)
    case $tool in prof | branch | cache | audit)
        check "$test/counts" "bash '$tests/lib/counts.sh' $tool oracle.txt $tool.out $1 '^(main|[hw][0-9_a-z]*|by[0-9f].*|k.*)$'"
        ;;
    esac
}
variants=(prof "prof --poison" "prof --without=placement" branch pixie cache "cache --poison" values audit "audit --poison" \
    trace third hiprof "hiprof --call=wrapper")
for program in by_hand ${SEEDS:-$(pick "3 4 17" "$(seq 40)")}; do
    if [ $program != by_hand ]; then
        awk -v seed=$program -v out=program -f "$tests/conventions/helpers.awk" >program.s
        $build program-$program -no-pie program.c program.s -g
        program=program-$program
    fi
    cp $program orig # the program reads the length of its name
    ending expected -0 tool -singlestep -plugin "$oracle,out=oracle.txt,registers=on,cache=on" orig
    for variant in "${variants[@]}"; do
        # Each of the programs in some of the ways, and each way with one of the programs at least.
        [ "$SIZE" = all ] || [ $(((turn = ${turn:-0} + 1) % 3)) = 0 ] || continue
        try $program "$variant"
    done
done
