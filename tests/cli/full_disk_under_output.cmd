:
"$ATOMC" --list >/dev/full
