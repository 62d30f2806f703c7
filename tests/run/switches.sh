# switches: the same results with all switches: the output of each tool of tests/switches/tools.txt about the test
# programs, and the output and files of the programs, are byte for byte the same with each way of calling and each pass
# disabled.
#
# make check takes a few combinations. SIZE=all takes each switch with each tool on two or three programs, each with each program
# under two or three tools; SWITCHES_STEP=1 takes every combination. SWITCHES_PROGRAMS, SWITCHES_TOOLS and SWITCHES
# select tests; the output ends with a table. Tests are named PROGRAM/TOOL/SWITCH/WORKLOAD; WORKLOAD is "unchanged" if
# the instrumented program is unchanged: it is not run again.
. "$tests/lib/side_by_side.sh"

# Every switch that leaves out a pass, or chooses a way; and all passes left out at once.
every=$("$ATOMC" info passes | sed '1,/--without/d; s/ .*//; s/^/--without=/' &&
    "$ATOMC" --help=all |
    awk '/^  --(call|copy|for)=/ { n = split($1, part, /[=|]/); for (i = 2; i <= n; i++) print part[1] "=" part[i] }' &&
    echo --poison)
nothing="--call=wrapper --without=all"
check every "[ \$(wc -l <<<'$every') -ge 16 ] && grep -x -e --without=placement <<<'$every'"

# tools.txt, and the stock tools whose pages have a line "Switches": PROGRAM:WORKLOAD SWITCH,... of make check.
list_tools() {
    grep -v '^#' "$tests/switches/tools.txt" && "$top/scripts/stock.sh" Switches | awk -F'\t' '{ print $1, $1 ".out", "-t", $1 }'
}
column() { # TOOL COLUMN: of these lines; the last column is everything from the third on
    list_tools | awk -v tool="$1" -v column="$2" '$1 == tool { file = $2; $1 = $2 = ""; print column == 2 ? file : $0 }'
}
apply() { # TOOL SWITCH OUTPUT
    local switch=$2 output=$PWD/$3
    [ "$switch" != nothing ] || switch=$nothing
    (cd "$top" && "$ATOMC" $atomc_flags $switch $(column "$1" 3) "$program" -o "$output") >log 2>&1
}

# run_workload TOOL WORKLOAD EXECUTABLE RESULT: sets file, the file of the tool. For a run with threads, RESULT has only
# counts that do not depend on their order: counts of branch and prof in the procedures that are `stable`, without
# shares of a sum over all procedures.
run_workload() {
    local each
    workload "$2"
    run "$4" "$3" -L /usr/alpha-linux-gnu
    file=$(find "$4/files" -name "$(column "$1" 2)" -size +0)
    # dash makes text of its parent's number: which digits are loaded, and the sum, are other in each run.
    [ "$name $1" != "dash audit" ] || [ -z "$file" ] || sed -i '/_itoa_word/d; /^total/d' "$file"
    [ "$threads" = yes ] || return 0
    (cd "$4/files" && find . -type f) | while read -r each; do
        case $1:$(ls "plain/$2/files/$each" 2>/dev/null) in
        *:?*) ;;
        prof: | branch:)
            sed -E 's/[0-9]+\.[0-9]+/-/g' "$4/files/$each" |
                awk -v stable="$stable" '{ for (i = 1; i <= NF; i++) if ($i ~ stable) { print; next } }' >steady
            mv steady "$4/files/$each"
            ;;
        *) rm "$4/files/$each" ;;
        esac
    done
}

# try_default TOOL WORKLOADS: without switches the program behaves as uninstrumented, and the tool writes its file.
try_default() {
    local workload result test plain
    apply "$1" "" default || { failed "$name/$1/default/instrument" "atomc failed" log && return 1; }
    for workload in $2; do
        test=$name/$1/default/$workload result=$1/$workload plain=plain/$workload
        run_workload "$1" "$workload" default "$result"
        [ -n "$file" ] || { failed "$test" "no result" "$result/stderr" && continue; }
        # Output that the plain run does not have, and files that it did not write, belong to the tool.
        cp "$result/stdout" printed
        case $1 in inlined | calls) head -c "$(stat -c %s "$plain/stdout")" printed >"$result/stdout" ;; esac
        same_results "$test" "$plain" "$result" $(diff -rq "$plain/files" "$result/files" | sed -n "s|^Only in $result.*: ||p")
        mv printed "$result/stdout"
    done
}

