# any lines
mkdir prog
"$ATOMC" -t branch prog -o out
