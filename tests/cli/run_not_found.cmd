# status 127
"$ATOMC" run -t prof ./nowhere a b
