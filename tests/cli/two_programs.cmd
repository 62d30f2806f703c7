# any lines
cp "$PROGRAM/prog" one
cp "$PROGRAM/prog" two
"$ATOMC" -t branch one two -o out
