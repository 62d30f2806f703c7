# any lines
# A block's sums have room for 49,152 values that they depend on: 387 sums take 127 each, the next (line 391) finds too few.
sum='b.ninsts'; for k in {0..125}; do sum+=" / (\$(t$((k % 8))) + $k)"; done
{ printf 'tool t\ncounter sums[4]\nfor b in blocks where b.proc.name == "main" and b.pc == b.proc.pc {\n'; for k in {1..388}; do echo "    before b sums[\$(sp) & 3] += $sum"; done; echo '}'; } >t.atd
cp "$PROGRAM/prog" prog
set -o pipefail; "$ATOMC" t.atd prog -o out 2>&1 | sed 's/ 0x[0-9a-f]* / 0xADDRESS /'
