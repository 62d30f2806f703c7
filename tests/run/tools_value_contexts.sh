# tools_value_contexts: the tree of values -D callers=N, against a program that follows its own calls and prints each
# value (tests/tools/value_contexts.cc), in the program and in its child; and against the table of places.
contexts() { # TREE PROCEDURE: the program's own calls above it (the lines of main, work and all below), the value, how often
    awk -F, -v place="$2" 'NR > 1 && $3 !~ /^[^a-z=]*=/ { way[$1] = way[$2]
            if ($3 ~ /^(main|work|one_round|weigh|throws|jumps|handler)$/ &&
                !$4) way[$1] = (way[$2] ? way[$2] "/" : "") $3 ":" $6; is[$1] = $3 == place && $4 }
        $3 ~ /^[^a-z=]*=/ && is[$2] { sum[way[$2] " " $8] += $9 } END { for (key in sum) print key, sum[key] }' "$1" | sort
}
printed() { # PROCESS WHAT: the same as in tools_contexts
    awk -v process="$1" -v of="$2" '$1 == process && $2 == of { sum[$3 " " $4]++ }
        END { for (key in sum) print key, sum[key] }' said | sort
}
rounds=$(pick 8 40)
# shellcheck source=../lib/dynamic.sh
. "$tests/lib/dynamic.sh"
# With libraries, or without.
for kind in $(pick "alpha-O2" "shared-O2 alpha-O0 alpha-O2"); do
    "${kind%-*}" contexts "$tests/tools/value_contexts.cc" "-${kind#*-}" -g -pthread -DROUNDS="$rounds"
    while IFS='|' read -r what procedure options; do
        # shellcheck disable=SC2086 # one word for each option
        instrument instrumented --objects=all -L "$libraries" -t values -D callers=100 -D top=1000 -D \
            procedures="$procedure" $options contexts
        rm -f values.out*
        ATOMC_FORMAT=csv qemu -L "$libraries" ./instrumented >said
        for process in parent child; do
            number=$([ $process = parent ] || echo .1)
            printed $process "$what" >expected
            contexts values.out.tree"$number" "$procedure" >found
            same "$kind-$what-$process" expected found
            # For each place and value, the sum over its contexts; and for places whose values are not all shown.
            awk -F, 'NR > 1 { print $1, $7, $8 }' values.out"$number" | sort >expected
            awk -F, 'NR > 1 && $3 ~ /^[^a-z=]*=/ { sum[$7 " " $8] += $9 } END { for (key in sum) print key, sum[key] }' \
                values.out.tree"$number" | sort >found
            same "$kind-$what-$process-places" expected found
        done
    done <<'END'
argument|weigh|-D operand=argument
result|weigh|-D operand=result
stores|put|-D instructions=stl
END
done

# A place at which a call of the procedure by itself returns: 1 below four calls, 4 below one.
instrument instrumented -t values -D callers=100 -D procedures=again -D instructions=ldl contexts
ATOMC_FORMAT=csv qemu instrumented >said
awk -F, 'NR > 1 && $3 !~ /^[^a-z=]*=/ { depth[$1] = depth[$2] + ($3 == "again" && !$4) } $3 ~ /^[^a-z=]*=/ {
    print depth[$2], $8, $9 }' values.out.tree | sort >found
prints recursion cat found <<'END'
0 4 1
1 3 1
2 2 1
3 1 1
END

# The address that a procedure returns to, in a value, is that of the call above it in the tree.
instrument instrumented -t values -D callers=2 -D procedures=weigh -D instructions=ret -D operand=rb -D top=1000 contexts
ATOMC_FORMAT=csv qemu instrumented >said
check returns \
    "awk -F, 'function number(hex,   n, i) { for (i = 3; i <= length(hex); i++)
        n = 16 * n + index(\"0123456789abcdef\", substr(hex, i, 1)) - 1; return n }
    NR > 1 { pc[\$1] = \$7; above[\$1] = \$2 }
    \$3 ~ /^[^a-z=]*=/ { all++; if (\$8 - 4 != number(pc[above[\$2]])) { print; bad = 1 } } END { exit bad ||
        all < 10 }' values.out.tree"

# The innermost calls only, fewer values than there are, all places combined; the text form has the same sums.
instrument instrumented -t values -D callers=1 -D procedures=weigh -D operand=result -D top=1 -D together=true contexts
ATOMC_FORMAT=csv qemu instrumented >said
executed=$(grep -c '^parent result' said)
check innermost "[ '$executed' = \"\$(awk -F, 'NR > 1 { sum += \$9 } END { print sum }' values.out.tree)\" ] &&
    grep -q '^[0-9]*,1,\"\\?\\.\\.\\.\\|^1,0,\\.\\.\\.' values.out.tree &&
    awk -F, 'NR > 1 && \$3 == \"all\" { rest += \$9 } \$3 == \"all\" && \$10 > 1 { more++ } END { exit !(rest > 0 &&
    more > 0) }' values.out.tree"
qemu instrumented >said
check text "awk -v all='$executed' '\$NF == \"...\" && \$2 == all { whole++ } END { exit whole != 1 }' values.out.tree"

# Without the parameter no calls are followed: no tree.
instrument instrumented -t values contexts
rm -f values.out*
qemu instrumented >said
check none "[ -s values.out ] && [ ! -e values.out.tree ]"

# Among equally frequent values, the least are shown, even if they are found late.
cat >ties.c <<'CODE'
volatile long cell;
__attribute__((noinline)) void put(long value) {
    cell = value;
}
int main(void) {
    for (long value = 1000; value > 0; value--)
        put(value);
    return 0;
}
CODE
alpha ties ties.c -O2
instrument instrumented -t values -D procedures=put -D instructions=stq ties
ATOMC_FORMAT=csv qemu instrumented
awk -F, 'NR > 1 { print $5, $6, $7, $8 }' values.out >found
prints ties cat found <<'END_OF_TIES'
1000 1000 1 1
1000 1000 2 1
1000 1000 3 1
1000 1000 4 1
1000 1000 5 1
END_OF_TIES
