# any lines
:
"$ATOMC" -t branch /dev/null -o out
