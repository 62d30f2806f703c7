# cached: atomc --json --cached takes the instrumented program from the cache, with the document of its making, and never another.
alpha program "$tests/data/looks.c" -g
cat >tool.atd <<'END2'
tool counting "counts by C" analysis "tool.c"
for p in procs where p.name == "work" { before p call Enter() }
after program call End()
END2
cat >tool.c <<'END2'
#include <stdio.h>
#include "tool.h"
static long entered = FIRST;
void Enter(void) { entered++; }
void End(void) { FILE *f = fopen("tool.out", "w"); fprintf(f, "%ld\n", entered); fclose(f); }
END2
echo '#define FIRST 0' >tool.h
export ATOMC_CACHE=$PWD/cache
cached() { # OUTPUT WORD...: is it from the cache?
    "$ATOMC" "${@:2}" program --json --cached -o "$1" >"$1.json" 2>log || true
    jq .cached "$1.json"
}
check new "[ \$(cached first tool.atd -v) = null ] && [ \$(cached second tool.atd -v) = true ]" log
"$ATOMC" tool.atd program -o third
check same "cmp first second && cmp first third && [ \$(stat -c %a second) = \$(stat -c %a third) ]"
check document "diff <(jq -S 'del(.cached)' second.json) <(jq -S . first.json) && jq -e .statistics.procedures second.json"
check progress "[ \$(cached second tool.atd -v --progress=2) = true ]"
check words "[ \$(cached second tool.atd) = null ] && [ \$(cached second tool.atd) = true ] &&
    [ \$(jq .statistics second.json) = null ]"
check run "'$ATOMC' run tool.atd -- ./program exit 0 2>log && [ \"\$(cat tool.out)\" = 100 ] &&
    [ \$(cached second tool.atd) = true ]" log
echo '#define FIRST 1000' >tool.h
check header "[ \$(cached second tool.atd) = null ] && [ \$(cached second tool.atd) = true ]"
(qemu ./second exit 0 >log 2>&1) || true
check header/runs "[ \"\$(cat tool.out)\" = 1100 ]" tool.out
entry=$(ls -t cache | grep -v '[.]' | head -n 1)
truncate -s -1 "cache/$entry"
check damaged "[ \$(cached first tool.atd) = null ] && cmp first second"
check errors "! '$ATOMC' nothing.atd program --json --cached -o wrong >found.json &&
    jq -e '.diagnostics | length > 0' found.json && [ ! -e wrong ]"
# If the name of the output is read, the program is made again.
sed 's/for p in procs/for o in objects where o.output == "x" { before program call Enter() }\nfor p in procs/' tool.atd >named.atd
check output "[ \$(cached first named.atd) = null ] &&
    jq -e '.diagnostics | map(select(.severity == \"error\")) == []' first.json &&
    [ \$(cached first named.atd) = null ]" first.json
check off "[ \$(ATOMC_CACHE= cached second tool.atd) = null ] && cmp first second || true"
check usage "! '$ATOMC' tool.atd program --cached 2>log && grep -q -e '--cached: with --json' log &&
    ! '$ATOMC' --check --json --cached tool.atd" log
