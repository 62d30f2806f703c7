# What was there stays: the analysis code must not be lost.
cp "$PROGRAM/prog" prog
echo 'tool t' >t.atd
echo 'void Finish(void) {}' >t.c
"$ATOMC" t.atd t.c prog -o ./t.c
