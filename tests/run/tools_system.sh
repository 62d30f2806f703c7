#!/bin/bash
# tools_system.sh: syscall, io and read against QEMU's own log of system calls, for every call and every file.
# Requires: atomc (ATOMC), qemu-alpha, the test programs; run from the repository's root. TOOLS_ALL=1: on all programs.
set -eu
export LC_ALL=C
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# shellcheck source=tests/run/tools.lib
. tests/run/tools.lib

# The log's calls of the first process: number of calls and errors by name.
expected_calls() {
    awk 'NR == 1 { process = $1 } $1 != process { next }
        /^[0-9]+ [a-z0-9_]+\(/ { name = substr($2, 1, index($2, "(") - 1); calls[name]++; failed = / = -1 errno=/
            errors[name] += failed }
        END { for (name in calls) print name "\t" calls[name] "\t" errors[name] + 0 }' "$1" | sort
}

# What the log says of each file: descriptors are followed from the calls that make them.
expected_files() {
    awk 'function row(name) { if (!(name in known)) { known[name] = 1; order[++count] = name } return name }
        function file(n) { if (!(n in open)) open[n] = row(n == 0 ? "stdin" : n == 1 ? "stdout" : n == 2 ? "stderr" : "descriptor " n)
            return open[n] }
        NR == 1 { process = $1 } $1 != process || !/\)/ { next }
        { call = $2; sub(/\(.*/, "", call); arguments = $0; sub(/^[0-9]+ [a-z0-9_]+\(/, "", arguments)
          result = $0; sub(/.*\) = /, "", result); failed = result ~ /^-1 errno/
          first = arguments; sub(/[,)].*/, "", first) }
        call == "open" || call == "openat" { name = arguments; sub(/^[^"]*"/, "", name); sub(/".*/, "", name); row(name)
            if (failed) wrong[name]++; else { opens[name]++; open[result + 0] = name } next }
        call ~ /^(read|write|readv|writev|pread64|pwrite64|lseek|close|dup|dup2|dup3)$/ || call == "fcntl" && /F_DUPFD/ {
            name = file(first + 0)
            if (failed) { wrong[name]++; next }
            if (call ~ /read/) { reads[name]++; got[name] += result }
            else if (call ~ /write/) { writes[name]++; put[name] += result }
            else if (call == "lseek") seeks[name]++
            else if (call == "close") { closes[name]++; delete open[first + 0] }
            else open[result + 0] = name }
        call == "socket" && !failed { open[result + 0] = row("socket") }
        # The log does not show which descriptors a pipe has: the lowest free ones. 3 is the log itself.
        call ~ /^pipe/ { ends = 0; for (n = 4; ends < 2; n++) if (!(n in open)) { open[n] = row("pipe"); ends++ } }
        END { for (i = 1; i <= count; i++) { n = order[i]; printf "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", n, opens[n], reads[n],
            got[n], writes[n], put[n], seeks[n], closes[n], wrong[n] } }' "$1" | sort
}

check() { # NAME LEVEL WORKLOAD
    local test=tools/syscall/$1-$2/$3 form
    run_plain "$1" -strace -D "$base/strace"
    if [ "$(cut -d' ' -f1 "$base/strace" | sort -u | grep -c '^[0-9]')" != 1 ]; then
        skipped "$test" "the log of several processes mixes their lines"
        return
    fi
    if run_tool "$test" "$1" syscall; then
        expected_calls "$base/strace" >"$base/expected"
        sed 1d "$base/found/files/syscall.out" | sort >"$base/calls"
        equal "$test" "$base/expected" "$base/calls"
    fi
    test=tools/io/$1-$2/$3
    if run_tool "$test" "$1" io; then
        expected_files "$base/strace" >"$base/expected"
        sed 1d "$base/found/files/io.out" | sort >"$base/files"
        equal "$test" "$base/expected" "$base/files"
    fi
    test=tools/read/$1-$2/$3
    if run_tool "$test" "$1" read; then
        awk 'NR == 1 { process = $1 } $1 != process || $2 !~ /^read\(/ { next }
            { calls++; sub(/.*\) = /, ""); if (/^-1 errno/) failed++; else bytes += $1 }
            END { printf "calls %d\nfailed %d\nbytes %.0f\n", calls, failed, bytes }' "$base/strace" >"$base/expected"
        equal "$test" "$base/expected" "$base/found/files/read.out"
    fi
}

# What each thread's calls come to, and its handler's that interrupts them, where the program says how often.
check_interrupted() {
    local option rows='$1 == "read" || $1 == "close" { print $1, $2, $3 }'
    cp tests/tools/interrupted.c "$base"
    alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax "$base/interrupted.c" -o "$base/interrupted" -pthread
    printf '%s\n' "close 24 24" "read 12 12" >"$base/expected"
    for option in time=false time=true; do
        if "$ATOMC" -t syscall -D "$option" -t io "$base/interrupted" -o "$base/interrupted.atom" >"$base/log" 2>&1 &&
            (cd "$base" && timeout 120 "$(command -v "$QEMU")" ./interrupted.atom) >"$base/log" 2>&1; then
            awk -F'\t' "$rows" "$base/syscall.out" | sort >"$base/rows"
            equal "tools/syscall/interrupted/$option" "$base/expected" "$base/rows"
            printf '%s\n' "descriptor -1 24" "pipe 12" >"$base/expected.files"
            awk -F'\t' 'NR > 1 && $9 { print $1, $9 }' "$base/io.out" | sort >"$base/rows"
            equal "tools/io/interrupted/$option" "$base/expected.files" "$base/rows"
        else
            failed "tools/syscall/interrupted/$option" "it does not run" "$base/log"
        fi
    done
}

scripts/system_calls.sh >"$base/names"
equal tools/syscall/names "$base/names" stdtools/system_calls.h
check_interrupted
each_workload check
[ "$failures" = 0 ]
