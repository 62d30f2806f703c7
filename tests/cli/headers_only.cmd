# any lines
head -c 64 "$PROGRAM/prog" >prog
"$ATOMC" -t branch prog -o out
