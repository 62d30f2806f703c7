# any lines
# status 1
"$ATOMC" --check --as=folder/as.atd -t prof
