# any lines
mkdir a b
"$ATOMC" diff a b
