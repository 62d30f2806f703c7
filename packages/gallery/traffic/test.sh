# Executions of loads and stores, by the bytes that each moves.
awk -F '\t' '$5 ~ /words.c$/ && $7 ~ /^(ld|st)/ && $7 !~ /^lda/ {
        bytes = $7 ~ /q/ ? 8 : $7 ~ /l(_|$)/ && $7 !~ /^ldbu/ ? 4 : $7 ~ /w/ ? 2 : 1
        if ($7 ~ /^ld/) loaded[$4] += bytes * $3; else stored[$4] += bytes * $3
        any[$4] }
    END { for (name in any) if (loaded[name] + stored[name]) print name "\t" loaded[name] + 0 "\t" stored[name] + 0 }' executed | sort >expected
tail -n +2 traffic.out | sort >found
same traffic/traffic expected found
stores=$(awk -F '\t' '$5 ~ /words.c$/ && $7 == "stq" { sum += $3 } END { print sum }' executed)
check traffic/silent "tail -n 1 silent.out | awk '{ exit !(\$1 == $stores && \$2 > 0 && \$2 < \$1) }'" silent.out
loads=$(awk -F '\t' '$5 ~ /words.c$/ && $4 == "insert" && $7 ~ /^ld/ && $7 !~ /^lda/ { sum += $3 } END { print sum }' executed)
check traffic/stride "tail -n 1 stride.out | awk '{ exit !(\$2 + \$3 == $loads) }'" stride.out
