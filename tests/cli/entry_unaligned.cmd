cp "$PROGRAM/prog" prog
patch prog 24 62
"$ATOMC" -t branch prog -o out
