#!/bin/bash
# quiet.sh MAKE GOAL...: makes the goals, and writes the output of make and the compilers to build/logs/make. On a
# terminal one line shows the progress; after a failure the first errors and the log's name follow. `make V=1` does not
# use this script.
set -u
log=build/logs/make
mkdir -p build/logs
make=$1
shift
# The commands that make would run, a line for each; commands that run make are excluded.
total=$("$make" V=1 --no-print-directory -n "$@" 2>/dev/null | grep -c .)
begun=$SECONDS
# All processors, unless the caller has specified a number.
case " ${MAKEFLAGS:-}" in *" -j"* | *jobserver*) jobs= ;; *) jobs=-j$(nproc) ;; esac
[ "$total" -le 5 ] || echo "$make $*: about $total commands; what they print is in $log"
"$make" V=1 --no-print-directory $jobs "$@" 2>&1 | if [ -t 1 ]; then
    tee "$log" | awk -v total="$total" '
        { last = $0; sub(/^.* -o /, "", last); sub(/ .*/, "", last)
          printf "\r[%d/%d] %-60.60s", NR < total ? NR : total, total, last; fflush() }
        END { printf "\r%72s\r", "" }'
else
    cat >"$log"
fi
status=${PIPESTATUS[0]}
if [ "$status" != 0 ]; then
    grep -E '(: |^)(fatal )?(error|undefined reference)|\*\*\*|command not found|No rule' "$log" | head -n 15
    echo "make failed; all that it printed is in $PWD/$log"
elif [ "$total" -gt 5 ]; then
    echo "made in $((SECONDS - begun)) s"
fi
exit "$status"
