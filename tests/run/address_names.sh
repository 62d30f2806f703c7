# address_names: $symbol, $object and $line. Of all addresses of a program against nm and addr2line, and against the
# engine's names; of return addresses in memory, in libraries, threads and handlers, against the places of the calls.
cp "$tests"/address_names/*.atd "$tests"/depth/program.cc .
alpha static program.cc -g -std=c++17 -pthread
shared dynamic program.cc -g -std=c++17 -pthread

instrument instrumented places.atd static
ATOMC_OUT=places qemu instrumented >/dev/null
# The engine's table has no line as file:0, and no names for addresses between procedures.
sed 's/\t[^\t]*:0\t/\t(unknown)\t/; s,\t/[^\t]*/,\t,' places/engine >expected
same engine expected places/insts
check many "[ \$(grep -vc unknown expected) -gt 500 ]"
cut -f1 places/insts | sed 's/^/0x/; s/0x0x/0x/' >addresses
alpha-linux-gnu-addr2line -e static <addresses |
    sed 's/ (discriminator.*//; s/^?.*/(unknown)/; s/.*:?$/(unknown)/; s/.*:0$/(unknown)/' | sed 's,.*/,,' >expected
cut -f3 places/insts >found
same addr2line expected found
alpha-linux-gnu-nm -S static | awk 'NF == 4 && $3 !~ /[uU]/ { print $1, $2, $4 }' >symbols
# Each name is that of a symbol that contains the address.
inside() { # reads ADDRESS NAME
    awk 'function hex(text,    i, n) {
            sub(/^0x/, "", text)
            for (i = 1; i <= length(text); i++) n = 16 * n + index("0123456789abcdef", substr(text, i, 1)) - 1
            return n
        }
        NR == FNR { begin = hex($1); end = begin + hex($2); n = ++count[$3]; from[$3, n] = begin; to[$3, n] = end; next }
        { ok = 0; at = hex($1)
          for (i = 1; i <= count[$2]; i++) ok = ok || (at >= from[$2, i] && at < to[$2, i])
          good += ok; if (!ok) bad++ }
        END { print good, bad + 0 }' symbols -
}
awk '{ print $1, $2 }' places/data | inside >data
check data "read good bad <data && [ \$good -gt 200 ] && [ \$bad = 0 ]" data
awk -F '\t' 'NR % 50 == 0 { print $1, $2 }' places/insts | inside >code
check code "read good bad <code && [ \$good -gt 500 ] && [ \$((20 * bad)) -lt \$good ]" code
check ends "awk '\$3 ~ /unknown/' places/data | head -1 | wc -l | grep -qx 0" places/data
prints none cat places/none <<'END'
Symbol	Object	Line
(unknown)	(unknown)	(unknown)
END

for kind in static dynamic; do
    objects=
    [ $kind = static ] || objects=--objects=all
    instrument instrumented $objects callers.atd $kind || continue
    rm -rf out
    ATOMC_OUT=out qemu -L /usr/alpha-linux-gnu instrumented
    sort out/expected >expected
    sort out/found >found
    same "$kind/callers" expected found
    awk '{ n[$1 " " $2] += $3 } END { for (i in n) print i, n[i] }' out/raw | sort >found
    same "$kind/keys" expected found
    check "$kind/sorted" "cut -d' ' -f1 out/raw | LC_ALL=C sort -c" out/raw
    check "$kind/sums" "awk 'NR == 2 { exit !(\$1 > 1000 && \$2 > 400 && \$3 == 0) }' out/sums" out/sums
    # The program's own count: 408 calls of leaf by recurse.
    check "$kind/recurse" "grep -qx 'total	408' out/recurse && awk '\$1 != \"dynamic\" && \$1 != \"static\" && NR > 1 &&
        !/^total/' out/recurse | wc -l | grep -qx 0" out/recurse
    # Keys beyond the limit have no address, so no name.
    check "$kind/few" "[ \$(grep -c '^(other)	(other)	' out/few) = 1 ] && [ \$(wc -l <out/few) = 5 ]" out/few
    check "$kind/all" "[ \"\$(awk '{ n += \$NF } END { print n }' out/expected)\" = \
        \"\$(awk '/^total/ { print \$NF }' out/few)\" ]" out/few
    # Static addresses of values that were kept are those of the values themselves.
    instrument instrumented $objects kept.atd $kind || continue
    rm -rf out
    ATOMC_OUT=out qemu -L /usr/alpha-linux-gnu instrumented
    sort out/expected >expected
    sort out/moved >found
    same "$kind/kept" expected found
    check "$kind/kept-some" "[ \$(wc -l <expected) -gt 5 ] &&
        if [ $kind = static ]; then cmp expected <(sort out/raw); else ! cmp -s expected <(sort out/raw); fi" expected
done
