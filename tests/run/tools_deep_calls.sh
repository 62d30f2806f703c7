# tools_deep_calls: hiprof's procedures and callgrind's file do not depend on the depth of the trees: recursion 300
# calls deep that is left by returns, longjmp and exceptions, with a handler, threads and a child of fork at that depth.
# Trees have the same sums; a line has the number.
own='^(even|odd|leaf|handler)$'
procedures() { # FILE: self, total, calls, name
    awk -v own="$own" '/^Thread/ { exit } $5 ~ own { print $2, $3, $4, $5 }' "$1" | sort
}
calls() { # FILE: of callgrind's: caller, callee, calls, total
    awk -v own="$own" '/^fn=/ { caller = substr($0, 4) } /^cfn=/ { callee = substr($0, 5) }
        /^calls=/ { split($0, part, /[= ]/); getline; if (caller ~ own) print caller, callee, part[2], $2 }' "$1" | sort
}
tree() { # FILE: self and calls by procedure; a row below (deeper) counts as the procedure's row
    awk -F'\t' -v own="$own" 'NR > 1 && $3 ~ own { self[$3] += $7; calls[$3] += $8 }
        END { for (n in self) print n, self[n], calls[n] }' "$1" | sort
}
for kind in plain threads; do
    if [ $kind = plain ]; then alpha plain "$tests/tools/deep_calls.cc" -pthread
    else shared threads "$tests/tools/deep_calls.cc" -pthread -DTHREADS; fi # the C++ library takes seconds to instrument
    for depth in 1000 $(pick "$([ $kind = plain ] && echo 7 || echo 1)" "100 7 1"); do
        instrument instrumented -t hiprof -D depth=$depth -D least=0 -D callgrind=true -D folded=true $kind || continue
        ATOMC_OUT=out-$depth qemu -L /usr/alpha-linux-gnu instrumented
        ATOMC_OUT=rows-$depth ATOMC_FORMAT=csv qemu -L /usr/alpha-linux-gnu instrumented 2>log-$depth
        for child in "" .1; do
            procedures "out-$depth/hiprof.out$child" && calls "out-$depth/hiprof.out.callgrind$child"
        done >found-$depth
        tree <(tr , '\t' <rows-$depth/hiprof.out.tree) >>found-$depth
        sed 's/.*;//' out-$depth/hiprof.out.folded | awk -v own="$own" \
            '$1 ~ own { sum[$1] += $2 } END { for (n in sum) print n, sum[n] }' |
            sort >>found-$depth
        [ $depth = 1000 ] || same $kind-$depth found-1000 found-$depth
        deeper=$(awk "/^Below .deeper/ { print \$4 }" out-$depth/hiprof.out)
        said=$(sed -n "s/^atomc: hiprof.out.tree has \([0-9]*\) calls.*/\1/p" log-$depth | tail -n 1) # the parent prints it last
        below=$(tr , "\t" <rows-$depth/hiprof.out.tree |
            awk -F"\t" "\$3 == \"(deeper)\" { deeper[\$1] } \$2 in deeper { sum += \$8 } END { print sum }")
        check $kind-$depth/line "[ \"$deeper\" = \"$below\" ] && [ \"$said\" = \"$below\" ] &&
            [ ${below:-0} $([ $depth = 1000 ] && echo = || echo -gt) 0 ]"
    done
done

# Each call is in the table, and its counts equal prof's.
alpha list "$tests/tools/deep_list.c" -O1
instrument instrumented -t hiprof -t prof list && prints list qemu instrumented <<<1564877321
awk -F"\t" '$4 == "hash" || $4 == "last" || $4 == "walk" { self[$4] += $2 } END { for (n in self) print self[n], n }' prof.out |
    sort >expected
check list/self "diff expected <(awk '/^Thread/ { exit } \$5 ~ /^(hash|last|walk)\$/ { print \$2, \$5 }' hiprof.out | sort)"
awk '/^Thread/ { exit } $5 ~ /^(hash|last|walk)$/ { print $5, $4 }' hiprof.out | sort >calls
prints list/calls cat calls <<END
hash 300
last 1
walk 301
END
