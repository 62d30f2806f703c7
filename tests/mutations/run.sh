#!/bin/bash
# run.sh [KIND...]: make mutations. Breaks the code once for each kind of test, in a copy, and expects that kind to fail.
# Requires: what make check has built; the repository as the working directory.
#
# tests/mutations/list has a line for each: KIND, FILE, JOB and a sed script, which must change the file. The job must pass before, and
# fail by a check of its own: a program that could not be built, or a job that was killed, shows nothing.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-$PWD/build}
copy=$build/mutations
caught=0 survived=0
passes=' ' # the jobs that have passed unbroken
rm -rf "$copy"
git clone -q . "$copy" || exit 2
# Uncommitted changes too, and programs that are built.
git ls-files -z | xargs -0 cp -a --parents -t "$copy"
mkdir -p "$copy/build/tests" "$build/programs" "$build/sources"
ln -s "$build/programs" "$build/sources" "$copy/build"
cd "$copy" || exit 2
export BUILD=$copy/build BUILD_CHECKED='' ATOMC=$copy/build/atomc
make -j2 --no-print-directory all unit-tests oracle >build.log 2>&1 || { tail build.log && exit 2; }

missed() { # KIND WHY
    echo "not ok mutations/$1: $2"
    survived=$((survived + 1))
}

# try KIND FILE JOB SCRIPT: the job passes, and fails with the file changed
try() {
    local first
    case $passes in
    *" $3 "*) ;;
    *)
        if ! JOB_LIMIT=400 tests/runner.sh check "$3" >found 2>&1; then
            missed "$1" "$3 fails unbroken: $(sed -n 's/^not ok //p' found | head -n 1)"
            return
        fi
        passes+="$3 "
        ;;
    esac
    cp -p "$2" kept || exit 2
    sed -i -e "$4" "$2"
    if cmp -s kept "$2"; then
        missed "$1" "'$4' changes nothing in $2"
        return
    fi
    JOB_LIMIT=200 tests/runner.sh check "$3" >found 2>&1
    cp kept "$2" # with a new time: it is compiled again
    # Only the mutations of the runner itself may end a job.
    case $1 in
    too-long | ends-early | no-result | left-file) first=$(sed -n 's/^not ok //p' found | head -n 1) ;;
    *) first=$(grep -av -e ': does not build' -e ': killed after' found | sed -n 's/^not ok //p' | head -n 1) ;;
    esac
    if [ -z "$first" ]; then
        missed "$1" "$2 $4: no test of $3 fails"
        tail -n 5 found
        return
    fi
    echo "ok mutations/$1: $2 $4: $(grep -a -c "^not ok" found) tests fail, the first is $first"
    caught=$((caught + 1))
}

while read -r kind file job script <&3; do
    case $kind in '' | '#'*) continue ;; esac
    [ $# = 0 ] || case " $* " in *" $kind "*) ;; *) continue ;; esac
    try "$kind" "$file" "$job" "$script"
done 3<tests/mutations/list
cd "$build" && rm -rf "$copy"
echo "$caught passed, $survived failed"
[ "$survived" = 0 ]
