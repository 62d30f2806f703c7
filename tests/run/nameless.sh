# nameless: code without a symbol that only one named procedure branches to is a part of the procedure: branches to the
# part do not leave the procedure, branches back do not enter it, and the part's return leaves it. Code with several
# sources, a caller or an address is no part.
alpha static "$tests"/data/nameless.{c,s}
shared libparts.so "$tests/data/nameless.s" -shared -s -Wl,-soname,libparts.so
shared library "$tests/data/nameless.c" -L. -lparts -Wl,-rpath,.
counted() { # WORD...: without the code that the linker puts after `last`
    qemu "$@" | sed '/^last	0	/d'
}
for program in static library; do
    instrument instrumented --objects=all "$tests/data/nameless.atd" $program || continue
    check $program/quiet "[ ! -s instrumented.log ]" instrumented.log
    prints $program counted -L /usr/alpha-linux-gnu instrumented <<'END'
3505000
Procedure	Named	Entered	Left	Sum
plain	1	1000	1000	0
plain	0	625	625	0
fill	1	1000	1000	500500
fill	0	250	250	0
one	1	1000	1000	0
two	1	1000	1000	0
two	0	1500	1500	0
taken	1	1000	1000	0
taken	0	2000	2000	0
caller	1	1000	1000	0
caller	0	1000	1000	0
last	1	1000	1000	0
END
done

# The C library's memset continues in a loop that has no name after stripping.
cat >fill.c <<'END_C'
#include <stdlib.h>
#include <string.h>
__attribute__((noinline)) static void fill(char *text, int length) {
    memset(text, 'x', length);
}
int main(int count, char **words) {
    char *text = malloc(8);
    fill(text, 8 + count);
    return words[0] == text;
}
END_C
shared plain fill.c
instrument instrumented --objects=all -t third plain
ending log -L /usr/alpha-linux-gnu instrumented
prints memset cut -f1,2 third.out <<'END'
Error	Procedure
write outside a block	memset
leak	main
END
