# Permissions do not stop root: a loop of links does.
ln -s prog prog
"$ATOMC" -t branch prog -o out
