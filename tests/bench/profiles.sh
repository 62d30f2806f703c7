#!/bin/bash
# profiles.sh: what --profile gains: instruction ratios of tools on eight programs without a profile, with one of the same input,
# and with one of another input. Requires: what `make bench` builds. Writes $BUILD/bench/profiles.tsv.
# A program that does something else with a tool than without ends it.
#   BENCH_SCALE=N  inputs of N per cent; BENCH_PROGRAMS=..., PROFILE_TOOLS=... instead of all
set -eu -o pipefail
repository=$(pwd)
BUILD=${BUILD:-$repository/build}
ATOMC=${ATOMC:-$BUILD/atomc}
base=$BUILD/bench/profiles
tools=${PROFILE_TOOLS:-prof pixie branch pipe}
# shellcheck source=tests/bench/workloads.sh
. tests/bench/workloads.sh
programs=${BENCH_PROGRAMS:-$profile_programs}

# run EXECUTABLE [QEMU_OPTION...]: in the folder of inputs that is current
run() {
    local executable=$1 output=$folder/$(basename "$1").output
    shift
    env -i ATOMC_FORMAT=json ATOMC_OUT="$folder/reports" qemu-alpha -seed 1 -0 "$program" "$@" "$executable" "${arguments[@]}" \
        <"$standard_input" >"$output" 2>/dev/null || echo "status $?" >>"$output"
}
instructions() { # EXECUTABLE: in fresh inputs
    rm -rf "$folder/work"
    cp -a "$folder/$input" "$folder/work"
    cd "$folder/work"
    run "$1" -plugin "$BUILD/bench/plugins/count.so,out=$folder/count"
    cd "$repository"
    cat "$folder/count"
}
prepare() { # FUNCTION INPUT
    input=$2
    rm -rf "${folder:?}/$input"
    mkdir -p "$folder/$input"
    cd "$folder/$input"
    "$1"
    cd "$repository"
}

mkdir -p "$base"
{
    echo "program	tool	without	same input	other input"
    for program in $programs; do
        folder=$base/$program
        mkdir -p "$folder"
        plain=$(tests/programs/build.sh "$program" O2)
        "$ATOMC" -t pixie "$plain" -o "$folder/pixie" >/dev/null
        for input in other same; do
            prepare "$([ $input = same ] && echo bench || echo other)_$program" $input
            instructions "$folder/pixie" >/dev/null
            mv "$folder/reports/pixie.out" "$folder/$input.json"
        done
        count=$(instructions "$plain")
        for tool in $tools; do
            line="$program	$tool"
            for profile in '' same other; do
                "$ATOMC" -t "$tool" ${profile:+--profile="$folder/$profile.json"} "$plain" -o "$folder/$tool" >/dev/null
                line="$line	$(awk -v a="$(instructions "$folder/$tool")" -v b="$count" 'BEGIN { printf "%.3f", a / b }')"
                cmp "$folder/$(basename "$plain").output" "$folder/$tool.output" >&2
            done
            echo "$line"
        done
    done
} | tee "$BUILD/bench/profiles.tsv"
awk -F'\t' 'NR > 1 { n[$2]++; for (i = 3; i <= 5; i++) sum[$2, i] += log($i) }
    END { for (t in n) { printf "mean\t%s", t; for (i = 3; i <= 5; i++) printf "\t%.3f", exp(sum[t, i] / n[t]); print "" } }' "$BUILD/bench/profiles.tsv" | sort
