# coverage_summary: the lines, procedures and branches that coverage reports as executed equal those of its file in
# lcov's format: for code that is inlined in several places, for lines with several blocks, and for a single requested
# file.
cat >listed.h <<'END'
static inline int clamped(int n) {
    if (n > 5)
        return 5;
    return n < 0 ? 0 : n;
}
static inline int unused(int n) { return n * 3; }
END
cat >listed.c <<'END'
#include "listed.h"
static int total;
__attribute__((noipa)) void add(int n) { for (int i = 0; i < clamped(n); i++) total += i; }
__attribute__((noipa)) int never(int n) {
    int k = clamped(n - 3);
    return k > 2 ? unused(k) : total;
}
int main(int count, char **words) {
    (void)words;
    for (int i = 0; i < 9; i++) { add(i); if (i == 100) { total = -1; } }
    if (count > 4)
        return never(count);
    return total == 0;
}
END
alpha listed "$PWD/listed.c" -O1 -g
# From the exported file: line, procedure and branch that it has, and that was executed; rounded down.
summed() { # FILE
    awk -F'[:,]' '
        function said(what, some, all) {
            if (all) printf "atomc: coverage: %s %d.%d %% (%d of %d)\n", what,
                some * 100 / all, some * 1000 / all % 10, some, all }
        function add(kind, key, was) { if (!((kind, key) in seen)) { seen[kind, key] = 1; all[kind]++ }
            if (was && !((kind, key) in done)) { done[kind, key] = 1; some[kind]++ } }
        /^SF:/ { file = $2 }
        /^DA:/ { add("lines", file ":" $2, $3 > 0) }
        /^FNDA:/ { add("procedures", file ":" $3, $2 > 0) }
        /^BRDA:/ { add("branches", file ":" $2 ":" $3 ":" $4, $5 + 0 > 0) }
        END { said("lines", some["lines"], all["lines"]);
            said("procedures", some["procedures"], all["procedures"]); said("branches", some["branches"], all["branches"]) }' "$1"
}
for source in '*' '*listed.c' '*.h'; do
    instrument instrumented -t coverage -D source="$source" listed
    ATOMC_QUIET=0 qemu instrumented 2>&1 | grep 'coverage:' >found || true
    summed coverage.out >expected
    same "same/${source#\*}" expected found
done
ATOMC_QUIET=0 qemu instrumented never a b c 2>&1 | grep 'coverage:' >found || true
summed coverage.out >expected
same same/never expected found
check figures "[ \$(sed -n 's/.*lines 100.0 %.*/1/p' expected | wc -l) = 0 ] &&
    grep -q 'lines [0-9.]* % (.*of [1-9]' expected" expected
# The program's output is its own; without lines there is no summary.
qemu instrumented >found 2>&1
check silent "[ ! -s found ]" found
alpha stripped "$PWD/listed.c" -s
"$ATOMC" -t coverage stripped -o instrumented >log 2>&1 || true
check without-lines "! ATOMC_QUIET=0 qemu instrumented 2>&1 | grep coverage:"
if command -v lcov >log; then
    instrument instrumented -t coverage listed
    ATOMC_QUIET=0 qemu instrumented 2>&1 | sed -n 's/.*lines .*(\(.*\))/\1/p' >expected
    lcov --summary coverage.out 2>&1 | sed -n 's/.*lines.*(\(.*\) lines).*/\1/p' >found
    same lcov expected found
fi
