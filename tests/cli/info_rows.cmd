# any lines
# status 0
"$ATOMC" info classes load && "$ATOMC" info values taken '$thread' && "$ATOMC" info places edges && "$ATOMC" info attributes nloops && "$ATOMC" info load
