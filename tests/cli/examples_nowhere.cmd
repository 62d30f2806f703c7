$ATOMC examples /nowhere/examples
