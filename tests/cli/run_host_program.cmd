# status 126
# any lines
"$ATOMC" run -t prof /bin/sh -c true
