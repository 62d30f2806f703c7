# any lines
# leaves out
echo 'tool t "sizes"
param int size = 1 "bytes"
counter n
before program n = size
report "-" "Size" n' >t.atd
cp "$PROGRAM/prog" prog
for size in 8K 2M 1G -3K 0x10K 9000000000G K 08K 1k 4KB; do "$ATOMC" t.atd -D size=$size prog -o out && qemu-alpha out | tail -n 1; done
