# tools_replay: the stock tools on real programs: each of their numbers, against the results of tests/oracle for a
# record of the uninstrumented program: each instruction with its registers and its memory. Among the programs are some
# that longjmp and throw.
# shellcheck disable=SC2034,SC2154
. "$tests/lib/tools.sh"
# lcov 2 stops at records that it considers inconsistent, and has other names for its options.
lcov_options=$(lcov --version 2>/dev/null | grep -q 'version 2' && echo "--rc branch_coverage=1 --keep-going" || true)
oracle_options=,values=on
gcc -O2 -Wall -Wextra -Werror "$top/stdtools/trace_read.c" -o trace_read

cache1="size=4096 line=64 ways=2 size2=65536 line2=64 ways2=4"
cache2="size=8192 line=32 ways=1 size2=16384 allocate=false writeback=false"
cache3="size=8192 line=32 ways=0 allocate=false"
icache="size=8192 line=32 ways=1 size2=32768 line2=64 ways2=0"
# GROUP|CHECK|MODE [NAME=VALUE...]|TOOL [PARAMETER=VALUE...]: the output of build/tests/replay for the record, in a file
# CHECK, and the tool with the same output. Tools of a group are applied together, but each alone with SIZE=all.
# Procedures with variable arguments store registers that were never set, and stacks are read before they are written:
# in groups `own` all registers are saved, and analysis has a stack, so that these have the same values as in the
# uninstrumented program.
table() {
    sed "$(pick '' 's/^\([^|]*\)|\([^|]*\)/\1-\2|\2/')" <<END
plain|gprof|arcs|gprof callgrind=true
plain|hiprof|calls depth=20|hiprof depth=20 folded=true
plain|dynmem|heap|dynmem
plain|malloc|heap histogram=1|malloc
plain|cache1|cache name=L1 $cache1|cache $cache1 procedures=true
plain|icache|fetch name=I1 $icache|icache $icache procedures=true
plain|dtb|cache name=DTB size=65536 line=8192 ways=0 writeback=false|dtb page=8192 pages=8 procedures=true
plain|itb|fetch name=ITB page=4096 pages=8 ways=2 size=32768 line=4096|itb page=4096 pages=8 ways=2 procedures=true
plain|bbv|bbv blocks=blocks interval=20000|bbv interval=20000
plain|memsys||memsys isize=4096 iways=2 itb=6 dtb=9 page=4096 dsize=4096 dline=16
|memsys8|fetch name=all size=4096 line=32 ways=2|
|memsys9|fetch name=all size=24576 line=4096 ways=0|
|memsys10|cache name=all size=4096 line=16 ways=1 writeback=false|
|memsys11|cache name=all size=36864 line=4096 ways=0 writeback=false|
plain|loops||loops
plain|callgraph|edges|callgraph
plain|pipe||pipe
plain|coverage||coverage
plain1|icache1|fetch name=I1 size=32768 line=1024 ways=1|icache size=32768 line=1024 procedures=true
plain1|cache2|cache name=L1 $cache2|cache $cache2 procedures=true
plain2|cache3|cache name=L1 $cache3|cache $cache3 procedures=true
plain3|din|din|trace form=din
plain4|binary||trace form=binary
plain5|text||trace form=text
own1|value|values kind=value|values operand=value top=1000000
own1|repeated|values kind=repeated|audit stores=true
own1|args||args procedures=*
own2|address|values kind=address|values operand=address top=1000000
own3|argument|values kind=argument entries=entries|values operand=argument top=1000000
END
}

# ---- expectations and findings, where they are not just columns ------------------------------------------------------

sums() { # lines KEY <tab> NUMBER added up, sorted; without keys that have nothing
    awk -F'\t' '{ sum[$1] += $2 } END { for (key in sum) if (sum[key]) printf "%s\t%.0f\n", key, sum[key] }' | sort
}
rows() { # FILE COLUMNS: without title and total; blanks in names as replay writes them
    sed -e 1d -e '/^total	/d' "$1" | cut -f "$2" | tr ' ' _
}

