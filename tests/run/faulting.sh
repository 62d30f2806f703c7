# faulting: where an instruction faults, and its handler goes on elsewhere, what is behind it in the block is not counted, by
# any tool: the counts are the oracle's. docs/engine/count.md, "Signals and threads".
. "$tests/lib/dynamic.sh"
link_both faulting "$tests/data/faulting.c" "$tests/data/faulting.s" -g
alpha faulting-static "$tests/data/faulting.c" "$tests/data/faulting.s" -g

# PC, executions and instructions of each block, by the oracle's executions of instructions: the blocks are the tool's.
of_blocks() { # PIXIE
    sort "$1" | awk -F'\t' 'FNR == NR { if (/^0x/) { first[++count] = $1 } next }
        /^0x/ { while (at < count && $1 >= first[at + 1]) at++; sum[at] += $3; if ($1 == first[at]) entered[at] = $3 }
        END { for (i = 1; i <= count; i++) print first[i] "\t" entered[i] + 0 "\t" sum[i] + 0 }' - <(sort oracle.txt)
}
# Instructions, loads, stores and calls that were executed, by their words.
totals() {
    awk -F'\t' "$hexadecimal"'
        /^0x/ {
            word = number($2)
            code = int(word / 2 ^ 26)
            kind = int(word / 2 ^ 14) % 4
            executed += $3
            if ((code >= 10 && code <= 12) || (code >= 32 && code <= 35) || (code >= 40 && code <= 43)) loads += $3
            if ((code >= 13 && code <= 15) || (code >= 36 && code <= 39) || (code >= 44 && code <= 47)) stores += $3
            if (code == 52 || (code == 26 && (kind == 1 || kind == 3))) calls += $3
            if (int(word / 2 ^ 21) % 32 == 31 && (code == 11 || (code >= 32 && code <= 35) || code == 40 || code == 41))
                loads -= $3 # a prefetch
        }
        END { print executed, loads, stores, calls }' oracle.txt
}
for linked in static $(pick dynamic "dynamic pie"); do
    target faulting faulting-$linked "$(pick 200 2000)"
    live plain "$program"
    count_with_oracle counted oracle.txt -L "$libraries"
    same_results "$linked/oracle" plain counted
    for tool in prof branch pixie iprof dyninst coverage $(pick "" "cache audit third"); do
        options=
        [ $tool != coverage ] || options="-D tables=true"
        # shellcheck disable=SC2086
        instrument "$tool.program" -t "$tool" $options "$program" || continue
        live found "$tool.program"
        same_results "$linked/$tool" plain found "$tool.*"
        output=found/files/$tool.out
        case $tool in
        prof | branch | audit) check "$linked/$tool/counts" "bash '$tests/lib/counts.sh' $tool oracle.txt $output $program" ;;
        cache) [ $linked != static ] || check "$linked/$tool/counts" "bash '$tests/lib/counts.sh' $tool oracle.txt $output $program" ;;
        iprof)
            sed 's/^\(0x[^	]*	\)[^	]*	\([^	]*	\)[^	]*	/\1\2/' $output >iprof.out
            check "$linked/$tool/counts" "bash '$tests/lib/counts.sh' prof oracle.txt iprof.out $program"
            ;;
        pixie) check "$linked/$tool/counts" "sed 1d $output | cut -f 1-3 | sort | diff - <(of_blocks $output)" ;;
        coverage) # what lines are told from; the page has its counts by another way
            cut -f 1,2 $output.instructions | grep ^0x | sort >found.instructions
            grep ^0x oracle.txt | cut -f 1,3 | sort | join -a 1 -e 0 -o 0,2.2 <(cut -f 1 found.instructions) - | tr " " "\t" >expected.instructions
            same "$linked/$tool/counts" expected.instructions found.instructions
            check "$linked/$tool/lines" "[ \$(grep -c . found.instructions) -gt 80 ]"
            ;;
        dyninst) check "$linked/$tool/counts" "awk -F'\t' '\$1 == \"total\" { print \$3, \$4, \$5, \$6 }' $output | diff - <(totals)" ;;
        esac
    done
done
