# No line is reported that was executed, and each procedure with a block that was not.
awk -F '\t' '$5 ~ /words.c$/ { n[$4 "\t" $6] += $3 } END { for (place in n) if (!n[place]) print place }' executed | sort >expected
tail -n +2 never.out | sort >found
check never/never "comm -23 found expected | grep -c . | grep -x 0 && { [ -s found ] || [ \$(cut -f 1 expected | grep -c .) = \$(wc -l <expected) ]; }" found
