#!/bin/bash
# stdtools.sh: the sample of output at the top of each stock tool against a real run of the tool.
# Requires: atomc (ATOMC), qemu-alpha, the Alpha cross compiler; run from the repository's root.
#
# A header says how it is used and what the sample was made from:
#   # Usage:   atomc -t NAME PROGRAM -o PROGRAM.atom; run PROGRAM.atom as PROGRAM; read FILE
#   # Sample:  docs/examples/PROGRAM.c [<INPUT]
# The sample's lines begin with `#   ` and a word; `...` stands for any lines, at a line's end for its rest, blanks for
# any white space. The example is compiled as README.md says; its folder is called /home/me in the sample. Each tool is
# a page, its C two at most.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
# The path's length is fixed: the C library works on it, and that is counted.
scratch=$(mktemp -d /tmp/XXXXXXXXXX)
trap 'rm -rf "$scratch"' EXIT
qemu=$(command -v "$QEMU")

header() { # TOOL LABEL: the rest of the line
    sed -n "s/^# $2: *//p" "$1" | head -n 1
}

# Is FOUND what SAMPLE says, where a line `...` is any number of lines?
matches() { # SAMPLE FOUND
    awk 'function same(sample, line) {
            if (sub(/ \.\.\.$/, "", sample))
                line = substr(line, 1, length(sample))
            return sample == line
        }
        function match_from(i, j) {
            for (; i <= wanted; i++) {
                if (want[i] == "...") {
                    for (; j <= got + 1; j++)
                        if (match_from(i + 1, j))
                            return 1
                    return 0
                }
                if (j > got || !same(want[i], have[j]))
                    return 0
                j++
            }
            return j == got + 1
        }
        { gsub(/[ \t]+/, " "); sub(/^ /, ""); sub(/ $/, "") }
        NR == FNR { want[++wanted] = $0; next }
        { have[++got] = $0 }
        END { exit !match_from(1, 1) }' "$1" "$2"
}

run_tool() { # TOOL SOURCE INPUT
    local program folder=$scratch/run
    program=$(basename "$2" .c)
    rm -rf "$folder"
    mkdir "$folder"
    cp docs/examples/*.c "$folder"
    cd "$folder" || return
    alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax "$program.c" -o "$program" &&
        "$ATOMC" -t "$1" "$program" -o "$program.atom" &&
        env -i "$qemu" -0 "$program" "./$program" <"${3:-/dev/null}" >plain &&
        env -i "$qemu" -0 "$program" "./$program.atom" <"${3:-/dev/null}" >instrumented &&
        cmp plain instrumented
}

for tool in stdtools/*.atd; do
    name=$(basename "$tool" .atd)
    sample=$(header "$tool" Sample)
    result=$(header "$tool" Usage | sed -n 's/.*; read \([^ ]*\)$/\1/p')
    input=$(echo "$sample" | sed -n 's/.*<//p')
    if ! (run_tool "$name" "${sample%% *}" "${input##*/}") >"$scratch/log" 2>&1; then
        failed "stdtools/$name" "the run failed" "$scratch/log"
        continue
    fi
    : >"$scratch/found"
    if [ -n "$result" ]; then
        sed "s|$scratch/run/|/home/me/|" "$scratch/run/$result" >"$scratch/found"
    elif ls "$scratch"/run/*.out >"$scratch/log" 2>&1; then
        failed "stdtools/$name" "it leaves a file that its usage does not name" "$scratch/log"
    fi
    sed -n 's/^#   \([^ ].*\)/\1/p' "$tool" >"$scratch/sample"
    if [ "$(wc -l <"$tool")" -gt 66 ] || { [ -e "stdtools/$name.c" ] && [ "$(wc -l <"stdtools/$name.c")" -gt 170 ]; }; then
        failed "stdtools/$name" "more than a page, or two of C"
    elif ! matches "$scratch/sample" "$scratch/found"; then
        FAILURE_LINES=${FAILURE_LINES:-20} failed "stdtools/$name" "the sample is not what the tool prints, which is" "$scratch/found"
    else
        passed "stdtools/$name"
    fi
done
[ "$failures" = 0 ]
