# qemu translates code when it is executed first.
qemu -d in_asm -D translated words >log 2>&1
own=$(awk -F '\t' '$5 ~ /words.c$/ && $3 { print $4 }' executed | sort -u)
awk '/^IN: / && !seen[$2]++ { print $2 }' translated | grep -x -F -e "$own" >expected
tail -n +2 first.out >found
same order/first expected found
