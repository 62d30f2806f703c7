# any lines
cp "$PROGRAM/prog" prog
patch prog 40 ff ff ff ff ff ff ff 7f
"$ATOMC" -t branch prog -o out