# gprof: the replayed arcs, with procedures of one name combined; the same in callgrind's form, and such a file.
arcs() {
    awk -F'\t' '{ key = $1 FS $2 ($1 == "arc" ? FS $3 : ""); for (i = 3; i <= 6; i++) sum[key, i] += $i; keys[key] }
        END { for (key in keys) { printf "%s", key; for (i = 3 + (key ~ /^arc/); i < 7; i++) printf "\t%.0f", sum[key, i];
            print "" } }' \
        gprof | sort
}
costs() {
    arcs | awk -F'\t' '$1 == "node" && $3 { print "self\t" $2 "\t" $3 }
        $1 == "arc" && $2 != "<spontaneous>" { printf "arc\t%s\t%s\t%s\t%.0f\n", $2, $3, $4, $5 + $6 }' | sort
}
read_callgrind() {
    awk '/^fn=/ { fn = substr($0, 4); gsub(/ /, "_", fn); getline; self[fn] += $2 }
        /^cfn=/ { callee = substr($0, 5); gsub(/ /, "_", callee) }
        /^calls=/ { split($0, part, /[= ]/); getline; arc = fn "\t" callee; calls[arc] += part[2]; total[arc] += $2 }
        END { for (fn in self) if (self[fn]) printf "self\t%s\t%.0f\n", fn, self[fn]
            for (arc in calls) printf "arc\t%s\t%.0f\t%.0f\n", arc, calls[arc], total[arc] }' "$1" | sort
}
stacks() { # hiprof: the cost of each, which is the last column
    sed 's/ \([0-9]*\)$/\t\1/' "$1" | tr ' ' _ | sums
}

# Values computed from a process number or the time differ from run to run. unsteady TEST FIRST SECOND: these are the
# few places where two runs of the plain program differ. steady ROWS: without these places, but with their sums.
unsteady() {
    sort "$2" "$3" | uniq -u | cut -f1 | sort -u >unsteady
    check "$1/steady" "[ \$((100 * \$(wc -l <unsteady))) -le \$(cut -f1 '$2' | sort -u | wc -l) ]" unsteady
}
steady() {
    awk -F'\t' 'FILENAME == ARGV[1] { unsteady[$1]; next } $1 in unsteady { sum[$1] += $3; next } { print }
        END { for (pc in sum) printf "%s\tall\t%.0f\n", pc, sum[pc] }' unsteady "$1" | sort
}

# args: the number of values of each procedure from one power of two to the next, from lines ADDRESS VALUE TIMES.
# Numbers are compared as text, so no number is too large. Only procedures whose entries the oracle can determine, and
# whose names are unique.
by_power() {
    awk -F'\t' 'function less(a, b) { return length(a) < length(b) || length(a) == length(b) && a "" < b "" }
        BEGIN { for (i = 0; i < 63; i++) power[i] = sprintf("%.0f", 2 ^ i) }
        NR == FNR { name[$1] = $2; next }
        { low = $2 ~ /^-/ ? "negative" : "0"
          if (low == "0") for (i = 0; i < 63 && !less($2, power[i]); i++) low = power[i]
          print name[$1] "," low "\t" $3 }' procedures "$1" | sums | sed 's/\(.*\),/\1\t/'
}
names_once() {
    cut -f1 entries | sort -u | join -t$'\t' - <(sort procedures) | cut -f2 | sort -u |
        comm -23 - <(cut -f2 procedures | sort | uniq -d)
}

calls_made() { # in each procedure, by jsr, jsr_coroutine and bsr
    awk -F'\t' 'NR == FNR { start[++n] = $1; name[n] = $2; next }
        /^0x/ && $2 ~ /^(6[89ab]..[4567cdef]|d[0-3])/ { while (at < n && start[at + 1] <= $1) at++; print name[at] "\t" $3 }' \
        procedures counts | sums
}
misses() { # memsys: by column and procedure
    awk -F'\t' '$1 != "all" { print substr(FILENAME, 7) "," $1 "\t" $3 }' memsys8 memsys9 memsys10 memsys11 | sums
}

