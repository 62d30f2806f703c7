# Standard input as the text of a file that is not there: named so, with what it includes beside it; a file has a tool statement.
# any lines
# status 1
mkdir folder && echo 'counter shared' >folder/part.inc
printf 'include "part.inc"\nbefore program shared += prox\n' >text
"$ATOMC" --check --as=folder/early.atd - <text; rm -r folder text; exit 1
