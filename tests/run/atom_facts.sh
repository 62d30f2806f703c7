# atom_facts: results of ATOM's routines about a program, against nm, objdump, readelf and addr2line.
. "$tests/lib/agree.sh"
cp "$tests"/atom/facts/* .
alpha facts facts.c -g
"$ATOMC" facts facts.inst.c -toolargs="one 'two words' \"\"" -o facts.atom >printed
disassembled facts >code
symbols facts >symbols
agree inside <(echo 0) <(printed wrong)

# Every instruction's bits; classes and types by objdump's mnemonics. unop, nop, fnop must be among the instructions
# without effect.
overlap bits <(alpha-linux-gnu-objdump -d -z facts | tr -d ' :' | awk -F'\t' '$1 ~ /^[0-9a-f]+$/ {
    print $1, substr($2, 7, 2) substr($2, 5, 2) substr($2, 3, 2) substr($2, 1, 2) }') <(printed inst | cut -d' ' -f1,2)
# Fields are bits of the word, regardless of the instruction.
agree fields <(printed inst | awk "$hexadecimal"'
    function signed(value, bits) { return value >= 2 ^ (bits - 1) ? value - 2 ^ bits : value }
    { w = number($2)
      print $1, signed(w % 65536, 16), signed(w % 2097152, 21), int(w / 2097152) % 32, int(w / 65536) % 32, w % 32 }') \
          <(printed fields)
overlap classes <(awk -f classes.awk code) <(printed inst | awk '{ print $1, $3, substr($4, 1, 12) "N" substr($4, 14, 1) }')
among nops <(awk '$2 ~ /^(nop|unop|fnop)$/ { print $1 }' code) <(printed inst | awk 'substr($4, 13, 1) == 1 { print $1 }')

# Displacements, branch targets, callees, and the register that loads and stores name.
overlap displacements <(awk -f operands.awk code) <(join <(printed disp | sort) <(printed inst | cut -d' ' -f1,5,6 | sort))
overlap targets <(awk '$2 ~ /^(br|b(eq|ne|lt|le|gt|ge|lbc|lbs)|fb..)$/ { n = split($3, o, ","); print $1, o[n] }' code) \
    <(printed target)
placed() { # A place may have several names: the addresses decide.
    awk 'FNR == NR { at[$1] = $2; next } { print $1, at[$2] }' symbols -
}
overlap callees <(awk '$2 == "bsr" { gsub(/<|[+>].*/, "", $4); print $1, $4 }' code | placed) <(printed callee | placed)

# Procedures: each name is a symbol at that address, with that binding; all functions of the symbol table are listed.
alpha-linux-gnu-readelf -sW facts | awk '$4 ~ /FUNC|NOTYPE/ && $(NF - 1) != "UND" {
    sub(/^0*/, "", $2); print $2, $NF, $5 == "LOCAL" ? 4 : $5 == "WEAK" ? 2 : 1, $4 }' >procedures
among procedures <(printed proc | awk '$2 != "?" { print $1, $2, $4 }') <(cut -d' ' -f1-3 procedures)
among functions <(awk '$4 == "FUNC" { print $1 }' procedures) <(printed proc | cut -d' ' -f1)

# The object, as the program headers have it.
read -r address file memory < <(alpha-linux-gnu-readelf -lW facts | awk '$1 == "LOAD" && $7 ~ /W/ { print $3, $5, $6 }')
agree object <(printf '%x\n' $((address)) $((file)) $((address + file)) $((memory - file))) \
    <(printed object | awk '$1 >= 2 { print $2 }')

# Lines, and registers saved by prologues.
printed line | cut -d' ' -f1 >addresses
agree lines <(alpha-linux-gnu-addr2line -e facts <addresses | sed 's/ .*//; s/.*://; s/^?$/0/' |
    paste -d' ' addresses -) <(printed line)
disassembled facts --disassemble=saves >saves
agree saves <(grep ' stq ' saves | awk -f operands.awk | awk -v frame="$(sed -n 's/.* lda *sp,-\([0-9]*\)(sp).*/\1/p' saves)" '
    $4 == 30 && ($3 >= 9 && $3 <= 15 || $3 == 26) && !seen[$3]++ { mask += 2 ^ $3 }
    END { printf "%x %d 26 8 1\n", mask, frame }') <(printed saves | cut -d' ' -f1-5)
agree line-range <(awk '/int saves/ { low = NR } /^}/ { print low, NR }' facts.c) <(printed saves | cut -d' ' -f6,7)
agree leaf <(echo '0 0 1 0 -1 0') <(printed leaf)
