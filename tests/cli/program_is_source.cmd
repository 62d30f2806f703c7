# any lines
echo 'int main(void) { return 0; }' >x.c
"$ATOMC" -t prof x.c
