# any lines
cp "$PROGRAM/prog" prog
"$ATOMC" --colour -t branch prog -o out
