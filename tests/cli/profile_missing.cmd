"$ATOMC" -t prof --profile=no.json "$PROGRAM/prog"
