# status 0
# any lines
"$ATOMC" info passes
