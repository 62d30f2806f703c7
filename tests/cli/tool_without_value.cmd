# any lines
cp "$PROGRAM/prog" prog
"$ATOMC" prog -t
