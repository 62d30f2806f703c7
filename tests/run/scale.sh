# scale: large programs behave as uninstrumented: generated programs of many MB of text, thousands of sections, huge
# bss; prof's count is the emulator's count. SCALE_KB: sizes of text in KB; the largest takes 4 GB of disk during the
# test.

# as_plain TEST [TOOL...]: the program `plain` under tools, which are words for atomc.
as_plain() {
    run_program expected program plain "" "" -plugin "$BUILD/bench/plugins/count.so,out=$scratch/count" --
    check "$1/plain" "[ \$(cat expected/status) = 0 ] && [ -s expected/stdout ]" expected/stderr
    for words in "${@:2}"; do
        tool=${words%% *}
        # shellcheck disable=SC2086 # several words
        instrument "$tool" -v -t $words plain || continue
        run_program found program "$tool" "" "" --
        same_results "$1/$tool" expected found "$tool.out" "$tool.out.lines"
        check "$1/$tool/written" "[ -s found/files/$tool.out ]" found/stderr
        [ "$tool" != prof ] ||
            check "$1/count" \
            "awk -F'\t' '/^0x/ { sum += \$2 } END { printf \"%.0f\\n\", sum }' found/files/prof.out | diff count -"
        echo "$1 $tool:" $(grep -e 'text bytes before' -e seconds "$tool.log")
    done
}

# as_laid_out TEST TOOL...: the output of tools is the same for all layouts of the additions, and with and without
# inlined calls. As usual: as as_plain has left it.
as_laid_out() {
    for words in "${@:2}"; do
        tool=${words%% *}
        for layout in usual large tight; do
            if [ $layout = usual ]; then
                mv "$tool" "$tool-usual" && mv "$tool.log" "$tool-usual.log" || continue 2
            else
                # shellcheck disable=SC2086 # several words
                instrument "$tool-$layout" -v --layout=$layout -t $words plain || continue 2
            fi
            run_program "found-$layout" program "$tool-$layout" "" "" --
            alpha-linux-gnu-readelf -SW "$tool-$layout" |
                grep -e ' [.]atomc[.]far ' -e ' [.]atomc[.]analysis[.]text ' >"sections-$layout"
            rm "$tool-$layout"
            places="00000000680*"
            [ $layout = usual ] || places="00000000800* 000000006d0*"
            check "$1/$tool/$layout/places" "[ \$(wc -l <sections-$layout) = $(wc -w <<<"$places") ]" "sections-$layout"
            for place in ${places//\*/}; do
                check "$1/$tool/$layout/$place" "grep -q ' $place' sections-$layout" "sections-$layout"
            done
        done
        check "$1/$tool/usual-calls" "grep -q 'calls inlined  *[1-9]' $tool-usual.log &&
            grep -q 'calls inlined  *[1-9]' $tool-large.log"
        check "$1/$tool/tight-calls" "grep -q 'calls inlined  *0' $tool-tight.log &&
            grep -q 'calls inserted  *[1-9]' $tool-tight.log"
        check "$1/$tool/large" "diff -r found-usual found-large"
        check "$1/$tool/tight" "diff -r found-usual found-tight"
    done
}

export GENERATED_FLAGS=-fPIC # as for peak, which uses the same module
for kilobytes in ${SCALE_KB:-$(pick 100 "1000 10000 100000")}; do
    "$top/tests/bench/generate.sh" "$kilobytes" plain
    as_plain "$kilobytes-KB" prof "cache -D lines=true" dtb third
    [ "$kilobytes" -gt 1000 ] || as_laid_out "$kilobytes-KB" "cache -D lines=true" dtb third
    rm -f prof cache dtb third
done

# ---- thousands of sections ----
sections=$(pick 1200 6000)
awk -v n="$sections" 'BEGIN {
    for (i = 0; i < n; i++)
        printf "__attribute__((section(\".text.part%d\"), noinline)) long part%d(long a) { return a * %d + %d; }\n", i, i, i % 7 + 3, i
    print "#include <stdio.h>\nint main(void) { long sum = 0;"
    for (i = 0; i < n; i++) printf "sum += part%d(sum & 1023);\n", i
    print "printf(\"%ld\\n\", sum); return 0; }"
}' >sections.c
alpha plain -O1 '-Wl,--unique=.text.part*' sections.c
check sections/number "[ \$(alpha-linux-gnu-readelf -hW plain | awk '/Number of section headers/ { print \$NF }') -ge $sections ]"
as_plain sections prof
check sections/headers "! alpha-linux-gnu-readelf -SW prof 2>&1 >/dev/null | grep ."

# ---- huge bss: the last segment is made longer. The linker has no room for it beside the C library's, which is addressed from $2
alpha small "$tests/data/bss.c"
last=$(alpha-linux-gnu-readelf -lW small | awk '/^  [A-Z_]+ .*0x/ { n++; if ($1 == "LOAD") last = n } END { print last - 1 }')
longer() { # GIGABYTES: the segment's size in memory
    cp small plain
    perl -e 'open F, "+<", "plain"; seek F, $ARGV[0], 0; print F pack "Q<", $ARGV[1]' $((64 + 56 * last + 40)) $(($1 << 30))
}
longer 8
tools=$(pick prof "prof cache")
as_plain bss-8-GB $tools
longer 70 # where the analysis side's heap is to be: that is said
for tool in $tools; do
    status=0
    "$ATOMC" -t $tool plain -o $tool >log 2>&1 || status=$?
    check bss-70-GB/$tool "[ $status = 1 ] && [ \$(wc -l <log) = 1 ] && grep heap log" log
done
