# any lines
echo "counter n before program m++" | "$ATOMC" - "$PROGRAM/prog"
