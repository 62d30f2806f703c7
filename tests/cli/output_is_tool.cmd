# any lines
cp "$PROGRAM/prog" prog
echo 'tool t' >t.atd
"$ATOMC" t.atd prog -o t.atd
