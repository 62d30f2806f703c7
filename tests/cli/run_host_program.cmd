# status 126
"$ATOMC" run -t prof /bin/sh -c true
