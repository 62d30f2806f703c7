# any lines
cp "$PROGRAM/prog" prog
"$ATOMC" --dump=soup -t branch prog -o out
