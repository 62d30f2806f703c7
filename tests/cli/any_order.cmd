# any lines
# status 0
# leaves out
cp "$PROGRAM/prog" prog
echo 'tool t
after program call Finish()' >t.atd
echo '#include <stdio.h>
void Finish(void) { puts("finished"); }' >t.c
"$ATOMC" -o out prog t.c t.atd && qemu-alpha ./out hello
