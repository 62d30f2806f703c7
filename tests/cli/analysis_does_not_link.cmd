# says undefined reference to .elsewhere
# any lines
cp "$PROGRAM/prog" prog
echo 'tool t
after program call Finish()' >t.atd
echo 'extern void elsewhere(void); void Finish(void) { elsewhere(); }' >t.c
"$ATOMC" t.atd t.c prog -o out
