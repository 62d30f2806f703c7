# tools.sh: for the cases tools_*: compares a stock tool on real programs with a second computation. Requires:
# tests/lib/prelude.sh, build/tests/oracle.so, build/tests/replay.
# shellcheck shell=bash disable=SC2154

# PROGRAM-LEVEL:WORKLOAD: the programs of make check, unless a case sets others, and the programs of make check-all.
tools_few="bzip2-O2:decompress lzip-O2:damaged"
tools_all="bzip2-O2:compress bzip2-O2:decompress bzip2-O0:damaged lzip-O2:compress lzip-O2:damaged mawk-O2:words mawk-O3:words
    mawk-O0:errors minigzip-O2:compress minigzip-O0:decompress byacc-O2:grammar byacc-O3:error lua-O2:errors lua-O0:strings
    minisat-O2:pigeons sqlite3-O2:queries sqlite3-O2:errors dash-O2:expand blas-O2:errors zblas-O2:small"

# each_workload FUNCTION [LIST]: calls FUNCTION NAME LEVEL WORKLOAD after `use` of the same. WORKLOADS restricts it.
each_workload() {
    local function=$1 item program_level
    for item in ${WORKLOADS:-$(pick "${2:-$tools_few}" "$tools_all")}; do
        program_level=${item%:*}
        use "${program_level%-*}" "${program_level#*-}" "${item#*:}" || continue
        rm -rf plain
        "$function" "$name" "${program_level#*-}" "${item#*:}"
    done
}

# run_tool TEST TOOL [ATOMC_OPTION...]: runs the instrumented program, with its files in found/files. Returns false,
# with a message, after an error. If there is a plain run, the behaviour must be equal. Options may be more tools (-t).
run_tool() {
    local test=$1 word ignored=()
    shift
    instrument instrumented -t "$@" "$program" || return 1
    run found instrumented
    for word in "$@"; do
        ignored+=("$word*.out*" "*.$word") # options do no harm
    done
    [ ! -e plain/status ] || same_results "$test/same" plain found "${ignored[@]}"
}

# agree TEST EXPECTED FOUND: the files, which may be <(COMMAND...), are the same, and not empty.
agree() {
    cat "$2" >agree.expected
    cat "$3" >agree.found
    same "$1" agree.expected agree.found
}

# list_places KIND: writes the list of tests/tools/KIND.atd about the program to KIND, as atomc finds the places.
list_places() {
    "$ATOMC" "$tests/tools/$1.atd" "$program" -o "places.program" >log 2>&1 &&
        { ATOMC_OUT=. qemu places.program </dev/null >log 2>&1 || true; } &&
        sed 1d "$1.out" | tr ' ' _ >"$1"
}

# The procedures of the program, for replay: address and name, in procedures.
list_procedures() {
    list_places procedures
}

# replays: second computations, all from the record that one run of the plain program under the oracle makes, of 88 bytes for each
# instruction. Standard input has lines OUTPUT MODE [NAME=VALUE...], for build/tests/replay. oracle_options: more of the oracle.
replays() {
    local output words
    rm -f oracle.txt*
    run plain "$program" -singlestep \
        -plugin "$oracle,out=$scratch/oracle.txt,registers=on${oracle_options:-},execution=$scratch/record"
    while read -r output words; do
        # shellcheck disable=SC2086 # several words
        "$BUILD/tests/replay" $words procedures=procedures <record >"$output"
    done
    rm record
}
# replay OUTPUT MODE [NAME=VALUE...]: one of these computations.
replay() {
    replays <<<"$*"
}

# For the procedures whose entries can be determined (tests/tools/entries.awk): entry_points: lines PROCEDURE <tab>
# ENTRY; entries ORACLE: lines PROCEDURE <tab> COUNT.
entry_points() {
    alpha-linux-gnu-objdump -d --no-show-raw-insn "$program" | awk -f "$tests/tools/entries.awk"
}
entries() {
    entry_points | awk -F'\t' 'NR == FNR { entry[$2] = entry[$2] " " $1; next }
            /^0x/ && $1 in entry { n = split(entry[$1], s, " "); for (i = 1; i <= n; i++) print s[i] "\t" $3 }' - "$1" | sort
}

# The expected output of audit, from the oracle's counts: lines ADDRESS, executions, redundant or silent ones; without
# locked instructions and VAX numbers.
audited() { # ORACLE
    awk -F'\t' 'BEGIN { OFS = FS } !/^0x/ || $2 ~ /^(a[89a-f]|b[89a-f]|8[0-7]|9[0-7])/ { next }
        $7 != "-" && $7 > 0 { print $1, $7, $6 } $8 != "-" { print $1, $3, $8 }' "$1" | sort
}

# Writes address and mnemonic of each instruction to text; with the source line (FILE:LINE without folders, or ?) to
# lines. The lines are from the line table that readelf prints, because addr2line confuses the files of some inlined
# lines. If rows have the same address, the last row is valid, except for the end of a preceding sequence.
source_lines() {
    list_text
    alpha-linux-gnu-readelf -W --debug-dump=decodedline "$program" 2>/dev/null |
        awk '$3 ~ /^0x1/ { sub(/.*\//, "", $1); print $3, ($2 == "-" ? 0 : NR), ($2 == "-" ? "?" : $1 ":" $2) }' | sort -k1,1 -k2,2n |
        awk 'NR == FNR { if ($1 != last) order[++n] = $1; last = $1; place[$1] = $3; next }
            { while (at < n && order[at + 1] <= $1) at++; print $1 "\t" $2 "\t" (at ? place[order[at]] : "?") }' - text >lines
}
list_text() {
    alpha-linux-gnu-objdump -d --no-show-raw-insn "$program" | awk '/^ *[0-9a-f]+:/ { sub(/:/, "", $1); print "0x" $1 "\t" $2 }' >text
}
