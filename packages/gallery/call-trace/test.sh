# The same tree of words, made by awk: main, the calls of insert for each word, and collect in the order of the tree.
awk 'function collect(at) {
        depth++
        print depth, "collect"
        if (at in word) { collect(at "l"); collect(at "r") }
        depth--
    }
    BEGIN { print 1, "main"; depth = 1 }
    { at = ""; n = 2; print n, "insert"
        while ((at in word) && word[at] != $0) { at = at ($0 < word[at] ? "l" : "r"); print ++n, "insert" }
        word[at] = $0 }
    END { collect("") }' text >expected
first=$(awk 'NR == 1 { print $1 }' calltrace.out)
awk -v first="$first" '$2 != "compare" { print $1 - first + 1, $2 }' calltrace.out >found
same call-trace/calltrace expected found
check call-trace/indented "! awk '{ match(\$0, /[a-z]/); print RSTART - 5 - 2 * \$1 }' calltrace.out | grep -qvx 0" calltrace.out
check call-trace/compared "[ \$(grep -c compare calltrace.out) = \$(awk -F '\t' '\$1 == \"compare\" { print \$2 }' calls.out) ]" calltrace.out
