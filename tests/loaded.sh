#!/bin/bash
# loaded.sh TIMES LOAD: make check-loaded. Runs the tests of make check TIMES times in a row, beside LOAD busy loops: no verdict may depend
# on what else the machine does. Each run adds a line to build/loaded/results: date, commit, loops, CPU time, elapsed time and the sum of the
# tests; the log of each job that failed stays in build/loaded/DATE. PARTS, if it is set, are words of job names, and JOBS is the number of
# jobs at a time.
# Requires: the repository as the working directory. Exit status 1 if a test failed in some run.
set -u
cd "$(dirname "$0")/.." || exit 2
times=${1:?} load=${2:?} status=0
folder=${BUILD:-build}/loaded
mkdir -p "$folder"
# Until this process has ended, however it ends.
# shellcheck disable=SC2317
busy() {
    while kill -0 $$ 2>/dev/null; do
        for ((turn = 0; turn < 1000000; turn++)); do :; done
    done
}
loops=()
for ((i = 0; i < load; i++)); do
    busy &
    loops+=($!)
done
trap 'kill "${loops[@]}" 2>/dev/null' EXIT
for ((run = 1; run <= times; run++)); do
    began=$(date +%Y-%m-%dT%H-%M-%S) output=$folder/output
    # shellcheck disable=SC2086
    tests/runner.sh check ${PARTS:-} >"$output" 2>&1
    sum=$(tail -n 2 "$output" | tr '\n' '\t')
    [[ $sum == *" 0 failed"* ]] || {
        status=1
        mkdir -p "$folder/$began"
        cp "$output" "$folder/$began"
        sed -n 's/^    \(.*\.log\)$/\1/p' "$output" | sort -u | xargs -r cp -t "$folder/$began"
        sum+="see $folder/$began"
    }
    printf '%s\t%s\t%s loops\t%s\n' "$began" "$(git rev-parse --short HEAD 2>/dev/null)" "$load" "$sum" | tee -a "$folder/results"
done
exit $status
