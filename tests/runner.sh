#!/bin/bash
# runner.sh SIZE [NAME...]: sets up, builds, and runs the tests of a size: quick, check or all. With NAMEs, only the jobs whose
# names contain one of them: tests/runner.sh check cells unit/
# Requires: the repository as the working directory; Debian 12 or 13. docs/internals/testing.md lists the kinds of test.
#
# A job is a unit test program, a case (tests/run/NAME.sh), a part of one, a case under the sanitized atomc, or a test program at a
# level. It prints lines "ok", "not ok" and "skip"; its whole output stays in build/tests/logs. JOBS (default 2) run at a time, each
# for at most JOB_LIMIT seconds. The last line is the sum: "N passed, N failed, N skipped".
# SITTINGS names a file with the jobs that passed in earlier sittings, which are not run again; each job that passes adds a line to it.
set -u
cd "$(dirname "$0")/.." || exit 2
export BUILD=${BUILD:-$PWD/build} BUILD_CHECKED=${BUILD_CHECKED-$PWD/build-asan}
export ATOMC=${ATOMC:-$BUILD/atomc} JOB_LIMIT
# BUILD_CHECKED is the build with sanitizers; if it is empty there is none.
[ "${1:-}" != quick ] || BUILD_CHECKED=
[ -z "$BUILD_CHECKED" ] || export ATOMC_CHECKED=$BUILD_CHECKED/atomc
# Neither packages that the user has installed, nor tools of a folder of theirs.
export XDG_DATA_HOME=$BUILD/tests/none
unset ATOMTOOLPATH ATOMC_PACKAGES

# ---- jobs: KIND WORD... ---------------------------------------------------------------------------------------------

list_jobs() {
    local program case
    # The longest first: a job that begins last keeps one core waiting.
    for program in $(job_order tests/programs/*/program.sh); do
        (
            levels='' check_levels=''
            # shellcheck source=/dev/null
            . "tests/programs/$program/program.sh"
            case $SIZE in
            quick) levels=$(test "$program" != bzip2 || echo O2) ;;
            check) levels=${check_levels:-${levels%% *}} ;;
            esac
            for level in ${levels#none}; do
                echo "program $program $level"
            done
        )
    done
    # shellcheck disable=SC2046
    for case in $(job_order $(cases)); do
        case $(sed -n 's/^# size: //p' "tests/run/${case%%/*}.sh"):$SIZE in
        quick:* | :check | :all | all:all) echo "case ${case/\// }" ;;
        esac
    done
    [ -z "$BUILD_CHECKED" ] || printf 'checked %s\n' cli atd
    for program in "$BUILD"/tests/unit/* ${BUILD_CHECKED:+"$BUILD_CHECKED"/tests/unit/*}; do
        [ ! -x "$program" ] || case $program in *.*) ;; *) echo "unit $program" ;; esac
    done
}

# The cases: NAME, or NAME/PART for each file of a case that says "# parts: PATTERN".
cases() {
    local file parts part
    for file in tests/run/*.sh; do
        parts=$(sed -n 's/^# parts: //p' "$file") file=$(basename "$file" .sh)
        [ -n "$parts" ] || echo "$file"
        for part in $parts; do
            part=${part##*/} && echo "$file/${part%.*}"
        done
    done
}

# Names of programs or cases, those that took longest when they last ran first.
job_order() {
    local name
    for name in "$@"; do
        name=${name%/program.sh} name=${name#tests/programs/}
        echo "$(cat "$BUILD/tests/times/$name" "$BUILD/tests/times/program/$name-"* 2>/dev/null | sort -n | tail -n 1) $name"
    done | sort -rn | sed 's/.* //'
}

name_of() { # KIND WORD...
    case $1 in
    program) echo "program/$2-$3" ;;
    unit) echo "$(case $2 in "${BUILD_CHECKED:-none}"/*) echo checked- ;; esac)unit/$(basename "$2")" ;;
    case) echo "$2${3:+/$3}" ;;
    checked) echo "checked-$2" ;;
    esac
}

# Unit tests of one program: cmocka's TAP lines with the program's name. A test that was skipped is "ok 2 # SKIP name", with Debian 12's
# cmocka "not ok 2 # SKIP name".
unit_job() { # PROGRAM NAME
    local status=0 output
    output=$(CMOCKA_MESSAGE_OUTPUT=TAP "$1" 2>&1) || status=$?
    echo "$output" | sed -n "s|^\(not \)\?ok [0-9]* # SKIP *|skip $2/|p; s|^ok [0-9]* -* *|ok $2/|p; s|^not ok [0-9]* -* *|not ok $2/|p"
    [ "$status" = 0 ] || { echo "not ok $2: exit status $status" && echo "$output" | grep -v '^ok' | tail -n 20 | sed 's/^/    /'; }
}

