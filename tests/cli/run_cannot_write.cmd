# status 125
# any lines
ATOMC_CACHE= "$ATOMC" run -o nowhere/x -t prof "$PROGRAM/prog"
