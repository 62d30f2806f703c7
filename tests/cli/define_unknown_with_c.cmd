# any lines
cp "$PROGRAM/prog" prog
"$ATOMC" -t cache -D sze=3 prog -o out
