# interruptions: each point of tests/interruptions/list has a test that exists: jobs, words in them, sources; and runs
# the points that no other job covers. POINTS="1.1 5" runs these points completely, each TIMES times if it depends on
# the time (make interruptions); LINKED: static or dynamic only.
list=$tests/interruptions/list
# lines of POINT, linked, tool, runs, of which passed, commit, load; such runs are not made again
results=${RESULTS:-$scratch/results}
: >>"$results"
commit=$(git -C "$top" rev-parse --short HEAD 2>/dev/null || echo -)

# ---- how a run is compared: in the folder work, with plain.FILE of a plain run; `program` and `words` are the point's, `out` is 
# PREFIX EXECUTABLE [OPTION OF THE EMULATOR...]: output and status in PREFIX.said; always under the same name, in a folder
# without files, to the end of all its processes
execute() {
    local prefix=$1 options=("${@:3}")
    chmod -R u+rwx work && rm -rf work && mkdir -m 777 work
    ln -f "$2" program
    (cd work &&
        ending ../"$prefix.said" -seed 1 -s 600000000 -L "$libraries" -E LD_BIND_NOW=1 "${options[@]}" \
        ../program "${words[@]}" 7>&1) |
        timeout "$RUN_TIMEOUT" cat >left || echo "a process is left" >>"$prefix.said"
}
run_same() {
    execute found "$1" && diff plain.said found.said
}
# The message of atomc about it is in a separate file, and must not be empty.
run_told() {
    execute found "$1" && grep -v '^atomc: ' found.said | diff plain.said - && grep -q '^atomc: ' found.said
}
run_left() {
    run_same "$1" && [ -s "work/$out" ]
}
run_counts() {
    run_left "$1" || return 1
    [ "$tool" != prof ] || bash "$tests/lib/counts.sh" prof plain.oracle work/prof.out "$program" "$own"
}
# At addresses of atomc, a line names both ranges, and results are written.
run_mapped() {
    execute found "$1"
    if grep -q '^atomc: the program maps' found.said; then
        grep -q "^atomc: the program maps ${words[0]} to 0x[0-9a-f]*, where the analysis side is: 0x[0-9a-f]* to 0x[0-9a-f]*: stopped\$" found.said &&
            grep -qx 'exit status 134' found.said
    else
        diff plain.said found.said
    fi && [ -s "work/$out" ]
}
run_files() {
    execute found "$1" && diff plain.said found.said && cmp work/found plain.file && [ -s "work/$out" ]
}
# Locked memory: in KB, the plain program's and 100 MB.
run_resident() {
    execute found "$1"
    tail -n 1 found.said | grep -qx "exit status 0" && awk '/^[0-9]+$/ && $1 > 1000 { size[FILENAME] = $1 }
        END { exit !(size["plain.said"] && size["found.said"] && size["found.said"] < size["plain.said"] + 100000) }' plain.said \
            found.said
}
# Processor time: twelve times the plain program's, and two seconds for start and end. Under an emulator, most of it is
# for translating the code that writes results in each child (docs/internals/benchmark.md).
run_cost() {
    local plain
    plain=$(spent "$program") || return 1
    awk -v plain="$plain" -v found="$(spent "$1")" 'BEGIN { print plain, found; exit !(plain > 0 && found < 12 * plain + 2) }' \
        && diff plain.said found.said
}
spent() {
    TIMEFORMAT='%U %S'
    { time execute found "$1" >&3 2>&3; } 3>/dev/null 2>&1 | awk '{ print $1 + $2 }'
}

# ---- programs ----
libraries=${LIBRARIES:-/usr/alpha-linux-gnu} own=
declare -A sources
build() { # NAME LINKED
    local source words=()
    [ ! -e "$1-$2" ] || return 0
    for source in ${sources[$1]}; do
        case $source in -*) words+=("$source") ;; *) words+=("$tests/$source") ;; esac
    done
    if [ "$2" = static ]; then alpha "$1-$2" "${words[@]}"; else shared "$1-$2" "${words[@]}"; fi
}

# Two at a time, each in a folder of its own, up to the first that fails. Sets made and passed.
repeat() {
    local worker workers=$((runs > 1 ? 2 : 1)) pids=()
    rm -rf worker-[12]
    for ((worker = 1; worker <= workers; worker++)); do
        mkdir -p "worker-$worker/work"
        cp worker-0/plain.* "worker-$worker"
        (cd "worker-$worker" && repeat_here "$worker" "$workers") &
        pids+=($!)
    done
    wait "${pids[@]}" || true
    made=$(cat worker-[12]/runs | wc -l) passed=$(cat worker-[12]/runs | grep -c passed) || true
    : >differs
    for worker in worker-[12]/differs.failed; do
        [ ! -e "$worker" ] || mv "$worker" differs
    done
}
repeat_here() { # FIRST STEP
    local run
    : >runs
    for ((run = $1; run <= runs; run += $2)); do
        [ ! -e ../worker-1/differs.failed ] && [ ! -e ../worker-2/differs.failed ] || break
        if "run_$how" ../instrumented >differs 2>&1; then
            echo passed >>runs
        else
            echo failed >>runs
            { cat differs && tail -n 50 found.said; } >differs.failed
            mkdir -p "$(dirname "$results")/failed" && cp differs.failed "$(dirname "$results")/failed/$test-$run"
        fi
    done
}

