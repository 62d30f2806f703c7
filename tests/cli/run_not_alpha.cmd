# status 126
echo text >text
"$ATOMC" run -t prof ./text a b
