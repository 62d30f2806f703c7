# any lines
cp "$PROGRAM/prog" prog
"$ATOMC" -t dyninst -D colour=3 prog -o out
