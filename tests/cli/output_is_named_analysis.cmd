cp "$PROGRAM/prog" prog; printf 'tool t\nanalysis "t.c"\n' >t.atd; echo 'void Finish(void) {}' >t.c
"$ATOMC" t.atd prog -o t.c
