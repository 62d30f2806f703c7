cp "$PROGRAM/prog" prog
"$ATOMC" -t branch prog -o prog/out
