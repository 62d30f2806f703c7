# any lines
: >prog
"$ATOMC" -t branch prog -o out
