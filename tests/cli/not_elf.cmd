echo 'A text that is long enough to hold an ELF header, were it one: sixty-four bytes and more of it.' >prog
"$ATOMC" -t branch prog -o out
