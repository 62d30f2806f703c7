# any lines
cp "$PROGRAM/prog" prog
echo 'tool t' >t.atd
"$ATOMC" -t branch t.atd prog -o out
