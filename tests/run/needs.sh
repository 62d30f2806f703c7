# needs: tools that follow procedures or system calls of the C library instrument libraries by default, and refuse a
# program in which they would find nothing.
export QEMU_LD_PREFIX=${LIBRARIES:-/usr/alpha-linux-gnu}
cat >leak.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    char *text = malloc(8), line[4];
    for (int i = 0; i <= 8; i++) /* one too many */
        text[i] = 'x';
    text = NULL; /* nothing leads to the block any more */
    puts(text || read(0, line, sizeof line) < 0 ? text : "nothing");
    return 0;
}
END
printf 'abc\n' >input
alpha static leak.c -O1
shared dynamic leak.c -O1
for kind in static dynamic; do
    cp $kind $kind.stripped
    alpha-linux-gnu-strip $kind.stripped
done

# The output of one tool for one program, without addresses.
seen() { # TOOL PROGRAM
    rm -f "$1.out"
    instrument "$1.$2" -t "$1" "$2" && qemu "$1.$2" <input >/dev/null && cat "$1.out"
}
# For a kind of program and a tool, true if the test includes them: each tool with a static and a dynamic program, if
# not all.
tried() { # PROGRAM TOOL
    [ "$SIZE" = all ] || [[ " static/malloc static/dynmem dynamic.stripped/third static/third dynamic/read static/read \
        dynamic.stripped/dynmem dynamic/malloc static.stripped/io dynamic/io static/syscall dynamic.stripped/syscall " = \
        *" $1/$2 "* ]]
}
for program in static dynamic dynamic.stripped; do
    if tried $program third; then
        seen third $program | cut -f 1,4,5 >third.seen
        check third/$program "[ \"\$(cat third.seen)\" = \"Error	Times	Bytes
write outside a block	1	1
leak	1	8\" ]"
    fi
    if tried $program malloc; then
        seen malloc $program >malloc.seen
        check malloc/$program "awk -F '\t' '\$1 == 8 && \$5 >= 8 { found = 1 } END { exit !found }' malloc.seen"
    fi
    if tried $program dynmem; then
        seen dynmem $program >dynmem.seen
        check dynmem/$program "grep -q '	1	8	0	0	1	8	8	0\$' dynmem.seen"
    fi
    if tried $program read; then
        seen read $program >read.seen
        check read/$program "awk 'NR == 2 && \$1 >= 1 && \$3 >= 4 { found = 1 } END { exit !found }' read.seen"
    fi
done
for program in static static.stripped dynamic dynamic.stripped; do
    if tried $program io; then
        seen io $program >io.seen
        check io/$program "grep -q '^stdin	0	1	4	' io.seen && grep -q '^stdout	0	0	0	1	8	' io.seen"
    fi
    if tried $program syscall; then
        seen syscall $program >syscall.seen
        check syscall/$program "[ \$(grep -c -E '^(read|write)	' syscall.seen) = 2 ]"
    fi
done

# The tool would find nothing: no result, and a status.
refused() { # NAME TOOL HINT WORDS...
    local name=$1 tool=$2 hint=$3 status=0
    shift 3
    rm -f refused.atom
    "$ATOMC" -t "$tool" "$@" -o refused.atom >refused.text 2>&1 || status=$?
    check "$name/$tool" \
        "[ $status = 1 ] && [ ! -e refused.atom ] && grep -q \"tool '$tool' examines nothing\" refused.text &&
            grep -q -e '$hint' refused.text"
}
for tool in third malloc dynmem read; do
    refused stripped $tool 'no symbols' static.stripped
done
for tool in third malloc dynmem read io syscall; do
    refused asked $tool '--objects=all' --objects=main dynamic
done
status=0
"$ATOMC" run -t third -- ./static.stripped <input >run.text 2>&1 || status=$?
check run "[ $status = 125 ] && ! grep -q -e ^nothing\$ -e '0 errors' run.text"

# Other parts than the heap can still be examined, and a message reports that the heap was not.
instrument stacks -t third -D heap=false static.stripped
ATOMC_QUIET=0 qemu stacks <input >/dev/null 2>stacks.text
check stacks "grep -q 'no block of the heap was seen' stacks.text"

# A program that shows all it has, and has no heap, has none.
cat >bare.s <<'END'
	.globl	_start
	.ent	_start
_start:	lda	$0, 1($31)
	lda	$16, 0($31)
	callsys
	.end	_start
END
alpha-linux-gnu-gcc -nostdlib -static -Wl,--no-relax bare.s -o bare
for tool in third malloc dynmem read; do
    check bare/$tool "'$ATOMC' -t $tool bare -o bare.atom 2>/dev/null && qemu bare.atom"
done

# A user's page. Several tools: the needs of all of them.
cat >own.atd <<'END'
tool own "calls of puts"
needs putting "procedure puts" from "libc" when look
param boolean look = true
counter calls
set putting = proc p where p.name == "puts"
for p in putting { before p calls++ }
report "-" "Calls" calls
END
instrument own own.atd dynamic
prints own qemu own <<'END'
nothing
Calls
1
END
instrument both own.atd -t prof -D libraries=true dynamic
check both "qemu both >/dev/null && grep -q 'libc.so' prof.out && ! grep -q 'ld-linux' prof.out"
check without \
    "'$ATOMC' --dump=program own.atd -D look=false dynamic | grep -q dynamic &&
        '$ATOMC' own.atd -D look=false dynamic -o own && qemu own | grep -q -x 0"
status=0
"$ATOMC" own.atd --objects=main dynamic -o own >own.text 2>&1 || status=$?
check own/refused "[ $status = 1 ] && grep -q '^own.atd:2:1: error: dynamic: there is no procedure puts' own.text"
