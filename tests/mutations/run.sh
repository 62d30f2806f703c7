#!/bin/bash
# run.sh [KIND...]: make mutations. Breaks the code once for each kind of test, in a copy, and expects that kind to fail.
# Requires: what make check has built; the repository as the working directory.
#
# tests/mutations/list has a line for each: KIND, FILE, JOB and a sed script, which must change the file.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-$PWD/build}
copy=$build/mutations
caught=0 survived=0
rm -rf "$copy"
git clone -q . "$copy" || exit 2
# Uncommitted changes too, and programs that are built.
git ls-files -z | xargs -0 cp -a --parents -t "$copy"
mkdir -p "$copy/build/tests"
ln -s "$build/programs" "$build/sources" "$copy/build"
cd "$copy" || exit 2
export BUILD=$copy/build BUILD_CHECKED='' ATOMC=$copy/build/atomc
make -j2 --no-print-directory all unit-tests oracle >build.log 2>&1 || { tail build.log && exit 2; }

while read -r kind file job script <&3; do
    case $kind in '' | '#'*) continue ;; esac
    [ $# = 0 ] || case " $* " in *" $kind "*) ;; *) continue ;; esac
    cp -p "$file" kept || exit 2
    sed -i -e "$script" "$file"
    if cmp -s kept "$file"; then
        echo "not ok mutations/$kind: '$script' changes nothing in $file"
        survived=$((survived + 1))
    else
        JOB_LIMIT=200 tests/runner.sh check "$job" >found 2>&1
        first=$(sed -n 's/^not ok //p' found | head -n 1)
        if [ -n "$first" ]; then
            echo "ok mutations/$kind: $file $script: $(grep -a -c "^not ok" found) tests fail, the first is $first"
            caught=$((caught + 1))
        else
            echo "not ok mutations/$kind: $file $script: no test of $job fails"
            tail -n 5 found
            survived=$((survived + 1))
        fi
    fi
    cp kept "$file" # with a new time: it is compiled again
done 3<tests/mutations/list
cd "$build" && rm -rf "$copy"
echo "$caught passed, $survived failed"
[ "$survived" = 0 ]
