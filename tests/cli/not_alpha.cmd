# any lines
echo 'int main(void) { return 0; }' >host.c
gcc -static host.c -o prog
"$ATOMC" -t branch prog -o out
