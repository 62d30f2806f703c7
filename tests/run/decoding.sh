# decoding: a handler that decodes the instruction which has made its signal finds the program's own, also in a dynamic program, whose text
# is full of traps.
# shellcheck source=../lib/dynamic.sh
. "$tests/lib/dynamic.sh"
link_both decoding "$tests/data/decoding.c" -O2 -g
for program in decoding-dynamic decoding-pie; do
    ending expected -L "$libraries" -0 program $program
    check $program "grep -q '8 decoded, 0 unknown' expected" expected
    for words in "empty" "prof --objects=all" "cache" "third --objects=all"; do
        # shellcheck disable=SC2086 # several words
        instrument instrumented -t $words $program || continue
        ending found -L "$libraries" -0 program instrumented
        check "$program/${words%% *}" "diff expected found"
    done
done
