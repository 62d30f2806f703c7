# says ^branch  *[a-z]
# any lines
# status 0
"$ATOMC" --list
