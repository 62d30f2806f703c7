# status 0
# any lines
"$ATOMC" run --help
