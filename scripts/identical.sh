#!/bin/bash
# identical.sh COMMIT SIZE: tests whether this build and that commit's build instrument programs with equal results, byte
# for byte. `make identical BASE=COMMIT` runs it.
# Requires a build, git, and test programs: PROGRAMS, or the programs that tests/programs/build.sh has built; if there
# are none, it builds two.
#
# The commit is built one time, in build/identical/COMMIT/tree. Both builds are at one path while they run, because
# paths are written into their outputs. Both use this build's runtime, whose debug information has paths of sources; a
# separate line reports whether the runtimes' code is equal. SIZE short: each tool on one program, a few switches and
# dumps on two programs. all: each tool and each switch on each program, hours of CPU. Outputs that differ are kept in
# build/identical/differ. Exit status 1: something differs.
set -u
cd "$(dirname "$0")/.." || exit 2
commit=$(git rev-parse --short "${1:?BASE=COMMIT is missing}^{commit}") || exit 2
size=${2:-short}
work=$PWD/build/identical at=$PWD/build/identical/at jobs=${JOBS:-2}
runtime=(runtime.o atom_analysis.o analysis digests)

# ---- two trees as `make install` lays them out ------------------------------------------------------------------------------------------

lay_out() { # SOURCE TREE
    rm -rf "$2"
    (cd "$1" && scripts/installed.sh build "${runtime[@]/#/build/runtime/}") | while read -r mode file path; do
        case $path in bin/* | lib/atomc/runtime/* | share/atomc/*) (cd "$1" && install -D -m "$mode" "$file" "$2/$path") || exit ;; esac
    done
}
if [ ! -x "$work/$commit/tree/build/atomc" ]; then
    rm -rf "${work:?}/$commit"
    mkdir -p "$work/$commit"
    git clone -q --no-checkout . "$work/$commit/tree" && git -C "$work/$commit/tree" checkout -q "$commit" || exit 2
    make -C "$work/$commit/tree" -j"$jobs" all >"$work/$commit/log" 2>&1 || { echo "identical: $commit does not build: $work/$commit/log"; exit 2; }
fi
mkdir -p "$work/outputs"
lay_out "$work/$commit/tree" "$work/base" || exit 2
lay_out . "$work/new" || exit 2
loaded() { # TREE: the runtime without its debug information
    alpha-linux-gnu-strip -g -o "$work/stripped" "$1/lib/atomc/runtime/analysis" && sha256sum <"$work/stripped"
}
[ "$(loaded "$work/base")" = "$(loaded "$work/new")" ] && code=same || code=other
for file in "${runtime[@]}"; do
    install -m 644 "build/runtime/$file" "$work/base/lib/atomc/runtime/$file"
done

# ---- what is compared: lines of PROGRAM and atomc's words ---------------------------------------------------------------------------------

if [ -z "${PROGRAMS:-}" ]; then
    PROGRAMS=$(find "$(realpath "${BUILD:-build}")/programs" -mindepth 2 -maxdepth 2 -path '*-*/*' -type f -perm -u+x 2>/dev/null | sort | tr '\n' ' ')
    # Most tools are for Alpha's programs: they come first.
    PROGRAMS="$(grep -v /aarch64- <<<"${PROGRAMS// /$'\n'}" | tr '\n' ' ')$(grep /aarch64- <<<"${PROGRAMS// /$'\n'}" | tr '\n' ' ')"
    [ -n "${PROGRAMS// /}" ] || PROGRAMS="$(tests/programs/build.sh lua O2) $(tests/programs/build.sh lua dynamic)" || exit 2
fi
tools=$("$work/new/bin/atomc" --list | sed 's/ .*//')
switches=$("$work/new/bin/atomc" info passes | sed '1,/--without/d; s/ .*//; s/^/--without=/' &&
    echo "--without=all --call=wrapper --call=direct --copy=all --copy=sparse --for=qemu --stack=program --poison")
dumps="program procedures cfg instructions threads sites routines templates counts observations code map"
each_job() {
    local program tool word number=0 selected
    for program in $PROGRAMS; do
        selected=$((number++))
        for tool in $tools; do
            case $size:$selected in all:* | short:0) echo "$program -t $tool" ;; esac
        done
        for tool in branch cache third; do
            for word in $switches; do
                case $size:$tool:$word in
                all:* | short:cache:--without=all | short:cache:--copy=all | short:branch:--without=[lpt]* | short:third:--call=wrapper)
                    [ "$size" = all ] || [ "$selected" -lt 2 ] || continue
                    echo "$program -t $tool $word"
                    ;;
                esac
            done
            [ "$size" = all ] || { [ "$selected" -lt 2 ] && [ "$tool" = branch ]; } || continue
            for word in $dumps; do
                echo "$program -t $tool --dump=$word"
            done
        done
    done
}
each_job | awk '{ print NR, $0 }' >"$work/jobs"
[ -s "$work/jobs" ] || { echo "identical: nothing to compare"; exit 2; }

# ---- one build after the other, at one path ------------------------------------------------------------------------------------------------

run_all() { # TREE
    rm -rf "$at" "$work/outputs/$1"
    mkdir -p "$work/outputs/$1"
    mv "$work/$1" "$at"
    # shellcheck disable=SC2016
    tr '\n' '\0' <"$work/jobs" | (cd "$work/outputs" && XDG_CACHE_HOME=$work/cache XDG_DATA_HOME=$work/none xargs -0 -n 1 -P "$jobs" bash -c '
        set -- '"$1 $at"'/bin/atomc $1
        folder=$PWD/$1/$3 atomc=$2 program=$4
        shift 4
        mkdir -p "$folder" && cd "$folder" && "$atomc" "$@" "$program" -o output >said 2>&1
        echo $? >status' identical)
    mv "$at" "$work/$1"
}
run_all base
run_all new
rm -rf "$work/differ"
files=0 bytes=0 differences=0
while read -r number words; do
    for file in output said status; do
        a=$work/outputs/base/$number/$file b=$work/outputs/new/$number/$file
        [ -e "$a" ] || [ -e "$b" ] || continue
        files=$((files + 1)) bytes=$((bytes + $(stat -c %s "$b" 2>/dev/null || echo 0)))
        cmp -s "$a" "$b" && continue
        differences=$((differences + 1))
        mkdir -p "$work/differ/$number"
        cp "$a" "$work/differ/$number/$file.base"
        cp "$b" "$work/differ/$number/$file.new"
        echo "differs: $file of atomc $words: $(cmp "$a" "$b" 2>&1 | sed 's/.*: //; s/.*differ: //')"
    done 2>/dev/null
done <"$work/jobs"
failed=$(cat "$work"/outputs/new/*/status | grep -vc '^0$')
echo "identical: $commit: $(wc -l <"$work/jobs") jobs, $files files, $bytes bytes, $failed jobs that atomc refuses, $differences differences; the runtime's code: $code"
rm -rf "$work/outputs"
# If most programs are refused, for example because they do not exist, nothing has been compared.
[ $((2 * failed)) -lt "$(wc -l <"$work/jobs")" ] || { echo "identical: atomc refuses most jobs"; exit 2; }
[ "$differences" = 0 ]
