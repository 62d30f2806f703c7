# killed: a program with threads, killed at a random moment, leaves complete results: a tool's in C, a report in JSON.
alpha plain "$tests/data/threads_spin.c" -pthread
instrument branch "$top/docs/examples/branch.atd" plain
instrument calls "$tests/data/calls.atd" plain
export ATOMC_FORMAT=json

# A heading, then whole lines, in the order of addresses.
whole_branch() {
    [ -z "$(tail -c 1 branch.out)" ] &&
        awk -F'\t' 'NR > 1 { if (NF < 3 || !/^0x/ || $1 "" <= last "") exit wrong = 1; last = $1 } END { exit wrong }' branch.out
}
# One object, closed; every row on a line of its own. There is none if the program has called nothing yet.
whole_calls() {
    awk 'NR == 1 && /^\{.*\[\]\}$/ { last = $0; next }
        NR == 1 ? !/^\{.*\[$/ : !/^\{"PC": .*\}(,|\]\})$/ { exit wrong = 1 } { last = $0 } END { exit wrong ||
        last !~ /\]\}$/ }' calls.out
}
runs=$(pick 8 24) complete=0
RANDOM=20261121
run=0
# later, where a program begins late
while [ $run -lt "$runs" ] || { [ $complete -lt $((runs / 2)) ] && [ $run -lt $((10 * runs)) ]; }; do
    run=$((run + 1))
    rm -f ./*.out
    tool=$([ $((run % 4)) -lt 2 ] && echo branch || echo calls)
    signal=$([ $((run % 2)) = 0 ] && echo TERM || echo INT)
    { timeout -k 60 -s "$signal" "$(((RANDOM % 300 + 60) * (1 + (run - 1) / runs)))e-3" "$QEMU" "$tool" >/dev/null 2>&1 &&
        status=0 || status=$?; } 2>/dev/null
    [ "$status" != 137 ] || echo "run $run: $signal did not end it" >>malformed
    [ -n "$(ls ./*.out 2>/dev/null)" ] || continue # before the runtime has started, no results can be written
    complete=$((complete + 1))
    whole_$tool || { echo "run $run:" && cat ./*.out; } >>malformed
done
check results "[ ! -s malformed ]" malformed
check runs "[ $complete -ge $((runs / 2)) ]"
