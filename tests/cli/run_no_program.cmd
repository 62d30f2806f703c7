# status 125
# any lines
"$ATOMC" run -t prof
