# Entries: executions of an instruction behind the procedure's first two, which a near call leaves out; calls: the stock tool's.
awk -F '\t' '$2 == 8 && $5 ~ /words.c$/ && $3 { print $4 "\t" $3 }' executed | sort >expected
tail -n +2 calls.out | sort >found
same calls/calls expected found
tail -n +2 edges.out >found
cut -f 1-3 callgraph.out | sort >pairs
check calls/edges "[ \$(wc -l <found) = 5 ] && sort found | comm -23 - pairs | grep -c . | grep -x 0" found
check calls/callers "[ \"\$(tail -n +2 callers.out | cut -f 1,3)\" = \"\$(printf 'insert\t%d' \$(sort -u text | wc -l))\" ]" callers.out
