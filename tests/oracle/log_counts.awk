# log_counts.awk: an oracle file's lines again, worked out from QEMU's register log instead (slow: short runs only).
# Requires: oracle file, then the output of qemu-alpha -singlestep -d cpu,fpu,nochain of the same run.

function digit(c) { return index("0123456789abcdef", c) - 1 }
# The opcode, and the number of the Ra field as the log's name of the register.
function decode(pc, word) {
    opcode[pc] = 4 * digit(substr(word, 1, 1)) + int(digit(substr(word, 2, 1)) / 4)
    number = 8 * (digit(substr(word, 2, 1)) % 4) + int(digit(substr(word, 3, 1)) / 2)
    floating = opcode[pc] >= 32 && opcode[pc] < 40
    destination[pc] = number == 31 ? "" : floating ? "f" number : names[number + 1]
    target[pc] = opcode[pc] < 48 ? "" : "branch"
}
# The state before the instruction at pc is complete: what did the one before it do?
function finish_last() {
    if (last == "" || !(last in opcode)) return
    op = opcode[last]
    if (op > 48 && op != 52) {
        if (pc == following(last)) not_taken[last]++
        else taken[last]++
    }
    if (is_load(op) && destination[last] != "" && (value[destination[last]] "") == (before "")) redundant[last]++ # as text: 6e65 is no number
}
function is_load(op) {
    return op == 10 || op == 11 || op == 12 || op >= 32 && op <= 35 || op >= 40 && op <= 43
}
# pc + 4 as text.
function following(text, i, d, carry, out) {
    carry = 4
    for (i = length(text); i > 2; i--) {
        d = digit(substr(text, i, 1)) + carry
        carry = int(d / 16)
        out = substr("0123456789abcdef", d % 16 + 1, 1) out
    }
    return "0x" out
}
function instruction() {
    if (pc == "") return
    finish_last()
    last = pc
    if (!(pc in opcode)) return
    executed[pc]++
    before = value[destination[pc]]
}
BEGIN {
    split("v0 t0 t1 t2 t3 t4 t5 t6 t7 s0 s1 s2 s3 s4 s5 fp a0 a1 a2 a3 a4 a5 t8 t9 t10 t11 ra t12 at gp sp", names, " ")
}
FNR == NR {
    if (/^0x/) { order[++count] = $1; word[$1] = $2; decode($1, $2) }
    next
}
$1 == "PC" { instruction(); pc = $2; sub(/^0+/, "0x", pc); next }
{ for (i = 1; i < NF; i += 2) value[$i] = $(i + 1) }
END {
    instruction()
    for (i = 1; i <= count; i++) {
        pc = order[i]
        branch = opcode[pc] > 48 && opcode[pc] != 52
        load = is_load(opcode[pc]) && destination[pc] != ""
        printf "%s\t%s\t%d\t%s\t%s\t%s\n", pc, word[pc], executed[pc], branch ? taken[pc] + 0 : "-",
            branch ? not_taken[pc] + 0 : "-", load ? redundant[pc] + 0 : "-"
    }
}
