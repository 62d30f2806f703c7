# any lines
cp "$PROGRAM/prog" prog
echo 'tool t
after program call Finished()' >t.atd
echo 'void Finish(void) {}' >t.c
"$ATOMC" t.atd t.c prog -o out
