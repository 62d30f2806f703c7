# classes.awk: the class of each instruction's word, by a table of lines OPCODES|CLASS; an opcode may have a function behind a dot.
# Requires: number().
FNR == NR {
    n = split($1, key, " ")
    for (i = 1; i <= n; i++) {
        split(key[i], part, "[.]x?")
        class[number(part[1]) (part[2] == "" ? "" : "." number(part[2]))] = $2
    }
    next
}
{
    opcode = int($1 / 67108864)
    exact = opcode "." (opcode == 24 ? $1 % 65536 : int($1 / 32) % (opcode >= 20 && opcode <= 23 ? 64 : 128))
    print $1, exact in class ? class[exact] : opcode in class ? class[opcode] : "ClassNull"
}
