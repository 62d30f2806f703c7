# faulting: if an instruction faults, or traps, and its handler continues elsewhere, the rest of the block is not
# counted, by any tool: the counts are the oracle's. docs/internals/engine/count.md, "Signals and threads".
. "$tests/lib/dynamic.sh"
. "$tests/lib/sums.sh"
sources=("$tests/data/faulting.c" "$tests/data/faulting.s" -g)
link_both faulting "${sources[@]}"
alpha faulting-static "${sources[@]}"
link_both threads "${sources[@]}" -pthread -DTHREADS
alpha threads-static "${sources[@]}" -pthread -DTHREADS

words='function loads(word, code) {
        code = int(word / 2 ^ 26)
        if (int(word / 2 ^ 21) % 32 == 31 && (code == 11 || (code >= 32 && code <= 35) || code == 40 || code == 41))
            return 0 # a prefetch
        return (code >= 10 && code <= 12) || (code >= 32 && code <= 35) || (code >= 40 && code <= 43)
    }
    function stores(word, code) {
        code = int(word / 2 ^ 26)
        return (code >= 13 && code <= 15) || (code >= 36 && code <= 39) || (code >= 44 && code <= 47)
    }'
# PC, executions, instructions, loads and stores of each block, by the oracle's executions of instructions:
# the blocks are the tool's.
of_blocks() { # FILE
    sort "$1" | awk -F'\t' "$hexadecimal$words"'FNR == NR { if (/^0x/) { first[++count] = $1 } next }
        /^0x/ {
            while (at < count && $1 >= first[at + 1]) at++
            sum[at] += $3
            if (loads(number($2))) loaded[at] += $3
            if (stores(number($2))) stored[at] += $3
            if ($1 == first[at]) entered[at] = $3
        }
        END { for (i = 1; i <= count; i++) print first[i] "\t" entered[i] + 0 "\t" sum[i] + 0 \
            "\t" loaded[i] + 0 "\t" stored[i] + 0 }' \
        - <(sort oracle.txt)
}
# Instructions, loads, stores and calls that were executed, by their words.
totals() {
    awk -F'\t' "$hexadecimal$words"'
        /^0x/ {
            word = number($2)
            code = int(word / 2 ^ 26)
            kind = int(word / 2 ^ 14) % 4
            executed += $3
            if (loads(word)) loaded += $3
            if (stores(word)) stored += $3
            if (code == 52 || (code == 26 && (kind == 1 || kind == 3))) calls += $3
        }
        END { print executed, loaded, stored, calls }' oracle.txt
}
# The lines of the program's own procedures, whose counts do not depend on when threads run.
own='^(loads|stores|begins|ends|floats|joins|traps|handle|run)$'
own_lines() {
    awk -v own="$own" "$hexadecimal"'
        FNR == NR { if ($4 == "FUNC" && $NF ~ own) { first[++count] = number($2); behind[count] = first[count] + $3 } next }
        /^0x/ { for (i = 1; i <= count; i++) if (number($1) >= first[i] && number($1) < behind[i]) print }' \
        <(alpha-linux-gnu-readelf -sW "$program") -
}

# compare_counts TEST TOOL: compares the tool's output in found/files with oracle.txt.
compare_counts() {
    local test=$1 tool=$2 output=found/files/$2.out
    case $tool in
    prof | branch | audit) check "$test/counts" "bash '$tests/lib/counts.sh' $tool oracle.txt $output $program" ;;
    cache) [ $linked != static ] || check "$test/counts" "bash '$tests/lib/counts.sh' $tool oracle.txt $output $program" ;;
    iprof)
        sed 's/^\(0x[^	]*	\)[^	]*	\([^	]*	\)[^	]*	/\1\2/' $output >iprof.out
        check "$test/counts" "bash '$tests/lib/counts.sh' prof oracle.txt iprof.out $program"
        ;;
    pixie) check "$test/counts" "sed 1d $output | cut -f 1-3 | sort | diff - <(of_blocks $output | cut -f 1-3)" ;;
    faulting_sums)
        check "$test/counts" "sed 1d $output | sort | diff - <(of_blocks $output | cut -f 1,3-5)"
        check "$test/read" "sed 1d found/files/$tool.all | diff - <(totals | awk '{ print \$1 \"\\t\" \$1 \"\\t\" 0 }')"
        ;;
    chosen_sums)
        check "$test/counts" "sed 1d $output | sort | diff - <(of_blocks $output | cut -f 1,3-5)"
        check_sums "$test/sums" found/files/$tool.differ
        ;;
    fraction_sums) check_sums "$test/sums" found/files/$tool.differ ;;
    coverage) # names by which lines are distinguished; the page has its counts in another way
        cut -f 1,2 $output.instructions | grep ^0x | sort >found.instructions
        grep ^0x oracle.txt | cut -f 1,3 | sort | join -a 1 -e 0 -o 0,2.2 <(cut -f 1 found.instructions) - |
            tr " " "\t" >expected.instructions
        same "$test/counts" expected.instructions found.instructions
        check "$test/lines" "[ \$(grep -c . found.instructions) -gt 80 ]"
        ;;
    dyninst) check "$test/counts" "awk -F'\t' '\$1 == \"total\" { print \$3, \$4, \$5, \$6 }' $output | diff - <(totals)" ;;
    esac
}

