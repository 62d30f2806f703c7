# status 125
# any lines
ATOMC_CACHE= PATH=. "$ATOMC" run -t prof "$PROGRAM/prog"
