# says ^  --without=PASS,
# any lines
# status 0
"$ATOMC" --help=all