# coverage: the records of a file, source files without their folders, as readelf names them; and lcov's sums.
records() {
    awk '/^SF:/ { file = $0; sub(/^SF:/, "", file); sub(/.*\//, "", file) }
        /^DA:/ { split($0, f, /[:,]/); at = file ":" f[2]; if (!(at in most) || f[3] > most[at]) most[at] = f[3] + 0 }
        /^FNDA:/ { sub(/:/, ":" file ":"); print }
        /^BRDA:/ { split($0, f, /[:,]/); print "BRDA:" file ":" f[2] "," f[4] "," f[5] }
        END { for (at in most) printf "DA:%s,%.0f\n", at, most[at] }' "$1" | sort
}
# Positions that are neither positions of instructions nor lines of inlined calls, according to readelf.
unfounded() {
    alpha-linux-gnu-readelf -W --debug-dump=info "$program" 2>/dev/null | awk '/DW_TAG_/ { inlined = /inlined_subroutine/ }
        inlined && /DW_AT_call_line/ { print $NF }' | sort -u >call_lines
    awk -F'\t' 'FILENAME == "call_lines" { call[$1]; next } FILENAME == "lines" { at[$1, $3]; next }
        FNR > 1 { sub(/.*\//, "", $2); if (!(($1, $2 ":" $3) in at) && !($3 in call)) print }' call_lines lines positions.out
}
coverage_sums() {
    awk '/^DA:/ { lines++; hit += !/,0$/ } END { print "lines", hit + 0, lines + 0 }' "$1"
    sed -n 's/^FNDA:\([^:]*\):[0-9]*,/\1 /p' found.records | sort -u | awk 'END { print "functions", NR }'
    awk '/^BRDA:/ { ways++; hit += !/,(0|-)$/ } END { print "branches", hit + 0, ways + 0 }' expected.records
}

# ---- what a tool has written, in found/files -------------------------------------------------------------------------

compare() { # CHECK TOOL
    local test=$2/$at out=found/files/$2.out
    [ "$1" = "$2" ] || test+=/$1
    case "$2 in  $varying " in
    "values in "*" ${at#*/} "* | "audit in "*" ${at#*/} "* | "args in "*" ${at#*/} "* | "trace in "*" ${at#*/} "*)
        skipped "$test" "values that differ from run to run"
        return
        ;;
    esac
    case $2 in
    gprof) # for each procedure its entry, its callers and its callees; and the flat profile
        awk -f "$tests/tools/gprof.awk" $out | sort >listing
        agree "$test" <(arcs) <(grep -v -e ^called -e ^flat listing)
        agree "$test/callees" <(arcs | grep ^arc | grep -v '<spontaneous>') <(sed -n 's/^called/arc/p' listing)
        agree "$test/callgrind" <(costs) <(read_callgrind $out.callgrind)
        agree "$test/flat" <(arcs | sed -n 's/^node\t//p' | cut -f1,2 | sums) <(sed -n 's/^flat\t//p' listing)
        ;;
    hiprof) # which leaves out glibc 2.41's stpcpy above stxcpy_aligned, that it calls with link $23: to be looked into
        agree "$test" <(stacks hiprof | sed 's/;stpcpy;stxcpy_aligned/;stxcpy_aligned/' | sort) <(stacks $out.folded | sort)
        ;;
    dynmem) agree "$test" <(sort dynmem) <(rows $out 1,3- | sed 's/^all\t/all\t0x0/' | sort) ;;
    malloc) agree "$test" <(sort malloc) <(rows $out 1-3,5 | sort) ;;
    cache | dtb) agree "$test" <(sort "$1") <({ rows $out 1- && rows $out.procedures 1,3-; } | sort) ;;
    icache) agree "$test" <(cut -f1-4,9 "$1" | sort) <({ rows $out 1- && rows $out.procedures 1,3-; } | sort) ;;
    # one level
    itb) agree "$test" <(cut -f1-4,9 "$1" | sort) <({ rows $out 1- && rows $out.procedures 1,3- | sed 's/$/\t0/'; } | sort) ;;
    memsys)
        agree "$test" <(misses) <(rows $out 1- | awk -F'\t' '{ for (i = 8; i <= 11; i++) print i "," $1 "\t" $i }' | sums)
        agree "$test/instructions" <(sed -n 's/^# instructions //p' counts) <(rows $out 5 | sed 's/^/\t/' | sums | cut -f2)
        ;;
    bbv) same "$test" bbv $out ;;
    loops) agree "$test" <(sort headers | join -t$'\t' - <(cut -f1,3 counts | sort)) <(rows $out 1,2,4 | sort) ;;
    callgraph) # each caller and callee; and all calls of each caller
        agree "$test" <(sums <callgraph) <(rows $out 1-3 | sed 's/\t/,/' | sums)
        agree "$test/made" <(calls_made) <(rows $out 1,3 | sums)
        ;;
    pipe) # tests/oracle/ev4.awk computes how a 21064 issues the instructions of a block
        alpha-linux-gnu-objdump -d --no-show-raw-insn "$program" >text
        agree "$test" <(awk -f "$tests/oracle/ev4.awk" blocks text counts | sort) <(rows $out 1- |
            awk -F'\t' '{ i[$7] += $2; c[$7] += $3; s[$7] += $5 }
                END { for (p in c) printf "%s\t%.0f\t%.0f\t%.0f\n", p, i[p], c[p], s[p] }' | sort)
        ;;
    coverage)
        source_lines
        "$ATOMC" "$tests/tools/positions.atd" "$program" -o positions.atom && qemu positions.atom
        awk -f "$tests/tools/coverage.awk" counts lines positions.out | sort >expected.records
        unfounded >unfounded
        check "$test/positions" "[ -s positions.out ] && [ ! -s unfounded ]" unfounded
        records $out >found.records
        agree "$test" expected.records <(grep -v ^FNDA found.records)
        # Procedures whose entries the oracle can determine, by name.
        entries counts | sed 's/^0x0*/0x/' | sort | join -t$'\t' -o 2.2,1.2 - <(sort procedures) | sums >functions
        sed -n 's/^FNDA:[^:]*:\([0-9]*\),\(.*\)/\2\t\1/p' found.records | tr ' ' _ | sums | join -t$'\t' functions - >both
        agree "$test/functions" <(cut -f1,2 both) <(cut -f1,3 both)
        agree "$test/lcov" <(coverage_sums $out) <(lcov ${lcov_options:---rc lcov_branch_coverage=1} \
            --summary $out 2>&1 | tr -d '(.:' |
            awk '$1 ~ /^(lines|branches)$/ { print $1, $3, $5 } $1 == "functions" { print $1, $5 }')
        ;;
    trace) # in Dinero's form; then trace_read makes that, and the text, of the binary form
        case $1 in
        din) same "$test" din $out ;;
        binary) agree "$test" din <(./trace_read -d <$out) && ./trace_read <$out >listed ;;
        text) same "$test" listed $out ;;
        esac
        ;;
    args)
        rows $out 1,3,5 | sed 's/\t-[0-9]*\t/\tnegative\t/' | sort >all
        # Procedures that have no argument by the debug information are omitted; tests/run/attributes.sh checks these
        # numbers. So are procedures whose first argument is a floating-point number.
        echo 'tool floats counter n for p in procs where p.argument(f16) != "" { before p n++ } report "floats" "n" n' >floats.atd
        {
            "$ATOMC" --dump=cfg --json "$program" | jq -r 'select(.place == "proc" and .nargs == 0) | .name'
            "$ATOMC" --dump=sites --json floats.atd "$program" | jq -r .procedure
        } | sort -u >taking_none
        names_once | comm -23 - taking_none >compared
        agree "$test" <(by_power argument | join -t$'\t' compared -) <(join -t$'\t' compared all)
        ;;
    audit)
        # Repeated values of each load, in the record; and values of registers, by the oracle.
        unsteady "$test/repeated" repeated again.repeated
        agree "$test/repeated" <(sort repeated | join -t$'\t' -v 1 - unsteady) \
            <(rows $out 1,2,5 | sort | join -t$'\t' -v 1 - unsteady)
        audited counts >first
        audited oracle.txt >second
        unsteady "$test" first second
        { rows $out 1-3 && rows $out.stores 1-3; } | sort >all
        agree "$test" <(join -t$'\t' -v 1 first unsteady) <(join -t$'\t' -v 1 all unsteady)
        ;;
    values)
        unsteady "$test" "$1" "again.$1"
        rows $out 1,7,8 | sort >all
        # whose entries can be determined
        [ "$1" != argument ] || { cut -f1 entries | sort -u | join -t$'\t' - all >known && mv known all; }
        agree "$test" <(steady "$1") <(steady all)
        ;;
    esac
}