try_switch() { # TOOL SWITCH WORKLOADS
    local workload test=$name/$1/$2
    if ! apply "$1" "$2" switched; then
        check "$test/refused" "[ $2 = --copy=sparse ] && grep 'cannot be copied sparsely: ' log" log
    elif cmp -s default switched; then
        passed "$test/unchanged"
    else
        for workload in $3; do
            # The values that these load differ in each run: for example, numbers of processes.
            case "$1: $unrepeatable " in *audit*:*" $workload "* | cache*:*" $workload "*)
                skipped "$test/$workload" "it loads what differs from run to run"
                continue
                ;;
            esac
            # If counts are not derived, sums over blocks do not exclude the rest of a block after a fault that ended
            # the program.
            case $name:$workload:$2:$1 in
            addresses:faults:--without=placement:*prof | addresses:faults:nothing:*prof | addresses:faults:*:pixie \
                | addresses:faults:*:dyninst)
                skipped "$test/$workload" "blocks that faults end are counted whole"
                continue
                ;;
            esac
            run_workload "$1" "$workload" switched found
            # The number of digits of a process number, which some print, may have changed since.
            diff -rq "$1/$workload" found >/dev/null 2>&1 || run_workload "$1" "$workload" default "$1/$workload"
            same_results "$test/$workload" "$1/$workload" found
        done
    fi
}

# try_program NAME[/LEVEL][:WORKLOAD,...] TOOL,... SWITCH,...: "each" is every switch; without WORKLOADs, all workloads
# that are short and repeatable.
try_program() {
    local chosen=${1#"${1%%:*}"} program_name=${1%%[:/]*} level=O2 workload tool switch
    [[ ${1%%:*} != */* ]] || level=${1%%:*} level=${level#*/}
    use "$program_name" "$level" "$(. "$tests/programs/$program_name/program.sh" && echo "${workloads%% *}")" || return 0
    chosen=${chosen#:} chosen=${chosen//,/ }
    [ -n "$chosen" ] || chosen=$(tr ' ' '\n' <<<"$workloads" | grep -v -x -F "$(tr ' ' '\n' <<<"large $unrepeatable")")
    for workload in $chosen; do
        run_workload plain "$workload" "$program" "plain/$workload"
    done
    for tool in ${2//,/ }; do
        try_default "$tool" "$chosen" || continue
        for switch in $(tr , '\n' <<<"$3" | sed "s/^each$/${every//$'\n'/ }/"); do
            try_switch "$tool" "$switch" "$chosen"
        done
        rm -rf "$tool"
    done
}

# The switches, in lines, that are due with this program and this tool.
turn() { # PROGRAM-NUMBER TOOL-NUMBER
    printf '%s\n' ${SWITCHES:-$every nothing} | awk -v at=$(($1 + $2)) -v step="${SWITCHES_STEP:-5}" \
        'NR % step == at % step' | paste -s -d ,
}
if [ "$SIZE" = all ]; then # the longest first
    row=0
    for each in ${SWITCHES_PROGRAMS:-sqlite3 zpaq pbzip2 zblas blas minisat bzip2 lua mawk byacc minigzip lzip dash addresses}; do
        column=0
        for tool in ${SWITCHES_TOOLS:-$(list_tools | cut -d' ' -f1)}; do
            echo "$each $tool $(turn $row $column)"
            column=$((column + 1))
        done
        row=$((row + 1))
    done
else
    cat <<'END'
lua:errors some --without=placement,--copy=sparse
dash:expand audit,some nothing
lzip:damaged 2bit --without=placement,nothing
addresses/dynamic:jumps prof each,nothing
addresses:places audit --without=set-aside,--without=splitting,nothing
addresses/dynamic:jumps audit --without=scavenging,--without=observations
addresses:faults gprof --without=placement,--call=wrapper
addresses:faults cache --without=shortcuts
addresses/dynamic:jumps cache8k --without=branches,--without=delayed-saves,--without=renaming
END
    "$top/scripts/stock.sh" Switches | awk -F'\t' '{ split($2, word, " "); print word[1], $1, word[2] }'
fi >combinations
side_by_side try_program <combinations | tee results
[ "$SIZE" != all ] || awk -f "$tests/switches/table.awk" results
