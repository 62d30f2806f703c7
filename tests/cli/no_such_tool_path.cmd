# any lines
cp "$PROGRAM/prog" prog
"$ATOMC" -t ../branch prog -o out
