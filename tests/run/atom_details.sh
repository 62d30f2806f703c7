# atom_details: values of ATOM's enumerations against the published orders, and properties of unusual programs (saved
# registers, frame registers, exceptions, alternate entries, jumps between procedures, threads, no symbols) against
# readelf, objdump and nm.
. "$tests/lib/agree.sh"
cp "$tests"/atom/details/* .
alpha details details.cpp odd.S -pthread
"$ATOMC" details details.inst.c details.anal.c -o details.atom >printed
symbols details >symbols
disassembled details >code
at() { # SYMBOL
    awk -v name="$1" '$1 == name { print $2 }' symbols
}
procedures() { # COLUMN PATTERN: the column of the procedures with such names
    printed proc | awk -v column="$1" -v name="^($2)$" '$5 ~ name { print $5, $column }' | sort
}
agree inside <(echo 0) <(printed wrong)

"$ATOMC" details values.inst.c -o values.atom >values
agree values <({ awk '{ for (i = 2; i <= NF; i++) print $i, i - 2 }' values.txt && cat aliases.txt &&
    awk 'BEGIN { for (i = 0; i < 32; i++) { print "REG_" i, i; print "FREG_" i, 32 + i } }'; } | sort) <(sort values)

# Classes, by opcode and function in hexadecimal as in the Architecture Handbook: a row of the table has opcodes, or
# OPCODE.FUNCTION, and a class. In floating-point functions, x represents the qualifiers.
alpha opcodes opcodes.S -nostartfiles -Wl,-e,main
"$ATOMC" opcodes opcodes.inst.c -o opcodes.atom >words 2>typed
sed 's/ (all others)//' opcodes.classes >table
agree opcodes <(awk "$hexadecimal$(cat classes.awk)" FS='|' table FS=' ' words) words
# Types are compared by objdump's mnemonics.
overlap types <(disassembled opcodes | awk -f "$tests/atom/facts/classes.awk") \
    <(awk '{ print $2, $3, substr($4, 1, 12) "N" substr($4, 14) }' typed)
check opcodes-all '[ "$(wc -l <words)" -gt 190 ]'

# Compared with the rows of .eh_frame.
alpha-linux-gnu-readelf -wF details 2>/dev/null >frames
for each in few many floats varies; do
    awk -v begin="$(at $each)" -v name="$each" "$hexadecimal$(cat saved.awk)" frames
done >saved
agree saved-registers <(cat saved && echo "odd 0 0 0 0 0 30 -1") <(printed saved)
alpha-linux-gnu-readelf -wf details 2>/dev/null | awk '/FDE/ { sub(/.*pc=0*/, ""); sub(/\.\..*/, ""); pc = $0 }
    /Augmentation data/ && pc { print pc; pc = "" } /CIE/ { pc = "" }' | sort -u >with_data
printed proc | awk '$3 { print $1 }' | sort -u >with_frames
check catches "grep -x '$(at catches)' with_frames"
among exception-frames with_frames with_data
agree no-exceptions <(printf '%s\n' "many 0" "throws 0") <(procedures 3 'many|throws')

# Entries and ways between procedures.
printed ipjmp >ipjmp
agree alternate <(echo "$(at odd_inside) odd_inside") <(printed alternate | grep -v __syscall_cancel_arch)
agree leaves <(printf '%s\n' "few 0" "goes_on 1" "jumps 1" "odd 0") <(procedures 2 'few|goes_on|jumps|odd')
check jumps "grep -x $(printf '%x' $((16#$(at jumps) + 12))) ipjmp"
among only-jumps ipjmp <(awk '$2 == "jmp" { print $1 }' code)
agree weak <(echo "weakly 2") <(procedures 4 weakly)
agree creation <(at pthread_create) <(printed creation)
agree termination <(at pthread_exit) <(printed termination)
check address-taken "printed taken | grep -x -e '$(at _ZL4workPv)' -e '$(at work)'"
# After an ldgp there is the same entry, eight bytes later.
awk '$2 == "bsr" { split($3, o, ","); print $1, o[2] }' code | sort >bsr
agree bsr-entries <(printed bsr | sort | join bsr - | sed 's/ .*/ good/') <(printed bsr | sort | join bsr - | awk "$hexadecimal"'
    { d = number($2) - number($3); print $1, d == 0 || d == 8 ? "good" : $3 == "0" ? "none" : $0 }')

# Targets of branches: all of them, and in a procedure without jump tables no others.
awk '$2 ~ /^(br|b(eq|ne|lt|le|gt|ge|lbc|lbs)|fb..)$/ { n = split($3, o, ","); print o[n] }' code | sort -u >targets
printed block | awk '$2 { print $1 }' >flagged
among branch-targets <(printed block | cut -d' ' -f1 | sort | comm -12 targets -) flagged
among no-other-targets <(awk -v b="$(at many)" -v e="$(at floats)" '$1 "" >= b "" && $1 "" < e ""' flagged) targets

# The program runs: odd is called 13 times (once by few, twice through varies and jumps, ten times by many), odd_inside
# once.
instrument blocks.atom blocks.atd details
qemu blocks.atom >plain
count=$(tail -n 1 blocks.out)
prints calls qemu details.atom <<END
$(cat plain)
odd 13
odd_inside 1
ProcBefore 14
ProcAfter 14
BlockBefore $count
BlockAfter $count
InstAfter $count
END

# A program without symbols has no names, and no text that looks like a name.
alpha-linux-gnu-strip details -o stripped
"$ATOMC" stripped details.inst.c details.anal.c -o stripped.atom >printed
agree stripped <(printf '%s\n' "0 ?" 0) <(printed proc | cut -d' ' -f4- | sort -u; printed wrong)

# Hints have an address.
alpha hints hints.c
instrument hints.atom hints hints.inst.c hints.anal.c
{ qemu hints.atom >printed_addresses; } 2>seen_addresses
check hints "[ \$(wc -l <seen_addresses) = 4 ] && diff printed_addresses seen_addresses"
