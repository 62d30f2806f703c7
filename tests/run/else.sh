# else: exactly one of the parts is executed at each event: beside statements with the opposite condition, and against the
# sum of all events, with threads, handlers, longjmp and exceptions; inlined, called, and by the runtime.
cp "$tests"/else/* "$tests"/depth/program.cc .
alpha program program.cc -g -std=c++17 -pthread
sum() { awk '/^total/ { sum += $2 } END { print sum }' "$@"; }
for flags in "" --without=all; do
    instrument instrumented $flags else.atd program || continue
    ATOMC_OUT=out qemu instrumented
    same "branches$flags" out/branches out/opposite
    same "chain$flags" out/chain out/opposites
    check "sums$flags" "awk '\$1 != \$2 || \$1 != \$3 || \$1 < 1000 { exit 1 }' out/sums" out/sums
    calls=$(cut -d ' ' -f 1 out/sums)
    check "keys$flags" "[ $(sum out/first out/other) = $calls ] && [ $(sum out/first) -gt 100 ] &&
        [ $(sum out/other) -gt 100 ]" out/first
    check "threads$flags" "[ $(sum out/threads out/others) = $calls ] && [ $(sum out/all) = $calls ] &&
        [ $(wc -l <out/threads) = 3 ] && [ $(wc -l <out/others) -ge 5 ]" out/others
done

# Static parts of a condition decide at each place before its values are looked at.
for flags in "" --without=all; do
    instrument parts.atom $flags parts.atd program || continue
    ATOMC_OUT=out qemu parts.atom
    check "parts$flags" "awk '/^[0-9]/ { rows += \$1 == \$2 && \$1 > 100 } END { exit rows != 6 }' out/parts" out/parts
done
