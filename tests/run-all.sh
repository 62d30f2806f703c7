#!/bin/bash
# run-all.sh: runs every test, two at a time, and ends with the line "N passed, N failed" (", N skipped").
# Requires: all that `make check` builds before it (tests/rules.mk); run from the repository's root.
#
# A job is a unit test program, a script tests/run/*.sh or a program at a level; it prints lines ok, not ok and skip.
# JOBS (default 2) run at a time; the whole output of each stays in build/tests/logs. With arguments only the jobs
# whose names contain one of them run: tests/run-all.sh lua unit/
set -u
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
export BUILD ATOMC
logs=$BUILD/tests/logs

# Unit tests of one program: cmocka's TAP lines with the program's name.
unit_job() { # PROGRAM
    local name status=0 output
    name=unit/$(basename "$1")
    output=$(CMOCKA_MESSAGE_OUTPUT=TAP "$1" 2>&1) || status=$?
    echo "$output" | sed -n "s|^ok [0-9]* -* *|ok $name/|p; s|^not ok [0-9]* -* *|not ok $name/|p"
    if [ "$status" != 0 ]; then
        echo "not ok $name: exit status $status"
        echo "$output" | grep -v '^ok' | tail -n 20 | sed 's/^/    /'
    elif ! echo "$output" | grep -q '^ok'; then
        echo "not ok $name: no test in it"
    fi
}

list_jobs() {
    local program script
    # The longest first.
    for program in sqlite3 zpaq pbzip2 $(find tests/programs -name program.sh | cut -d/ -f3 | sort |
        grep -v -x -e sqlite3 -e zpaq -e pbzip2); do
        (
            levels=
            # shellcheck source=/dev/null
            . "tests/programs/$program/program.sh"
            for level in $levels; do
                echo "program $program $level"
            done
        )
    done
    for script in tests/run/*.sh; do
        case $(basename "$script") in
        library.sh | counts.sh | program.sh) ;; # parts of others
        *) echo "script $script" ;;
        esac
    done
    # The command line and the language again, with the sanitized atomc.
    if [ -n "${ATOMC_CHECKED:-}" ]; then
        echo "checked tests/run/cli.sh"
        echo "checked tests/run/atd.sh"
    fi
    for program in "$BUILD"/tests/unit/* ${BUILD_CHECKED:+"$BUILD_CHECKED"/tests/unit/*}; do
        [ ! -x "$program" ] || case $program in *.*) ;; *) echo "unit $program" ;; esac
    done
}

# One job; its lines go to its log, and those that matter to a reader, with the job's sum, to standard output.
run_job() {
    local kind=$1 name log
    shift
    case $kind in
    program) name=$1-$2 ;;
    unit) name=unit/$(basename "$1") ;;
    script) name=$(basename "$1" .sh) ;;
    checked) name=checked-$(basename "$1" .sh) ;;
    esac
    case $1 in "${BUILD_CHECKED:-none}"/*) name=checked-$name ;; esac
    if ! selected "$name"; then
        return
    fi
    log=$logs/${name//\//-}.log
    SECONDS=0
    case $kind in
    program) tests/run/program.sh "$1" "$2" ;;
    unit) unit_job "$1" ;;
    script) bash "$1" ;;
    checked) ATOMC=$ATOMC_CHECKED bash "$1" ;;
    esac >"$log" 2>&1 || grep -q '^not ok' "$log" || echo "not ok $name: the script failed" >>"$log"
    grep -q -E '^(ok|not ok|skip) ' "$log" || echo "not ok $name: no test ran" >>"$log"
    {
        grep -v '^ok ' "$log"
        echo "$name: $(grep -c '^ok ' "$log") passed, $(grep -c '^not ok ' "$log") failed, ${SECONDS} s"
    } >"$log.shown"
    # One write, so that jobs do not mix.
    cat "$log.shown"
    rm "$log.shown"
}

selected() { # NAME
    local part
    [ -n "$SELECTION" ] || return 0
    for part in $SELECTION; do
        case $1 in *"$part"*) return 0 ;; esac
    done
    return 1
}

if [ "${1:-}" = --job ]; then
    shift
    SELECTION=${SELECTION:-}
    # shellcheck disable=SC2086
    run_job $1
    exit 0
fi
export SELECTION="$*"
rm -rf "$logs"
mkdir -p "$logs"
list_jobs | xargs -P "${JOBS:-2}" -d '\n' -n 1 "$0" --job
count() {
    cat "$logs"/*.log 2>/dev/null | grep -c "^$1 "
}
passed=$(count ok)
failed=$(count 'not ok')
skipped=$(count skip)
if [ "$((passed + failed))" = 0 ]; then
    echo "no test ran"
    failed=1
fi
echo "$passed passed, $failed failed$([ "$skipped" = 0 ] || echo ", $skipped skipped")"
[ "$failed" = 0 ]
