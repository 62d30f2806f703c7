#!/bin/bash
# threads.sh: counts are derived in programs with threads too, wherever these are when one of them ends the program, or forks.
# Requires: atomc (ATOMC), the Alpha cross compiler, qemu-alpha with the oracle; run from the repository's root.
# RUNS: how often each end is tried.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
runs=${RUNS:-2} oracle=$BUILD/tests/oracle.so
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
ulimit -c 0
alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax -pthread tests/data/threads_stop.c -o "$scratch/plain"

cat >"$scratch/each.atd" <<'END'
tool each "how often each instruction is executed"
counter executed[insts]
for i in insts { before i executed[i]++ }
report "-" for i in insts where executed[i] > 0 "PC" hex i.pc, "Executed" executed[i]
END
"$ATOMC" -v "$scratch/each.atd" "$scratch/plain" -o "$scratch/derived" >"$scratch/statistics"
"$ATOMC" --dump=map "$scratch/each.atd" "$scratch/plain" -o "$scratch/derived" >"$scratch/map"
"$ATOMC" --no-promotion "$scratch/each.atd" "$scratch/plain" -o "$scratch/memory" >"$scratch/log"
"$ATOMC" --no-placement "$scratch/each.atd" "$scratch/plain" -o "$scratch/made" >"$scratch/log"
number_in() { # STATISTICS LINE
    sed -n "s/^ *$2  *\([0-9]*\).*/\1/p" "$1"
}
if [ "$(number_in "$scratch/statistics" "counter updates derived")" -gt 100000 ] &&
    [ "$(number_in "$scratch/statistics" "in registers")" -gt 300 ]; then
    passed threads/derives
else
    failed threads/derives "nothing is derived, or held in registers" "$scratch/statistics"
fi
# places NAME...: their first addresses and those behind, all of nine digits.
places() {
    alpha-linux-gnu-nm -S "$scratch/plain" | while read -r address size _ name; do
        case " $* " in *" $name "*) printf '0x%x 0x%x\n' "0x$address" $((0x$address + 0x$size)) ;; esac
    done
}

# ---- threads that rest, each in another system call: the same as counts made where they stand ----

places loop nested wait_somewhere read select sigsuspend clone >"$scratch/resting"
for end in exit _exit abort crash kill thread; do
    for made in derived memory made; do
        { timeout -s KILL 60 "$QEMU" "$scratch/$made" rest $end 500000 >"$scratch/printed" 2>/dev/null || true; } 2>/dev/null
        awk -F '\t' -v places="$scratch/resting" '
            BEGIN { while ((getline line <places) > 0) { split(line, word, " "); first[++n] = word[1]; behind[n] = word[2] } }
            NF == 2 { for (k = 1; k <= n; k++) if ($1 >= first[k] && $1 < behind[k]) print }' "$scratch/printed" >"$scratch/$made.own"
    done
    if [ "$(wc -l <"$scratch/made.own")" -gt 150 ] && cmp -s "$scratch/made.own" "$scratch/derived.own" &&
        cmp -s "$scratch/made.own" "$scratch/memory.own"; then
        passed "threads/rest-$end"
    else
        diff "$scratch/made.own" "$scratch/derived.own" >"$scratch/difference" || true
        failed "threads/rest-$end" "not the counts made where they stand" "$scratch/difference"
    fi
done

# ---- threads that do not: each instruction is counted as often as its copy is executed ----

