# The total is changed at each word of the text.
check watch/watch "[ \"\$(tail -n +2 watch.out | cut -f 1,3)\" = \"\$(printf 'main\t%d' $occurrences)\" ]" watch.out
