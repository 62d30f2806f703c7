# any lines
head -c -100 "$PROGRAM/prog" >prog
"$ATOMC" -t branch prog -o out
