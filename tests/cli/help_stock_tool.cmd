# any lines
# status 0
# says ^inline: call sites
# says ^Usage: *atomc -t inline
# says ^  top *int *= 20
"$ATOMC" --help inline
