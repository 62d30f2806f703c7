cp "$PROGRAM/prog" prog
patch prog 6 07
"$ATOMC" -t branch prog -o out
