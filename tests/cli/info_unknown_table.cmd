# any lines
:
"$ATOMC" info colours
