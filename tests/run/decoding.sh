# decoding: a handler that decodes the instruction that caused its signal finds the program's own instruction, also in a
# dynamic program, whose text is full of traps.
# shellcheck source=../lib/dynamic.sh
. "$tests/lib/dynamic.sh"
link_both decoding "$tests/data/decoding.c" -O2 -g
link_both decoding_threads "$tests/data/decoding_threads.c" -O2 -g -pthread
for program in {decoding,decoding_threads}-{dynamic,pie}; do
    ending expected -L "$libraries" -0 program $program
    check $program "grep -Eq '8 decoded, 0 unknown|6 threads decoded all' expected" expected
    tools=(empty "prof --objects=all" cache "third --objects=all")
    case $program in decoding_threads-*) tools=(empty cache) ;; esac
    for words in "${tools[@]}"; do
        # shellcheck disable=SC2086 # several words
        instrument instrumented -t $words $program || continue
        ending found -L "$libraries" -0 program instrumented
        check "$program/${words%% *}" "diff expected found"
    done
done
