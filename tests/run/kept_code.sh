# kept_code: analysis code is compiled one time, and again when any of its inputs differs; the results are the same.
alpha plain "$tests/data/looks.c"
export ATOMC_CACHE=$PWD/cache
# A compiler that records its compilations; reading the includes of a file is not a compilation.
mkdir bin
for name in gcc g++; do
    printf '#!/bin/sh\ncase " $* " in *" -E "*) ;; *) echo "$@" >>%s ;; esac\nexec %s "$@"\n' \
        "$PWD/compiled" "$(command -v alpha-linux-gnu-$name)" >bin/alpha-linux-gnu-$name
done
chmod +x bin/*
PATH=$PWD/bin:$PATH

# made TEST NUMBER WORD...: the number of calls of the compiler, to compile or to link, for a program in `found`;
# messages are in `said`.
made() {
    local test=$1 number=$2
    shift 2
    : >compiled
    "$ATOMC" "$@" plain -o found 2>said || true
    check "$test" "[ \$(wc -l <compiled) = $number ]" compiled
}
same_as_new() { # TEST WORD...
    cp found kept
    cp said said.kept
    ATOMC_CACHE= "$ATOMC" "${@:2}" plain -o found 2>said
    check "$1" "cmp kept found && diff said said.kept"
}

cat >code.atd <<'END'
tool code "C"
analysis "code.c"
after program call Say()
END
cat >code.c <<'END'
#include <stdio.h>
#include "said.h"
#warning this is seen each time
void Say(void) { puts(SAID); }
END
echo '#define SAID "one"' >said.h
made first 2 code.atd
check first/said "grep -q 'this is seen' said" said
made again 0 code.atd
same_as_new again/same code.atd
made again/other-name 2 --strict "$PWD/code.atd" # its source has another name
echo '#define SAID "two"' >said.h
made changed 2 code.atd
check changed/runs "qemu found exit 0 | grep -qx two"
echo '#define SAID "one"' >said.h
made changed-back 0 code.atd
check changed-back/runs "qemu found exit 0 | grep -qx one"
echo '#define SAID' >said.h
made wrong 1 code.atd
check wrong/said "grep -q 'error' said" said
made wrong/again 1 code.atd
echo '#define SAID "one"' >said.h

# A stock tool, from another folder too; two tools together.
made stock 3 -t cache
made stock/again 0 -t cache
same_as_new stock/same -t cache
mkdir elsewhere
cp plain elsewhere
: >compiled
(cd elsewhere && "$ATOMC" -t cache plain -o found) 2>said
check stock/elsewhere "[ ! -s compiled ]" compiled
sed 's/tool code/tool second/; s/code\.c/second.c/' code.atd >second.atd
sed 's/SAID);/"second");/' code.c >second.c
made together 5 code.atd second.atd
made together/again 0 code.atd second.atd
check together/said "grep -c 'seen each time' said | grep -qx 4" said # each with its source line
same_as_new together/same code.atd second.atd
echo "/* */" >>second.c
made together/changed 5 code.atd second.atd

LIBRARY_PATH=$PWD made environment 2 code.atd
for file in cache/*.code0; do
    printf x | dd of="$file" bs=1 seek=5000 conv=notrunc status=none
done
made damaged 2 code.atd
same_as_new damaged/same code.atd
ATOMC_CACHE= made nothing 2 code.atd
ATOMC_CACHE=/proc/none made unusable 2 code.atd
check unusable/said "! grep -q kept said" said

# The assembler reads a file that the compiler does not.
cat >code.c <<'END'
#include <stdio.h>
__asm__(".data\nsaid: .incbin \"said.txt\"\n.byte 0\n.text");
extern char said[];
void Say(void) { puts(said); }
END
printf one >said.txt
made assembler 2 code.atd
printf two >said.txt
made assembler/again 2 code.atd
check assembler/runs "qemu found exit 0 | grep -qx two"
