# inline_sites: inline has the calls that a compiler could inline, with the callee's bytes; with all=true it has the
# other calls, too: calls through pointers, recursive calls, calls of libraries, and calls of code without source.
cat >sites.c <<'END'
#include <string.h>
int none(const char *);
__attribute__((noipa)) static int leaf(int n) { return n * 3 + 1; }
__attribute__((noipa)) static int again(int n) { return n < 2 ? n : again(n - 1) + leaf(n); }
__attribute__((noipa)) static int other(int n) { return n - 1; }
int (*volatile pointer)(int) = other;
int main(void) {
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += leaf(i) + pointer(i);
    return sum + again(6) + none("text") == 0;
}
END
cat >none.c <<'END'
#include <string.h>
int none(const char *text) { return (int)strlen(text); }
END
alpha-linux-gnu-gcc -O1 -c none.c
rows() { # FILE: caller, callee, calls, whether the size is the symbol's, up to the next procedure
    awk -F'\t' -v all="${2:-}" 'NR == FNR { size[$1] = $2 + 0; next }
        FNR > 1 && (!all || $4 == "main" || $4 == "again") {
            print $4, $5, $2, ($5 == "" ? $6 == 0 : $6 >= size[$5] && $6 < size[$5] + 16) }' \
        <(alpha-linux-gnu-nm -S --defined-only "$1" | while read -r _ size _ name;
            do [ -z "$name" ] || printf '%s\t%d\n' "$name" "$((16#$size))"; done) inline.out | sort
}
alpha sites "$PWD/sites.c" none.o -O1 -g -fno-optimize-sibling-calls
instrument instrumented -t inline sites
qemu instrumented >found 2>&1 || true
prints own rows sites <<'END'
again leaf 5 1
main again 1 1
main leaf 5 1
END
instrument instrumented -t inline -D all=true -D top=1000000 sites
qemu instrumented >found 2>&1 || true
rows sites all | grep -v '_' >found
prints all cat found <<'END'
again again 5 1
again leaf 5 1
main  5 1
main again 1 1
main leaf 5 1
main none 1 1
END
shared dynamic "$PWD/sites.c" none.c -O1 -g -fno-optimize-sibling-calls
instrument instrumented -t inline --objects=all dynamic
qemu -L /usr/alpha-linux-gnu instrumented >found 2>&1 || true
cut -f4,5 inline.out | sed 1d | sort >found
prints dynamic cat found <<'END'
again	leaf
main	again
main	leaf
main	none
END
# Without any source, only size and calls are known.
alpha stripped sites.c none.o -O1 -fno-optimize-sibling-calls
instrument instrumented -t inline -D top=1000000 stripped
qemu instrumented >found 2>&1 || true
rows stripped all >found
prints without-source cat found <<'END'
again leaf 5 1
main again 1 1
main leaf 5 1
main none 1 1
END
