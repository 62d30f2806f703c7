# calls.awk: system calls and the constant that $0 was set to last before them, if that is known: by the text of objdump -d.
!/^ *[0-9a-f]+:\t/ {
    number = ""
    next
}
$6 == "lda" && $7 ~ /^v0,[0-9]+$/ {
    number = substr($7, 4)
    next
}
$6 == "mov" && $7 ~ /^[0-9]+,v0$/ {
    number = substr($7, 1, length($7) - 3)
    next
}
$6 == "callsys" {
    sub(/:/, "", $1)
    print "0x" $1 "\t" number
}
$6 !~ /^(lda|mov|st.*|b[a-z]*)$/ && $7 ~ /,v0$/ || $6 ~ /^ld/ && $7 ~ /^v0,/ || $6 ~ /^[jb]sr$/ { number = "" }
