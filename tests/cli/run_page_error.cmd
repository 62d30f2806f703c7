# status 125
# any lines
"$ATOMC" run -e 'counter n for p in prox { before p n++ }' "$PROGRAM/prog"
