# any lines
cp "$PROGRAM/prog" prog
echo 'tool t
after program call Finish()' >t.atd
echo 'void Finish(void) {} int main(void) { return 0; }' >t.c
"$ATOMC" t.atd t.c prog -o out