for linked in static $(pick dynamic "dynamic pie"); do
    # ---- each tool, its sums derived; then where they are made ----
    target faulting faulting-$linked "$(pick 200 2000)"
    live plain "$program"
    count_with_oracle counted oracle.txt -L "$libraries"
    same_results "$linked/oracle" plain counted
    for each in prof branch pixie iprof dyninst coverage faulting_sums "prof --without=placement" "dyninst --without=placement" \
        "faulting_sums --call=wrapper" chosen_sums fraction_sums \
        $(pick "" "chosen_sums--without=all chosen_sums--call=wrapper chosen_sums--copy=all \
        chosen_sums--without=placement fraction_sums--without=all fraction_sums--without=placement cache audit third faulting_sums--without=all pixie--without=placement"); do
        # In a static program some tools count in the C library, too: make check has the other tools in the dynamic
        # program.
        case $(pick $linked all):$each in static:iprof | static:pixie | static:*_sums* | static:dyninst\ *) [ "$each" = \
            faulting_sums ] || continue ;; esac
        tool=${each%%[ -]*}
        what=($(sed 's/ *--/ --/g' <<<"$each"))
        case $tool in
        faulting_sums | chosen_sums | fraction_sums) what[0]=$tests/data/$tool.atd ;;
        *) what=(-t "${what[@]}") ;;
        esac
        [ "$tool" != coverage ] || what+=(-D tables=true)
        instrument "$tool.program" "${what[@]}" "$program" || continue
        live found "$tool.program"
        same_results "$linked/${each// /}" plain found "$tool.*"
        compare_counts "$linked/${each// /}" "$tool"
    done

    # ---- the process ends by a fault in the middle of a block: derived, or made where they are, the same ----
    arguments+=(last)
    live plain "$program"
    check "$linked/ends" "[ \$(cat plain/status) = 139 ]"
    for switch in promotion placement; do
        instrument "$switch" --without=$switch -t dyninst -D top=1000000 "$program"
        live "$switch.found" "$switch"
        same_results "$linked/ends/$switch" plain "$switch.found" "dyninst.*"
    done
    same "$linked/ends/counts" promotion.found/files/dyninst.out placement.found/files/dyninst.out

    # ---- in threads, beside routines that are called: counts in place --------------------
    target threads threads-$linked "$(pick 100 1000)"
    live plain "$program"
    count_with_oracle counted oracle.txt -L "$libraries"
    same_results "$linked/threads/oracle" plain counted
    for each in "" $(pick "" "--without=all"); do
        instrument threads.program $each "$tests/data/parted_sums.atd" "$program" || continue
        live found threads.program
        same_results "$linked/threads/parted_sums$each" plain found "parted_sums.*"
        check_sums "$linked/threads/sums$each" found/files/parted_sums.differ
    done
    # In counters with keys; one of them exceeds its limit.
    normalise() { sed "/^atomc: 'limited' has its limit of 1 keys/d" "$1"; }
    for each in "" $(pick "" "--without=all --without=placement --copy=all"); do
        instrument threads.program $each "$tests/data/keyed_sums.atd" "$program" || continue
        live found threads.program
        same_results "$linked/threads/keyed_sums$each" plain found "keyed_sums.*"
        check_keys "$linked/threads/keys$each" found/files
    done
    unset -f normalise

    # More sums than fit into a byte, or where the thread's records are, in each block.
    for count in 300 $(pick "" 4500); do
        write_many_sums $count
        instrument threads.program many_sums$count.atd "$program" || continue
        live found threads.program
        same_results "$linked/threads/many_sums$count" plain found "many_sums.*"
        check_sums "$linked/threads/many$count" found/files/many_sums.differ
    done
    for each in $([ "$(pick $linked all)" = static ] || echo "prof_-t_cache_-t_pixie") $([ "$(pick $linked all)" = dynamic ] || echo "prof_-t_cache") $(pick "" "prof-t"); do
        each=${each//_/ }
        instrument threads.program -t ${each/prof-t/prof -t cache --without=all} "$program" || continue
        live found threads.program
        same_results "$linked/threads/${each// /}" plain found "*.out"
        check "$linked/threads/${each// /}/counts" \
            "bash '$tests/lib/counts.sh' prof oracle.txt found/files/prof.out $program '$own'"
        [ "${each%pixie}" = "$each" ] || check "$linked/threads/blocks" \
            "own_lines <found/files/pixie.out | cut -f 1-3 | sort |
                diff - <(of_blocks found/files/pixie.out | own_lines | cut -f 1-3)"
    done
done
