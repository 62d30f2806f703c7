# A tool without C needs no cross compiler: its analysis image is part of atomc.
# leaves prog.atom
# status 0
# any lines
PATH=/nonexistent "$ATOMC" -t prof "$PROGRAM/prog" -o prog.atom
