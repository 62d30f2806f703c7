: the passes in their order
"$ATOMC" info passes
