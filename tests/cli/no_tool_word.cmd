# any lines
for word in list prof nosuch; do "$ATOMC" $word; done
