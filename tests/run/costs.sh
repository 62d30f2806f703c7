# costs: no stock tool costs more than 2 % more than tests/bench/costs.txt has for the cross compiler's version: at the
# start and end of a run, and for each instruction of the program. Counts of instructions are the same in every run.
# Reduced costs have to be stored: make bench-costs
stored=$scratch/stored version=$(alpha-linux-gnu-gcc -dumpversion)
awk -v start="start-$version" 'NR == 1 { for (i = 2; i <= NF; i++) if ($i == start) at = i } {
    printf "%-14s %12s %14s\n", $1, $at, $(at + 1) }' \
    "$top/tests/bench/costs.txt" >stored
(cd "$top" && tests/bench/costs.sh) >found 2>log || true
check tools "[ \$(wc -l <found) = \$(wc -l <'$stored') ] && [ \$(wc -l <found) -gt 30 ]" log
# worse STORED FOUND: prints worse rows; a start and end may take 1,000 instructions more.
worse() {
    awk '{ split(substr($0, 15), n, " ") } NR == FNR { start[$1] = n[1]; work[$1] = n[2]; next }
        FNR > 1 && (!($1 in work) || n[1] > 1.02 * start[$1] + 1000 || n[2] > 1.02 * work[$1]) {
            print $1 ": " n[1] " and " n[2] ", stored " start[$1] " and " work[$1]
        }' "$1" "$2"
}
worse "$stored" found >rows
check costs "! grep . rows"
# A row that is worse by 3 % is found.
awk 'NR == 3 { printf "%-14s %12.0f %14.1f\n", $1, $2, $3 * 1.03; next } { print }' "$stored" >changed
check finds "worse '$stored' changed | grep ."
# Storing what is stored changes nothing.
check store "awk -v version=$version -f '$top/tests/bench/stored.awk' stored '$top/tests/bench/costs.txt' |
    diff - '$top/tests/bench/costs.txt'"

# A start takes no longer if there are many environment variables; C still finds them all, from its constructors on.
cat >environment.atd <<'END'
tool environment "the environment"
analysis "environment.cc"
before program  call Open()
END
cat >environment.cc <<'END'
#include <cstdio>
#include <cstdlib>
static struct early { const char *value; early() { value = getenv("V7"); } } before;
extern "C" void Open(void)
{
    setenv("V8", "changed", 1);
    printf("%s %s %s\n", before.value, getenv("V6"), getenv("V8"));
    fflush(stdout);
}
END
echo '#include <stdlib.h>
#include <stdio.h>
int main(void) { return puts(getenv("V8")) < 0; }' >main.c
alpha main main.c
variables() { seq "$1" | sed 's/.*/V&=value&/'; }
instrument environment environment.atd main
env -i $(variables 200) "$QEMU" environment >found
check environment "printf 'value7 value6 changed\nvalue8\n' | diff - found"
instrument empty -t empty main
for program in main empty; do
    for many in 10 200; do
        env -i $(variables $many) "$QEMU" -plugin "$BUILD/bench/plugins/count.so,out=$program.$many" ./$program >/dev/null 2>&1
    done
done
more=$(($(cat empty.200) - $(cat empty.10) - ($(cat main.200) - $(cat main.10))))
check environment/start "[ $more -lt 3000 ]"

# Frames are registered where they are needed: exceptions in C++, backtrace in C.
# Elsewhere that would cost 200,000 instructions (GCC 14).
cat >thrower.cc <<'END'
#include <cstdio>
#include <stdexcept>
extern "C" void Done(void) { try { throw std::runtime_error("caught"); }
    catch (const std::exception &e) { puts(e.what()); fflush(stdout); } }
END
cat >walker.c <<'END'
#include <execinfo.h>
#include <stdio.h>
static __attribute__((noinline)) int depth(void) { void *frames[20]; return backtrace(frames, 20); }
void Done(void) { puts(depth() > 1 ? "walked" : "not walked"); fflush(stdout); }
END
for code in thrower.cc walker.c; do
    printf 'tool frames "frames"\nanalysis "%s"\nafter program call Done()\n' $code >frames.atd
    instrument frames frames.atd main
    V8=x "$QEMU" frames >>frames.found
done
check frames "printf 'x\ncaught\nx\nwalked\n' | diff - frames.found"

# For code that is never executed, values takes a few instructions for each place: no row is searched, which would take
# 34. The value is 1, or with GCC 14 and another layout of the runtime 10, for an unknown reason.
for many in 100 5100; do
    {
        echo 'static volatile long there[100]; void never(void) {'
        seq "$many" | sed 's/.*/there[& % 100] = &;/'
        echo '} int main(int count, char **words) { if (count > 5) never(); return words == 0; }'
    } >never.c
    alpha never never.c
    instrument never.values -t values never
    "$QEMU" -plugin "$BUILD/bench/plugins/count.so,out=never.$many" ./never.values >/dev/null 2>&1
done
check values/never "[ $(($(cat never.5100) - $(cat never.100))) -lt 80000 ]"