# In a folder whose path is as long as the others', because paths are in the program's memory.
run_plain() {
    execute plain "$program"
    rm -f plain.file plain.oracle plain.*-*
    [ ! -e work/found ] || cp work/found plain.file
    # The oracle's run has the same name, folder and output: procedures of the C library work on all of them.
    [ "$how" != counts ] || execute oracle "$program" -singlestep -plugin "$oracle,out=$PWD/plain.oracle,registers=on,cache=on"
    touch "plain.$point-$linked"
}

# combination POINT HOW LINKED TOOL RUNS
combination() {
    local point=$1 how=$2 linked=$3 tool=$4 runs=$5 made passed test
    local out=${tool%% *}.out
    program=$scratch/$name-$linked
    test=$point-$linked-${tool// /}
    case $how:$name in # procedures whose counts do not depend on the libraries
    counts:arithmetic) \
        own='^(behind_call|through_27|by_return|by_call|elsewhere|row|behind_caller|choose|called|behind_a_call|main)$' ;;
    *) own= ;;
    esac
    [ ! -s "$results" ] || ! awk -F'\t' -v key="$point/$linked/$tool" -v runs="$runs" \
        '$1 "/" $2 "/" $3 == key && $5 >= runs { found = 1 } END { exit !found }' "$results" || return 0
    build "$name" "$linked"
    # shellcheck disable=SC2086 # the tool has options
    [ -e "made-$name-$linked-${tool// /}" ] || instrument "made-$name-$linked-${tool// /}" -t $tool "$program" || return 0
    ln -f "made-$name-$linked-${tool// /}" instrumented
    if [ ! -e "worker-0/plain.$point-$linked" ]; then
        mkdir -p worker-0/work
        (cd worker-0 && run_plain)
    fi
    repeat
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$point" "$linked" "$tool" "$made" "$passed" "$commit" \
        "$(cut -d ' ' -f 1 /proc/loadavg)" >>"$results"
    check "$test" "[ $made = $runs ] && [ $passed = $runs ]" differs
}

is_asked() { # POINT
    local part
    for part in ${POINTS:-}; do
        [ "$part" != all ] || return 0
        case $1 in "$part" | "$part".*) return 0 ;; esac
    done
    return 1
}

# ---- load: others want the processor all the time ----
loops=()
for ((i = 0; i < ${LOAD:-0}; i++)); do
    (while :; do :; done) &
    loops+=($!)
done
trap '[ ${#loops[@]} = 0 ] || kill "${loops[@]}"' EXIT

points=0 seen=' '
while IFS= read -r line; do
    case $line in
    'program '*)
        read -r _ name rest <<<"$line"
        sources[$name]=$rest
        for source in $rest; do
            case $source in -*) ;; *) [ -e "$tests/$source" ] || failed "program-$name" "$source is not there" ;; esac
        done
        continue
        ;;
    '#'* | '') continue ;;
    esac
    IFS='|' read -r point _ when how what tools in_check links <<<"$line"
    read -r point <<<"$point" && read -r when <<<"$when" && read -r how <<<"$how"
    read -r name what <<<"$what"
    read -r -a words <<<"$what"
    points=$((points + 1))
    case $seen in *" $point "*) failed "$point" "it stands there twice" ;; esac
    seen+="$point "
    case $when in moment | always) ;; *) failed "$point" "when: $when" ;; esac
    case $how in
    job)
        [ "$(grep -c -e "$what" "$tests/run/$name.sh")" -gt 0 ] || failed "$point" "no \`$what' in tests/run/$name.sh"
        if is_asked "$point" && ! grep -q "^$point		$name	1	1" "$results"; then
            before=$failures
            (cd "$top" && SIZE=check tests/runner.sh --run case "$name" "$name") >job.log 2>&1 || true
            check "$point-$name" "grep -q '^ok $name/' job.log && ! grep '^not ok' job.log" job.log
            printf '%s\t%s\t%s\t1\t%s\t%s\t%s\n' "$point" "" "$name" "$((failures == before))" "$commit" \
                "$(cut -d ' ' -f 1 /proc/loadavg)" >>"$results"
        fi
        continue
        ;;
    program)
        [ -e "$tests/programs/$name/program.sh" ] || failed "$point" "no program $name"
        continue
        ;;
    esac
    [ "$(type -t "run_$how")" = function ] || failed "$point" "no function run_$how"
    [ -n "${sources[$name]:-}" ] || { failed "$point" "no program $name" && continue; }
    all=() default=("prof" cache audit third)
    IFS=, read -r -a given <<<"$tools"
    for tool in "${given[@]}"; do
        read -r tool <<<"$tool"
        case $tool in
        +*) all+=("${tool#+}") ;;
        ?*) all+=("$tool") default=() ;;
        esac
    done
    if is_asked "$point"; then
        for linked in ${links:-${LINKED:-static dynamic}}; do
            for tool in "${default[@]}" "${all[@]}"; do
                combination "$point" "$how" "$linked" "$tool" "$([ "$when" = moment ] && echo "${TIMES:-$(pick 1 10)}" || echo 1)"
            done
        done
    elif [ -z "${POINTS:-}" ]; then
        # LINKED/TOOL, whose options may be words that follow.
        # shellcheck disable=SC2013 # no spaces are left
        for item in $(sed 's/ *\(static\|dynamic\)\//\n\1\//g; s/ *$//' <<<"$in_check" | sed '/^ *$/d; s/ /~/g'); do
            item=${item//\~/ }
            combination "$point" "$how" "${item%%/*}" "${item#*/}" 1
        done
    fi
done <"$list"
check list "[ $points -gt 45 ] && [ $failures = 0 ]"
