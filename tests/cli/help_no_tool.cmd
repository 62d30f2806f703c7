# any lines
# says no stock tool is called 'inlin'
# says did you mean 'inline'
"$ATOMC" --help inlin
