# peak: the memory of atomc: the difference between a larger and a smaller program, in bytes for each byte of text.
# Limits are a fifth above the measured values. Copies of all sites, kept for a rare case, once made it 50 per cent
# larger, and sites of 112 bytes did the same.
peak_of() { # PROGRAM WORD...: kilobytes
    "$ATOMC" -v -t "${@:2}" "$1" -o "$1.instrumented" >"$1.log" 2>&1 || failed "$1/${*:2}" "atomc failed" "$1.log"
    awk '/peak memory/ { print $NF }' "$1.log"
}
text_of() { # PROGRAM: kilobytes
    alpha-linux-gnu-size -A "$1" | awk '$1 == ".text" { print int($2 / 1024) }'
}
# grows TEST SMALL LARGE MORE BOUND WORD...: between the programs there are MORE kilobytes of text. Some runs take four
# megabytes more, depending on where the kernel puts pages: a measurement above the limit is repeated.
grows() {
    local test=$1 small=$2 large=$3 more=$4 bound=$5 few many
    shift 5
    for _ in 1 2; do
        few=$(peak_of "$small" "$@") many=$(peak_of "$large" "$@")
        [ $((many - few)) -ge $((bound * more)) ] || break
    done
    check "$test" "[ $more -gt 2000 ] && [ $((many - few)) -gt 0 ] && [ $((many - few)) -lt $((bound * more)) ]" "$large.log"
    echo "$*: $(((many - few) * 10 / more)) tenths of a byte for each byte of text, at most $((bound * 10))"
}
# Tables grow in steps of about a megabyte, and below half a megabyte of text other memory is larger: both must be small
# in the difference. One small module for all of them, and for scale: compiling the measured amount of text takes longer
# than the rest of the test.
export GENERATED_FLAGS=-fPIC GENERATED_MODULE_KB=100
"$top/tests/bench/generate.sh" 500 small
"$top/tests/bench/generate.sh" "$(pick 2750 10000)" large
more=$(($(text_of large) - $(text_of small)))
alpha warm -x c - <<<'int main(void) { return 0; }'
while read -r bound words; do
    # shellcheck disable=SC2086 # several words
    {
        # From then on the analysis code is kept: to make it takes more than the small program.
        "$ATOMC" -t $words warm -o warm.instrumented 2>/dev/null
        grows "${words%% *}" small large $more $bound $words
    }
done < <(echo "14 prof"; pick "" "17 cache" | grep . || true; echo "24 cache -D lines=true"; echo "30 third")

# With libraries, the text of all of them counts.
for n in 1 6; do "$top/tests/bench/generate.sh" 500 libraries$n $n; done
grows libraries libraries1 libraries6 $(($(text_of libraries1.0.so) * 5)) 15 prof --objects=all
