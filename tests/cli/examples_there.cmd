# leaves there
# any lines
mkdir there
$ATOMC examples there
