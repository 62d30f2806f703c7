# says ^usage: atomc
# any lines
# status 0
"$ATOMC" --help
