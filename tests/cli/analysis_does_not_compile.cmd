# says t.c:1:25: error:
# any lines
cp "$PROGRAM/prog" prog
echo 'tool t
after program call Finish()' >t.atd
echo 'void Finish(void) { int }' >t.c
"$ATOMC" t.atd t.c prog -o out
