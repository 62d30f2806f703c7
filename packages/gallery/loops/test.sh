# The loops of main turn once for each word of the text, and once for each different one.
printf 'main\t%d\nmain\t%d\n' $((occurrences - 1)) $(($(sort -u text | wc -l) - 1)) >expected
tail -n +2 loops.out | cut -f 1,4 >found
same loops/loops expected found
check loops/entered "[ \"\$(tail -n +2 loops.out | cut -f 3 | sort -u)\" = 1 ]" loops.out
