# any lines
# status 0
# says ^inline: call sites
# says ^  atomc run -t inline -- PROGRAM
# says ^  top *int *= 20
"$ATOMC" --help inline
