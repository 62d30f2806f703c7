#!/bin/bash
# killed.sh: a program with threads, killed at a random moment, leaves whole results: a tool's in C, a report in JSON.
# Requires: atomc (ATOMC), the Alpha cross compiler, qemu-alpha; run from the repository's root. RUNS: how many.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
runs=${RUNS:-24} examples=$PWD/docs/examples
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
alpha-linux-gnu-gcc -O2 -static -Wl,--no-relax tests/data/threads_spin.c -o "$scratch/plain" -pthread
cat >"$scratch/calls.atd" <<'END'
tool calls "how often procedures are called"
counter called[procs]
for p in procs { before p  called[p]++ }
report "calls.out" for p in procs where called[p] > 0 "PC" hex p.pc, "Procedure" p.name, "Calls" called[p]
END
cd "$scratch"
"$ATOMC" "$examples/branch.atd" plain -o branch >/dev/null
"$ATOMC" calls.atd plain -o calls >/dev/null
ulimit -c 0

# One object, closed, with rows in it; every row on a line of its own.
whole_json() {
    awk 'NR == 1 { bad = !/^\{.*\[$/; next } !/^\{"PC": .*\}(,|\]\})$/ { bad = 1 } { last = $0 }
        END { exit bad || last !~ /\]\}$/ }' "$1"
}

whole_lines() {
    awk -F'\t' 'NR > 1 && (NF < 3 || $1 !~ /^0x/ || $1 <= last) { bad = 1 } { last = NR > 1 ? $1 : "" } END { exit bad }' "$1" &&
        [ -z "$(tail -c 1 "$1")" ]
}

malformed=0 complete=0 status=0
RANDOM=20261121
for run in $(seq "$runs"); do
    rm -f btaken.out calls.out
    signal=$([ $((run % 2)) = 0 ] && echo TERM || echo INT)
    moment=0.$((RANDOM % 400 + 100))
    tool=$([ $((run % 4)) -lt 2 ] && echo branch || echo calls)
    { ATOMC_FORMAT=json timeout -s "$signal" "$moment" "$QEMU" "./$tool" >/dev/null 2>&1 || status=$?; } 2>/dev/null
    if [ $tool = calls ]; then
        # Before the runtime is there, nothing can be written.
        [ -e calls.out ] || continue
        whole_json calls.out ||
            { malformed=$((malformed + 1)) && cp calls.out "bad.$run"; }
    else
        [ -e btaken.out ] || continue
        # A heading, then whole lines, in the order of addresses.
        whole_lines btaken.out ||
            { malformed=$((malformed + 1)) && cp btaken.out "bad.$run"; }
    fi
    complete=$((complete + 1))
done
if [ $malformed != 0 ]; then
    failed killed/results "$malformed of $complete results are malformed" "$(find . -name 'bad.*' | head -n 1)"
elif [ $complete -lt $((runs / 2)) ]; then
    failed killed/results "only $complete of $runs runs left results"
else
    passed "killed/results ($complete of $runs runs left results, all whole)"
fi
