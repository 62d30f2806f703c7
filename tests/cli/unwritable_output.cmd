cp "$PROGRAM/prog" prog
"$ATOMC" -t branch prog -o missing/folder/out
