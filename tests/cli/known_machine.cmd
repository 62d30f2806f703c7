# any
cp "$PROGRAM/prog" prog
patch prog 18 b7 00
"$ATOMC" -t branch prog -o out
