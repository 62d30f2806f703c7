# tools_examples: the stock tools on small programs with known results; and other programs that read the tools' files:
# callgrind_annotate, cg_annotate, genhtml, dot.
. "$tests/lib/tools.sh"

# small SOURCE ATOMC_OPTION...: the C program with the tools behaves as without them; false, and reported, if not.
small() {
    local name=${1##*/}
    name=${name%.c}
    cp "$1" .
    alpha "$name" -g "$name.c" && instrument "$name.atom" "${@:2}" "$name" || return 1
    ending plain "./$name"
    ending said "./$name.atom"
    check "$name/same" "diff plain said"
}

# Threads are distinguished: each of the example's four calls adds 10000 times, through its own stack.
if small "$top/docs/examples/threads.c" -t hiprof -D folded=true -D least=0; then
    agree hiprof/threads <(printf "10000\n%.0s" 1 2 3 4) \
        <(awk '/^Thread/ { tree = 1 } tree && $5 == "add" { print $4 }' hiprof.out)
    agree hiprof/threads/stacks <(echo 5) <(cut -d';' -f1 hiprof.out.folded | sort -u | wc -l)
fi

# Procedures that call through pointers, and procedures that only the kernel calls.
if small "$tests/tools/callers.c" -t gprof -t callgraph; then
    {
        printf 'arc\t%s\t%s\t%s\n' '<spontaneous>' handle 7 main tail 300
        for i in {0..19}; do
            printf 'arc\tmain\twork_%s\t%s\n' $i $((100 + (i < 4 ? 500 : 0)))
            [ $i -ge 3 ] || printf 'arc\ttail\twork_%s\t100\n' $i
        done
    } | sort >arcs
    agree gprof/callers arcs <(awk -f "$tests/tools/gprof.awk" gprof.out | cut -f1-4 |
        grep -E '^arc.*	(work_[0-9]*|tail|handle)	' | sort)
    agree callgraph/callers <(grep -v spontaneous arcs | cut -f2- | sort) \
        <(cut -f1-3 callgraph.out | grep -E '	(work_[0-9]*|tail|handle)	' | sort)
fi

if small "$top/docs/examples/queens.c" -t gprof -D callgrind=true -t hiprof -D callgrind=true -t callgraph -D dot=true; then
    # The sums in callgrind_annotate equal the profile's: for hiprof including callees; for gprof except main, because
    # its callees have other callers, too.
    for tool in gprof hiprof; do
        callgrind_annotate --inclusive=yes --threshold=100 $tool.out.callgrind 2>&1 |
            sed -n 's/,//g; s/^ *\([0-9]*\) ([^)]*).*:\(main\|place\|is_safe\)\( .*\)*$/\2 \1/p' | sort -u >$tool.sums
    done
    # GCC 14's code is shorter
    if [ -z "$elsewhere" ]; then own=27276 all=41689 main=43058; else own=26534 all=40947 main=42252; fi
    agree gprof/callgrind_annotate <(printf '%s\n' "is_safe $own" "place $all") <(grep -v main gprof.sums)
    agree hiprof/callgrind_annotate <(printf '%s\n' "is_safe $own" "main $main" "place $all") hiprof.sums
    # Each arc once, with its calls, in the form that dot reads.
    sed -e 1d -e '/^total/d' callgraph.out | awk -F'\t' '{ print $1, $2, $3 }' | sort >arcs
    agree callgraph/arcs arcs <(sed -n 's/^ *"\(.*\)" -> "\(.*\)" \[label=\([0-9]*\)\];$/\1 \2 \3/p' callgraph.out.dot | sort)
    if command -v dot >/dev/null; then
        agree callgraph/dot arcs <(dot -Tplain callgraph.out.dot | tr -d '"' |
            awk '$1 == "edge" { print $2, $3, $(5 + 2 * $4) }' | sort)
    fi
fi

if small "$top/docs/examples/primes.c" -t cache -D cachegrind=true -D size2=65536 -t coverage; then
    cg_annotate cache.out.cachegrind >annotated 2>&1 || true
    agree cache/cg_annotate <(awk '$1 == "L1" { print $5, $6, $7, $8 }' cache.out) \
        <(sed -n 's/ ([^)]*)//g; s/,//g; s/ *PROGRAM TOTALS//p' annotated | awk '{ print $1, $2, $4, $5 }')
    # genhtml shows the source with the counts.
    genhtml --branch-coverage coverage.out -o pages >log 2>&1 || true
    agree coverage/genhtml <(sed -n 's/^DA://p' coverage.out | tr , ' ' | sort -n) \
        <(find pages -name 'primes.c.gcov.html' -exec cat {} + | sed 's/<[^>]*>/ /g' |
            sed -n 's/^ *\([0-9]*\) .*: *\([0-9][0-9]*\) : .*/\1 \2/p' | sort -n)
fi

# Lines with code of inlined functions are executed as often as the source shows, at any level; lines that are never
# executed have 0.
for level in -O1 -O2 -O3; do
    alpha-linux-gnu-g++ "$level" -g -static -Wl,--no-relax "$tests/tools/inlined.cc" -o inlined &&
        instrument inlined.atom -t coverage -D 'source=*inlined.cc' inlined || continue
    rm -f coverage.out
    qemu inlined.atom
    sed -n 's/^DA:\(.*\),\(.*\)/\1 \2/p' coverage.out | sort >found
    agree "coverage/inlined$level" <(awk 'NF > 1 && $(NF - 1) == "//" && $NF ~ /^[0-9]+$/ { print NR, $NF }' \
        "$tests/tools/inlined.cc") \
        <(awk 'NR == FNR { if (NF > 1 && $(NF - 1) == "//" && $NF ~ /^[0-9]+$/) wanted[FNR]; next } $1 in wanted' \
        "$tests/tools/inlined.cc" found | sort -n)
done

# Loads that fault: the handler finds the values that the program needs, and maps memory; with each way of keeping
# registers, and all counts equal the oracle's. Loads that always fault are missing in the oracle's counts. If a flag
# disables a pass, audit reads only registers, which takes half the time, because passes concern registers.
audit_with() { # FLAG
    echo "-t audit $1 ${1:+-D repeated=false}"
}
alpha faults -g "$tests/tools/faults.c" "$tests/tools/faults.S"
ending plain ./faults
ending counted -singlestep -plugin "$oracle,out=faults.oracle,registers=on" ./faults
same audit/faults/oracle plain counted
audited faults.oracle >expected
for flag in "" --without=observations --without=scavenging --without=placement --poison --stack=program; do
    instrument faults.audit $(audit_with "$flag") faults || continue
    ending found ./faults.audit
    same "audit/faults$flag/same" plain found
    awk -F'\t' '$(NF - 2) == "loads"' audit.out | cut -f1-3 | sort | join -t$'\t' expected - >both
    agree "audit/faults$flag" <(cut -f1-3 both) <(cut -f1,4,5 both)
done
# Registers that the program no longer needs: sites read their values much later, and they equal the oracle's.
alpha aside "$tests/tools/aside.c"
ending plain ./aside
ending counted -singlestep -plugin "$oracle,out=aside.oracle,registers=on" ./aside
same audit/aside/oracle plain counted
audited aside.oracle >expected
for flag in "" --without=set-aside --poison --stack=program; do
    instrument aside.audit $(audit_with "$flag") aside || continue
    ending found ./aside.audit
    same "audit/aside$flag/same" plain found
    awk -F'\t' '$(NF - 2) ~ /^(hold|again|pass)$/' audit.out | cut -f1-3 | sort | join -t$'\t' expected - >both
    check "audit/aside$flag/all" "[ \$(wc -l <both) = 9 ]" both
    agree "audit/aside$flag" <(cut -f1-3 both) <(cut -f1,4,5 both)
done
# Temporary registers that belong to a context: code that switches contexts stores and restores registers that callers
# need not preserve.
alpha switched "$tests/data/contexts_registers.c"
ending plain -0 tool ./switched
ending counted -0 tool -singlestep -plugin "$oracle,out=switched.oracle,registers=on,cache=on" ./switched
same audit/switched/oracle plain counted
for flag in "" --without=set-aside --poison; do
    instrument switched.audit $(audit_with "$flag") switched || continue
    ending found -0 tool ./switched.audit
    same "audit/switched$flag/same" plain found
    check "audit/switched$flag" \
        "bash '$tests/lib/counts.sh' audit switched.oracle audit.out switched '^(main|load|other|switch_to)\$'"
done
# Sites that a parameter excludes cost nothing: no site of a store is left.
"$ATOMC" --dump=sites -t audit faults >sites
check audit/stores "grep -q redundant sites && ! grep -e silent -e stored sites"
