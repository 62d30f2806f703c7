# left_frames: if a program with threads still reads below its stack pointer, sites do not write there. GCC makes such
# code where a procedure with an array of variable length ends, and of a goto out of a nested function.
libraries=/usr/alpha-linux-gnu
alpha static "$tests/data/left_frames.c" -pthread -Wl,-z,noexecstack
shared dynamic "$tests/data/left_frames.c" -pthread -Wl,-z,noexecstack
ending expected ./static
# The program must contain such code.
check has-such-code "alpha-linux-gnu-objdump -d static |
    awk '/<last>:/ { on = 1 } /\tret/ { on = 0 } on && /\tmov\tfp,sp/ { left = 1 } on && left &&
    /\tld(q_u|bu)/ { n++ } END { exit n != 1 }'"
for program in static dynamic; do
    for words in "-t audit" "-t audit --without=all" "-t third" "-t cache --call=wrapper" "-t values --for=qemu" \
        "-t prof --stack=program"; do
        case $(pick $program all):$words in "static:-t third" | "static:-t audit --without=all" | static:*=wrapper \
            | dynamic:*values* | "dynamic:-t audit") continue ;; esac
        # shellcheck disable=SC2086 # several words
        instrument instrumented $words $program
        ending found -L $libraries ./instrumented
        same "$program/${words#-t }" expected found
    done
done
# A load that overwrites its own base has read the same value as in the program whose stack sites do not use.
for stack in own program; do
    instrument instrumented --strict --stack=$stack "$tests/data/left_addresses.atd" static
    qemu ./instrumented >addresses-$stack
done
same addresses addresses-own addresses-program
check addresses-read "awk -F'\t' '/^0x/ { n += \$2 > 0 } END { exit n < 10 }' <addresses-own" addresses-own
# Actions that are impossible in such a place are reported: if every register is observed, none is left to save a value
# in.
check said "'$ATOMC' -t audit static -o instrumented 2>&1 |
    grep -q 'the frame that is left, and the value asked for is gone after it'"
# A handler that jumps out of such a place: actions that were made before it, or are deferred to its end, are counted
# for executed instructions only.
agrees() {
    awk -F'\t' 'NR == 1 { wrong = $0 != 1 } /^0x/ { rows += $2 > 0; for (i = 3; i <= NF; i++) wrong += $i != $2 }
        /^[1-9]/ && NF > 1 { wrong++ }
        END { exit wrong || rows < 3 }'
}
alpha left "$tests/data/locked_left.c" "$tests/data/left_loop.s"
for flags in "" --without=placement; do
    instrument instrumented --stack=program $flags "$tests/data/left_loop.atd" left
    for times in $(pick 200 "200 1000 5000 5000 5000"); do
        qemu ./instrumented $times >found
        check "left/$times$flags" "agrees <found" found
    done
done
