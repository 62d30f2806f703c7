#!/bin/bash
# crash.sh: a crash in an analysis routine is reported as the routine's, with its line, and ends the program by a signal.
# Requires: atomc (ATOMC), the Alpha cross compiler, qemu-alpha; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cat >analysis.c <<'END'
#include <stdio.h>
#include <string.h>
static long total;
void Direct(long n, long place) {
    if (n > 3)
        *(long *)place = n;
    total += n;
}
void Library(const char *text) {
    total += strlen(text);
    printf("%ld\n", total);
}
END
cat >crash.atd <<'END'
tool crash "analysis routines that crash"
param boolean library = false
for p in procs where p.name == "main" {
    before p when not library  call Direct(5, 16)
    before p when library      call Library($a0)
}
END
echo 'int main(void) { return 0; }' >program.c
alpha-linux-gnu-gcc -static -Wl,--no-relax program.c -o program
ulimit -c 0
for library in false true; do
    "$ATOMC" --call=wrapper -D library=$library crash.atd analysis.c program -o crashing
    status=0
    { "$QEMU" ./crashing >out 2>err || status=$?; } 2>/dev/null
    if [ "$library" = true ]; then
        wanted='atomc: the analysis code crashed with signal 11 in strlen, called by Library (analysis.c:10), pc 0x'
    else
        wanted='atomc: the analysis code crashed with signal 11 in Direct (analysis.c:6), pc 0x'
    fi
    # The file's name has its folder.
    if [ $status = 139 ] && sed 's|([^ ]*/|(|; s/pc 0x.*/pc 0x/' err | grep -q -x -F "$wanted"; then
        passed "crash/library=$library"
    else
        failed "crash/library=$library" "exit status $status, and on standard error:" err
    fi
done
# A routine that is put in at its site has no address of its own.
"$ATOMC" crash.atd analysis.c program -o crashing
status=0
{ "$QEMU" ./crashing >out 2>err || status=$?; } 2>/dev/null
main=$(alpha-linux-gnu-nm program | sed -n 's/^0*\([0-9a-f]*\) T main$/\1/p')
if [ $status = 139 ] && grep -q -x "atomc: the analysis code crashed with signal 11, called at 0x$main; .*" err; then
    passed "crash/put in"
else
    failed "crash/put in" "exit status $status, and on standard error:" err
fi
