# any lines
cp "$PROGRAM/prog" prog
echo 'tool t
after program cal Finish()' >t.atd
echo 'void Finish(void) {}' >t.c
"$ATOMC" t.atd t.c prog -o out
