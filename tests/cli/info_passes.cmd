# any lines
# status 0
: the passes in their order
"$ATOMC" info passes