every_tool() { # NAME LEVEL WORKLOAD
    local at=$1-$2/$3 group check tool
    case $SIZE:$1 in # less of the same
    check:lzip) head -c 1000 "$inputs/short.lz" >"$inputs/test.txt.lz" && rm "$inputs/short.lz" ;;
    esac
    for group in blocks headers procedures; do
        list_places $group
    done
    entry_points | sort | join -t$'\t' - <(cut -f1 procedures | sort) >entries
    replays < <(table | awk -F'|' '$3 != "" { print $2, $3 }')
    mv oracle.txt counts
    sleep 1 # so that times differ
    replays < <(table | awk -F'|' '$3 ~ /^values/ { print "again." $2, $3 }')
    for group in $(table | grep -v '|$' | cut -d'|' -f1 | uniq); do
        # shellcheck disable=SC2046 # several words
        run_tool "$at/$group" $(table | sed -n "s/^$group|.*|//p" | sed 's/ / -D /g; 1!s/^/-t /') --no-demangle \
            $([[ $group != own* ]] || echo --without=liveness --stack=own) || continue
        while read -r check tool; do
            compare "$check" "$tool"
        done < <(table | sed -n "s/^$group|\([^|]*\)|.*|\([a-z]*\).*/\1 \2/p")
    done
}
each_workload every_tool lzip-O2:damaged
