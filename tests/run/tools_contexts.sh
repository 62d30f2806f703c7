# tools_contexts: the tree of dynmem -D callers=N, against a program that follows its own calls and keeps accounts for
# each context (tests/tools/contexts.cc): blocks, bytes, freed bytes and bytes at the peak, in the program and in its
# child; and against the table of allocating calls.
contexts() { # TREE: those of the program's own calls: the lines of main, work and all below
    awk -F, 'NR > 1 { way[$1] = way[$2]; if ($4 ~ /contexts\.cc$/ &&
        $3 !~ /^(note|forget)$/) way[$1] = (way[$2] ? way[$2] "/" : "") $3 ":" $5
        if ($8 && $3 == "make") print way[$1], $8, $7, $9, $13 }' "$1" | totals
}
totals() { # rows of one name: calls of one line may be several instructions
    awk '{ names[$1]; for (i = 2; i <= 5; i++) sum[$1, i] += $i }
        END { for (name in names) print name, sum[name, 2], sum[name, 3], sum[name, 4], sum[name, 5] }' | sort
}
rounds=$(pick 20 60)
# shellcheck source=../lib/dynamic.sh
. "$tests/lib/dynamic.sh"
# With libraries, or without.
for kind in $(pick "alpha-O2" "shared-O2 alpha-O0 alpha-O2"); do
    "${kind%-*}" contexts "$tests/tools/contexts.cc" "-${kind#*-}" -g -pthread -DROUNDS="$rounds"
    instrument instrumented --objects=all -L "$libraries" -t dynmem -D callers=100 contexts
    rm -f dynmem.out*
    ATOMC_FORMAT=csv qemu -L "$libraries" ./instrumented >said
    for process in parent child; do
        number=$([ $process = parent ] || echo .1)
        sed -n "s/^$process //p" said | sort >expected
        contexts dynmem.out.tree"$number" >found
        same "$kind-$process" expected found
        # For each allocating call, the sums over its contexts; for all, the bytes at the peak.
        awk -F, 'NR > 2 && $4 > 0 { print $3, $4, $5, $6, $7, $8, $9 }' dynmem.out"$number" | sort >expected
        awk -F, 'NR > 1 && $8 { for (i = 7; i <= 12; i++) sum[$6, i] += $i; sites[$6] }
            END { for (s in sites) print s, sum[s, 8], sum[s, 7], sum[s, 10], sum[s, 9], sum[s, 12], sum[s, 11] }' \
            dynmem.out.tree"$number" | sort >found
        same "$kind-$process-sites" expected found
        check "$kind-$process-peak" "[ '$(awk -F, '$1 == "all" { print $10 }' dynmem.out"$number")' = \
            '$(awk -F, 'NR > 1 { sum += $13 } END { print sum }' dynmem.out.tree"$number")' ]"
    done
done

# Only the innermost calls: calls above them are combined in one node.
instrument instrumented -t dynmem -D callers=2 contexts
ATOMC_FORMAT=csv qemu instrumented >said
sed -n 's/^parent //p' said | sed -E 's|^[^ ]*/([^/ ]*/[^/ ]*/[^/ ]* )|\1|' | totals >expected
contexts dynmem.out.tree >found
same innermost expected found
check innermost-below \
    "awk -F, 'NR > 1 && \$2 == 0 && \$3 ~ /one_round|recurse|throws|jumps|make/ { print; bad = 1 } \$3 == \"...\" &&
        \$2 == 0 { below++ }
    END { exit bad || below != 1 }' dynmem.out.tree"

# Callers of planted places, as third shows them, and the text form.
alpha planted "$tests/third/callers_of_places.cc" -O0 -g -pthread
instrument instrumented -t dynmem -D callers=12 planted
qemu instrumented
prints text awk \
    'NR > 1 { call = substr($0, 69); match(call, /^ */); way[RLENGTH] = (RLENGTH ? way[RLENGTH - 2] : "") \
        (sub(/.*\.cc:/, "/", call) ? call : "")
    if (/make/) print $2, $3, $4, $5, way[RLENGTH] }' dynmem.out.tree <<'END'
60 3 0 60 /83/16/13
40 1 0 40 /93/39/13
30 1 0 30 /84/13
10 1 0 10 /81/13
3 1 3 0 /85/13
50 1 0 50 /72/13
END

# Without the parameter no calls are followed: no tree, and no more code.
instrument instrumented -t dynmem planted
rm -f dynmem.out*
qemu instrumented
check none "[ -s dynmem.out ] && [ ! -e dynmem.out.tree ]"
