# any lines
"$ATOMC" -t prof --landing=main "$PROGRAM/prog"
