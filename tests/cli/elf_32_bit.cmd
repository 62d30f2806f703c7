cp "$PROGRAM/prog" prog
patch prog 4 01
"$ATOMC" -t branch prog -o out
