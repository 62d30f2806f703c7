cp "$PROGRAM/prog" prog; ln -s t.c t.c; echo 'tool t' >t.atd
"$ATOMC" t.atd t.c prog -o out