# compare_executions FILE: by how much the counts in $scratch/printed differ from the executions, in how many instructions
# there are fewer counts than executions, and how many instructions are compared.
compare_executions() {
    awk -F '\t' -v places="$scratch/busy" -v map="$scratch/map" -v printed="$scratch/printed" '
        BEGIN {
            while ((getline line <places) > 0) { split(line, word, " "); first[++n] = word[1]; behind[n] = word[2] }
            while ((getline line <map) > 0) { split(line, word, " "); of[word[1]] = word[2] }
            while ((getline line <printed) > 0) if (split(line, word, "\t") == 2) counted[word[1]] = word[2]
        }
        /^0x/ && $1 in of && $3 > 0 {
            own = of[$1]
            for (k = 1; k <= n; k++) if (own >= first[k] && own < behind[k]) {
                compared++
                apart = counted[own] - $3
                if (apart) print own, "counted", counted[own] + 0, "executed", $3 >"/dev/stderr"
                differ += apart < 0 ? -apart : apart
                fewer += apart < 0
            }
        }
        END { print differ + 0, fewer + 0, compared + 0 }' "$1"
}
# Between a count and the instruction that it stands before a thread may stop: then one more is counted, as it is with
# --no-placement.
busy=6
places loop nested walk compute short_life wait_somewhere >"$scratch/busy"
for what in compute both; do
    for end in exit _exit thread; do
        for run in $(seq "$runs"); do
            timeout -s KILL 100 "$QEMU" -plugin "$oracle,out=$scratch/executed" "$scratch/derived" $what $end $((7000 * run)) \
                >"$scratch/printed" 2>"$scratch/errors" || true
            read -r differ fewer compared < <(compare_executions "$scratch/executed" 2>"$scratch/found")
            if [ "$compared" -gt 200 ] && [ "$fewer" = 0 ] && [ "$differ" -le $busy ]; then
                passed "threads/$what-$end-$run"
            else
                failed "threads/$what-$end-$run" "counts that are no executions: $differ of $compared" "$scratch/found"
            fi
        done
    done
done

# ---- the same in other ends, with each count made in two ways ----

cat >"$scratch/twice.atd" <<'END'
tool twice "executions of blocks, derived and made where they stand"
set begin = proc p where p.name == "main"
counter executed[blocks], executed_here[blocks]
counter total, seen
for b in blocks {
    before b total++
    before b executed[b]++
    before b executed_here[b]++
}
for p in begin { before p seen += $executed_here[0] } # it counts while the program runs
report "-" for b in blocks where executed[b] != executed_here[b]
    "Block" hex b.pc, "Derived" executed[b], "Made" executed_here[b], "Procedure" b.proc.name
report "-" "Blocks compared" total
END
# check_twice TEST REPORTS: of what is in $scratch/printed. Between the two counts of a block a thread may stop; one that is
# cancelled stays there.
check_twice() {
    if awk -F '\t' -v reports="$2" -v busy=$busy '
        /^0x/ && $4 != "until_cancelled" { less += $2 < $3; more += $2 - $3 }
        /^Blocks/ { seen++ }
        END { exit seen != reports || less > 0 || more > reports * busy || $0 < 1000 }' "$scratch/printed"; then
        passed "$1"
    else
        failed "$1" "counts made and counts derived are not the same" "$scratch/printed"
    fi
}
"$ATOMC" "$scratch/twice.atd" "$scratch/plain" -o "$scratch/twice" >"$scratch/log"
for end in abort crash kill last fork; do
    for run in $(seq "$runs"); do
        { timeout -s KILL 60 "$QEMU" "$scratch/twice" compute $end $((9000 * run)) >"$scratch/printed" 2>/dev/null || true; } 2>/dev/null
        check_twice "threads/$end-$run" $([ $end = fork ] && echo 2 || echo 1)
    done
done

# ---- and with libraries, where system calls are made behind pages of the runtime's ----

libraries=/usr/alpha-linux-gnu
alpha-linux-gnu-gcc -O2 -Wl,--no-relax -pthread tests/data/threads_stop.c -o "$scratch/dynamic"
"$ATOMC" --objects=all "$scratch/twice.atd" "$scratch/dynamic" -o "$scratch/twice" >"$scratch/log"
for end in exit kill; do
    { timeout -s KILL 60 "$QEMU" -L "$libraries" "$scratch/twice" both $end 100000 >"$scratch/printed" 2>/dev/null || true; } 2>/dev/null
    check_twice "threads/dynamic-$end" 1
done
