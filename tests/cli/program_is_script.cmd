# any lines
printf '#!/bin/sh\necho\n' >script
"$ATOMC" -t prof script
