# first_registers: a program begins with the registers that the kernel sets, including floating-point registers, with no
# data below its stack, and with its mask of signals; so does a dynamic linker.
alpha-linux-gnu-gcc -static -nostdlib -Wl,--no-relax "$tests/data/first_registers.S" -o plain
alpha-linux-gnu-gcc -shared -nostdlib -Wl,-e,_start "$tests/data/first_registers.S" -o linker
alpha-linux-gnu-gcc -no-pie -nostdlib -Wl,--dynamic-linker="$PWD/linker" "$tests/data/first_registers.S" -o dynamic
# Both have one name, because QEMU puts it on the stack.
for each in plain dynamic; do
    cp "$each" run
    "$QEMU" -0 x run >"$each.expected"
    check "$each/expected" "[ \$(stat -c %s $each.expected) = 8192 ]"
    for tool in empty prof cache "prof --for=qemu"; do
        # shellcheck disable=SC2086
        "$ATOMC" -t $tool "$each" -o run 2>log || failed "$each/$tool" "not instrumented" log
        "$QEMU" -0 x run >found 2>log || true
        od -A d -t x8 -v found >found.words
        od -A d -t x8 -v "$each.expected" >expected.words
        same "$each/$tool" expected.words found.words
    done
done
