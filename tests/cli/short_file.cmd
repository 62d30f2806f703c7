# any lines
head -c 40 "$PROGRAM/prog" >prog
"$ATOMC" -t branch prog -o out
