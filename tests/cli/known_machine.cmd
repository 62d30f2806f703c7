# any
cp "$PROGRAM/prog" prog
patch prog 18 f3 00
"$ATOMC" -t branch prog -o out
