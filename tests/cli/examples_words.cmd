# any lines
$ATOMC examples one two
