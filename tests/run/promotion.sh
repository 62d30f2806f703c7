#!/bin/bash
# promotion.sh: counts that loops keep in registers are those that would have been made in memory, wherever signals interrupt them.
# Requires: atomc (ATOMC), the Alpha cross compiler, qemu-alpha with the oracle; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
oracle=$BUILD/tests/oracle.so
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

promoted_in() { # STATISTICS
    sed -n 's/^      in registers *//p' "$1"
}
cat >"$scratch/each.atd" <<'END'
tool each "how often each instruction is executed"
counter executed[insts]
for i in insts { before i executed[i]++ }
report "-" for i in insts where executed[i] > 0 "PC" hex i.pc, "Executed" executed[i]
END

alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax tests/data/loops.c -o "$scratch/plain"
"$ATOMC" -v "$scratch/each.atd" "$scratch/plain" -o "$scratch/registers" >"$scratch/statistics"
"$ATOMC" --dump=map "$scratch/each.atd" "$scratch/plain" -o "$scratch/registers" >"$scratch/map"
"$ATOMC" --dump=code "$scratch/each.atd" "$scratch/plain" -o "$scratch/registers" >"$scratch/code"
"$ATOMC" -v --no-promotion "$scratch/each.atd" "$scratch/plain" -o "$scratch/memory" >"$scratch/memory.statistics"
"$ATOMC" --no-placement "$scratch/each.atd" "$scratch/plain" -o "$scratch/made" >"$scratch/log"
# ldah, ldq, addq, stq: a register is added to a cell, at each way out of a loop
added=$(sed -n '/^circle\.atom:/,/^$/p' "$scratch/code" |
    awk '$3 == "ldah" { at = NR } $3 == "addq" && NR == at + 2 { n++ } END { print n + 0 }')
if [ "$(promoted_in "$scratch/statistics")" -gt 300 ] && [ "$(promoted_in "$scratch/memory.statistics")" = 0 ] && [ "$added" -ge 3 ]; then
    passed promotion/promotes
else
    failed promotion/promotes "$(promoted_in "$scratch/statistics") counts in registers, without $(promoted_in "$scratch/memory.statistics"); $added added" \
        "$scratch/statistics"
fi

# The loops' addresses, all of nine digits.
read -r begin end < <(alpha-linux-gnu-nm -S "$scratch/plain" |
    awk '$4 == "circle" { print $1, $2 }' |
    { read -r first size && printf '0x%x 0x%x\n' "0x$first" $((0x$first + 0x$size)); })
# Prints by how much the counts of the loops in $scratch/printed differ from the executions in $scratch/executed, and how many there are.
compare_executions() {
    awk -F '\t' -v begin="$begin" -v end="$end" -v map="$scratch/map" -v printed="$scratch/printed" '
        BEGIN {
            while ((getline line <map) > 0) { split(line, word, " "); of[word[1]] = word[2] }
            while ((getline line <printed) > 0) if (split(line, word, "\t") == 2) counted[word[1]] = word[2]
        }
        /^0x/ && $1 in of && $3 > 0 && of[$1] >= begin && of[$1] < end {
            compared++
            apart = counted[of[$1]] - $3
            if (apart) print of[$1], "counted", counted[of[$1]] + 0, "executed", $3 >"/dev/stderr"
            differ += apart < 0 ? -apart : apart
        }
        END { print differ + 0, compared + 0 }' "$scratch/executed"
}

# Handlers that jump away, come back or end the program at random moments, anywhere in the loops and on their ways in and
# out: each instruction is counted as often as its copy is executed. Instruction by instruction a signal can come between the
# count that is made there and what it counts: then one more is counted, with and without registers.
for way in jump nest leave; do
    for step in "" -singlestep; do
        # shellcheck disable=SC2086
        timeout -s KILL 100 "$QEMU" $step -plugin "$oracle,out=$scratch/executed" "$scratch/registers" "$way" 2 >"$scratch/printed" 2>&1 || true
        read -r differ compared < <(compare_executions 2>"$scratch/found")
        jumps=$(sed -n 's/^interrupted //p' "$scratch/printed")
        allowed=0
        [ -z "$step" ] || allowed=$((jumps / 8 + 2))
        if [ "${jumps:-0}" -ge 1 ] && [ "$compared" -gt 40 ] && [ "$differ" -le $allowed ]; then
            passed "promotion/$way$step"
        else
            failed "promotion/$way$step" "counts that are no executions: $differ, interrupted ${jumps:-never}" "$scratch/found"
        fi
    done
done

# Faults inside of loops, left by a jump, stepped over, or the end: the same as counts made where they stand.
for way in fault skip crash; do
    for made in registers memory made; do
        cp "$scratch/$made" "$scratch/loops"
        { timeout -s KILL 60 "$QEMU" "$scratch/loops" "$way" >"$scratch/$made.printed" 2>/dev/null || true; } 2>/dev/null
    done
    if [ "$(wc -l <"$scratch/made.printed")" -gt 300 ] && cmp -s "$scratch/made.printed" "$scratch/memory.printed" &&
        cmp -s "$scratch/made.printed" "$scratch/registers.printed"; then
        passed "promotion/$way"
    else
        diff "$scratch/made.printed" "$scratch/registers.printed" >"$scratch/difference" || true
        failed "promotion/$way" "not the counts made where they stand" "$scratch/difference"
    fi
done
