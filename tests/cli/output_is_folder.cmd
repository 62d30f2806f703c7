# any lines
cp "$PROGRAM/prog" prog
mkdir out
"$ATOMC" -t branch prog -o out