# A case, in a folder of its own, after the prelude.
case_job() { # NAME SCRIPT
    local status=0
    case=$1 scratch=$(mktemp -d "${TMPDIR:-/tmp}/atomc-test.XXXXXX")
    export scratch case
    # shellcheck disable=SC2016
    bash -c '. tests/lib/prelude.sh; cd "$scratch"; eval "$0"; echo "# end"; exit $((failures > 0))' "$2" || status=$?
    echo "# status $status"
    # A browser that is being killed may write there once more: that is no failure of the case.
    { chmod -R u+rwx "$scratch" && rm -rf "$scratch"; } || rm -rf "$scratch" || true
    return $status
}

# One job; its lines go to its log, and those that matter to a reader, with the job's sum, to standard output.
run_job() { # KIND WORD...
    local kind=$1 name log status=0 cpu seconds passed failed
    name=$(name_of "$@")
    shift
    log=$logs/${name//\//-}.log
    TIMEFORMAT='%U %S' seconds=$SECONDS
    cpu=$({ time timeout -k 5 "$JOB_LIMIT" "$0" --run "$kind" "$name" "$@" >"$log" 2>&1 </dev/null; } 2>&1) || status=$?
    seconds=$((SECONDS - seconds))
    cpu=$(echo "$cpu" | awk '{ s += $1 + $2 } END { printf "%.1f", s }')
    case $status in
    0 | 1) [ $status = 0 ] || grep -a -q '^not ok' "$log" || echo "not ok $name: it ended with status 1" >>"$log" ;;
    124 | 137) echo "not ok $name: killed after $seconds s (its limit is $JOB_LIMIT)" >>"$log" ;;
    *) echo "not ok $name: it ended with status $status" >>"$log" ;;
    esac
    [ "$kind$status" = unit0 ] || [ "$status" != 0 ] || grep -a -q '^# end' "$log" || echo "not ok $name: it ended before its end" >>"$log"
    grep -a -q -E '^(ok|not ok|skip) ' "$log" || echo "not ok $name: no test ran" >>"$log"
    mkdir -p "$BUILD/tests/times/$(dirname "$name")"
    echo "$cpu" >"$BUILD/tests/times/$name"
    # One at a time, so that jobs do not mix.
    {
        flock 9
        echo "$name" >&9
        grep -a -E -A 30 '^(not ok|skip) ' "$log" | grep -a -v -e '^ok ' -e '^# end' || true
        passed=$(grep -a -c '^ok ' "$log") failed=$(grep -a -c '^not ok ' "$log")
        echo "[$(wc -l <"$logs/finished")/$JOBS_IN_ALL] $name: $passed passed, $failed failed, $cpu s"
        [ -z "${SITTINGS:-}" ] || [ "$failed" != 0 ] || printf '%s\t%s\t%s\t%s passed\t%s s\n' "$name" "$COMMIT" "$(date +%F)" "$passed" "$cpu" >>"$SITTINGS"
    } 9>>"$logs/finished"
}

# Whether a job has passed in an earlier sitting.
passed_before() { # NAME
    [ -n "${SITTINGS:-}" ] && cut -f 1 "$SITTINGS" 2>/dev/null | grep -q -x -F -e "$1"
}

selected() { # NAME
    local part
    [ -n "$SELECTION" ] || return 0
    for part in $SELECTION; do
        case $1 in
        program/*) [[ /$1 != */"$part"* ]] || return 0 ;; # not by its level: check-dynamic is another part
        *"$part"*) return 0 ;;
        esac
    done
    return 1
}

case ${1:-} in
--job) # a line of list_jobs
    # shellcheck disable=SC2086
    run_job $2
    exit 0
    ;;
--run) # KIND NAME WORD...: the job itself
    case $2 in
    program) case_job "$3" ". \$tests/lib/program.sh; try_program $4 $5 '' empty branch prof cache audit" ;;
    unit) unit_job "$4" "$3" ;;
    case) PART=${5:-} case_job "$4" ". \$tests/run/$4.sh" ;;
    checked) ATOMC=$BUILD_CHECKED/atomc case_job "$3" ". \$tests/run/$4.sh" ;;
    esac
    exit
    ;;
