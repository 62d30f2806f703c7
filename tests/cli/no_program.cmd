# any lines
:
"$ATOMC" -t branch -o out
