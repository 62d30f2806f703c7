# frames.awk: of each procedure its address, the size of its frame, whether it begins with ldgp, and whether it stores s0, ra and
# $f2 before the first branch. Requires a file of procedures, addresses first, and the text of objdump -d.
BEGIN { OFS = "\t" }
FNR == NR {
    begins[$1]
    next
}
!/^ *[0-9a-f]+:\t/ { next }
{
    pc = "0x" $1
    sub(/:/, "", pc)
    name = $6
    operands = $7
}
pc in begins {
    flush()
    at = pc
    open = 1
    n = frame = gp = s0 = ra = f2 = 0
    changed = ","
}
!open { next }
{
    n++
    if (n == 1 && name == "ldah" && operands ~ /^gp,.*\(t12\)$/) gp = 1
    if (n == 2 && !(name == "lda" && operands ~ /^gp,.*\(gp\)$/)) gp = 0
    if (name == "lda" && operands ~ /^sp,-[0-9]+\(sp\)$/ && !frame && n <= 24) {
        frame = operands
        gsub(/[^0-9]/, "", frame)
    }
    # What has changed before is not saved.
    if (name == "stq" && operands ~ /^s0,.*\(sp\)$/ && !index(changed, ",s0,")) s0 = 1
    if (name == "stq" && operands ~ /^ra,.*\(sp\)$/ && !index(changed, ",ra,")) ra = 1
    if (name == "stt" && operands ~ /^\$f2,.*\(sp\)$/ && !index(changed, ",$f2,")) f2 = 1
    last = operands
    sub(/.*,/, "", last)
    to = operands
    sub(/,.*/, "", to)
    changed = changed (name ~ /^ld/ ? to : name ~ /^st/ ? "" : last) ","
    if (name ~ /^(f?b..?.?|jsr|jmp|ret|callsys|call_pal|bugchk|halt|gentrap|\.long)$/ && name !~ /^bi[cs]$/) open = 0
}
function flush() {
    if (at) print at, frame, gp, s0, ra, f2
}
END { flush() }