quick | check | all) export SIZE=$1 ;;
*) sed -n '2,3s/^# //p' "$0" >&2 && exit 2 ;;
esac
shift
export SELECTION="$*"
# A selection leaves the logs of the whole as they are.
export logs=$BUILD/tests/logs
[ -z "$SELECTION" ] || logs=$BUILD/tests/selected/$$

# ---- all of it ------------------------------------------------------------------------------------------------------

# Every file outside of the build folders: tests may leave none there.
files_of_tree() {
    find . \( -path ./.git -o -path './build*' \) -prune -o -type f -print | sort
}
count() {
    cat "$logs"/*.log 2>/dev/null | grep -a -c "^$1 "
}
cpu_time() { # sets cpu: what this process and all that it has waited for took. A subshell has times of its own.
    times >"$logs/times"
    cpu=$(tr ' m' '\n ' <"$logs/times" | awk '{ s += $1 * 60 + $2 } END { printf "%d min %d s", s / 60, s % 60 }')
}

JOB_LIMIT=${JOB_LIMIT:-$([ $SIZE = all ] && echo 20000 || echo 1800)}
scripts/setup.sh "$SIZE" || exit 2
built=$([ -z "$BUILD_CHECKED" ] && echo all unit-tests oracle || echo check-built)
case $SIZE$BUILD_CHECKED in check | all) built="$built build/atomc-workbench" ;; esac
rm -rf "$logs"
[ -n "$SELECTION" ] || rm -rf "$BUILD/tests/kept"
mkdir -p "$logs" "$BUILD/tests/times"
# What cases make for each other (once, in prelude.sh).
export ONCE=$BUILD/tests/once.$$
trap 'rm -rf "$ONCE"' EXIT
# shellcheck disable=SC2086
make --no-print-directory V=1 -j"${JOBS:-2}" $built >"$logs/build" 2>&1 || {
    grep -a -E '(: |^)(fatal )?(error|undefined reference)|[*][*][*]|command not found' "$logs/build" | head -n 20
    echo "the build failed; all that it printed is in $logs/build"
    exit 2
}
cpu_time
echo "built: $cpu of CPU time"
before=$(files_of_tree)
jobs=$(list_jobs | while read -r kind words; do
    # shellcheck disable=SC2086
    name=$(name_of $kind $words)
    ! selected "$name" || passed_before "$name" || echo "$kind $words"
done)
export JOBS_IN_ALL=$(wc -l <<<"$jobs")
COMMIT=$(git describe --always --dirty 2>/dev/null)
export COMMIT
[ ! -s "${SITTINGS:-}" ] || echo "$(wc -l <"$SITTINGS") jobs passed in earlier sittings, at $(cut -f 2 "$SITTINGS" | sort -u | tr '\n' ' ')"
[ -n "$jobs" ] || [ ! -s "${SITTINGS:-}" ] || { echo "all that is selected has passed before" && exit 0; }
echo "$JOBS_IN_ALL jobs; their output is in $logs"
echo "$jobs" | xargs -P "${JOBS:-2}" -d '\n' -n 1 "$0" --job
left=$(comm -13 <(echo "$before") <(files_of_tree))
if [ -n "$left" ]; then
    echo "not ok tree: the tests have left files: $left" | tee "$logs/tree.log"
else
    echo "ok tree" >"$logs/tree.log"
fi
passed=$(count ok) failed=$(count 'not ok') skipped=$(count skip)
if [ "$passed" -le 1 ]; then
    echo "no test ran"
    failed=1
fi
# Once more, together: they stand far apart among the jobs' lines.
[ "$failed" = 0 ] || grep -a -H '^not ok ' "$logs"/*.log | sed 's/^\([^:]*\):\(.*\)/\2\n    \1/'
cpu_time
[ -n "$SELECTION" ] || (
    cd "$BUILD/tests/times" && while read -r name; do echo "$(cat "$name") $name"; done <"$logs/finished" |
        sort -rn | head -n 10 | awk '{ line = line (NR > 1 ? ", " : "") $2 " " $1 } END { print "dearest jobs, in seconds of CPU time: " line }'
)
echo "$cpu of CPU time, $((SECONDS / 60)) min $((SECONDS % 60)) s elapsed"
echo "$passed passed, $failed failed$([ "$skipped" = 0 ] || echo ", $skipped skipped")"
[ "$failed" = 0 ]
