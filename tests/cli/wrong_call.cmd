# any lines
cp "$PROGRAM/prog" prog
echo 'tool t
after program call Finish(1, 2)' >t.atd
echo 'void Finish(int once) { (void)once; }' >t.c
"$ATOMC" t.atd t.c prog -o out
