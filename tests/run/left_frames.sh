# left_frames: where a program with threads still reads below its stack pointer, sites do not write there. GCC makes such code where
# a procedure with an array of variable length ends, and of a goto out of a nested function.
libraries=/usr/alpha-linux-gnu
alpha static "$tests/data/left_frames.c" -pthread -Wl,-z,noexecstack
shared dynamic "$tests/data/left_frames.c" -pthread -Wl,-z,noexecstack
ending expected ./static
# That this is such code.
check has-such-code "alpha-linux-gnu-objdump -d static | awk '/<last>:/ { on = 1 } /\tret/ { on = 0 } on && /\tmov\tfp,sp/ { left = 1 } on && left && /\tldq_u/ { n++ } END { exit n != 1 }'"
for program in static dynamic; do
    for words in "-t audit" "-t audit --without=all" "-t third" "-t cache --call=wrapper" "-t values --for=qemu" "-t prof --stack=program"; do
        # shellcheck disable=SC2086 # several words
        instrument instrumented $words $program
        ending found -L $libraries ./instrumented
        same "$program/${words#-t }" expected found
    done
done
# What cannot be done in such a place is said.
check said "'$ATOMC' -t audit static -o instrumented 2>&1 | grep -q 'the frame that is left, and the value asked for is gone after it'"
