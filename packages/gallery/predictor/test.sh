# Executions of conditional branches.
branches=$(awk -F '\t' '$5 ~ /words.c$/ && $7 ~ /^f?b(eq|ne|l[bte]|lbc|lbs|g[te])$/ { sum += $3 } END { print sum }' executed)
check predictor/tournament "awk -F '\t' '/^total/ { exit !(\$3 == $branches && \$4 > 0 && \$4 < \$3) }' tournament.out" tournament.out
# tests/run/tournament.sh compares each branch with another model.
# A trace of the blocks: a branch goes another way if the next block is the next instruction, and was not before.
instrument traced.atom -t trace -D form=text words
ATOMC_OUT=predictor qemu traced.atom >trace.log
awk "$hexadecimal"'
    function place(text) { return number(text) - 4831838208 } # some awk round subscripts above 2^31
    FNR == 1 { file++ }
    file == 1 { if ($5 ~ /words.c$/ && $7 ~ /^f?b(eq|ne|l[bte]|lbc|lbs|g[te])$/) branch[place($1)]; next }
    $1 != "block" { next }
    { pc = place($2) }
    end in branch { executed++; way = pc == end + 4 ? "on" : "away"; changed += end in last && last[end] != way; last[end] = way }
    { end = pc + 4 * ($3 - 1) }
    END { print executed, changed }' FS='\t' executed FS=' ' predictor/trace.out >expected
awk -F '\t' '/^total/ { print $3, $5 }' transitions.out >found
same predictor/transitions expected found
