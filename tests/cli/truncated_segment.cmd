# any lines
head -c 20000 "$PROGRAM/prog" >prog
"$ATOMC" -t branch prog -o out
