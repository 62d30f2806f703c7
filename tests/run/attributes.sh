# attributes: the static attributes of a real program's places against readelf, objdump and addr2line.
. "$tests/lib/agree.sh"
use "$(pick bzip2 lua)" O2 "$(pick decompress errors)" || return 0
arguments=(-h)
instrument instrumented "$tests/attributes/attributes.atd" "$program"
run ran instrumented
rows() { # FILE: without its heading, by its first words
    sed 1d "ran/files/$1" | sort
}
alpha-linux-gnu-objdump -d "$program" >text
alpha-linux-gnu-readelf -sW "$program" >symbols
alpha-linux-gnu-readelf -SW "$program" | sed 's/^ *\[ *//; s/\]//' >sections
rows insts.out >insts
cut -f1 insts >addresses

# The object: the executable sections from the first to the last, and the segment of data. Sections have number, name, kind,
# address, offset, size, flags.
read -r data file memory < <(alpha-linux-gnu-readelf -lW "$program" | awk '$1 == "LOAD" && $7 == "RW" { print $3, $5, $6 }')
read -r first last size < \
    <(awk '$8 ~ /X/ { if (!first) first = $4; last = $4; size = $6 } END { print first, last, size }' sections)
agree object <(printf '%s\t0x%x\t%d\t0x%x\t%d\t0x%x\t%d\n' "$name" $((16#$first)) $((16#$last + 16#$size - 16#$first)) \
    $((data)) $((file)) $((data + file)) $((memory - file))) <(rows object.out)
awk '$8 ~ /X/ { print $2, "0x" $6 }' sections |
    while read -r section size; do echo "$section $((size / 4))"; done | sort >executable
agree sections executable <(cut -f3 insts | grep . | sort | uniq -c | awk '{ print $2, $1 }')

# Counts of the object equal those of its sets, and the sums over its procedures; none is 0.
rows counts.out | grep -v -w 0 | cut -f1-7 >counts
agree counts counts <(rows counts.out | cut -f8-14)
agree sums counts <(rows procs.out | awk -F'\t' '{ for (i = 3; i <= NF; i++) sum[i] += $i }
    END { OFS = FS; print NR, sum[18], sum[20], sum[17], sum[19], sum[16], sum[3] / 4 }')

# Procedures: a function symbol of that name, binding and section; frames.
awk 'BEGIN { OFS = "\t" } FNR == NR { section[$1] = $2; next } $4 ~ /^(I?FUNC|NOTYPE)$/ {
    sub(/^0*/, "0x", $2); print $2, $NF, tolower($5), section[$(NF - 1)] }' sections symbols | sort -u >known
among procedures-and-symbols <(rows procs.out | cut -f1,2,4,5 | awk -F'\t' '$3 != ""') known
rows procs.out >procedures
agree frames <(awk -f "$tests/attributes/frames.awk" procedures text | sort) <(cut -f1,6-10 procedures)

# Parameters, of C without structures as such.
alpha-linux-gnu-readelf --debug-dump=info "$program" 2>log | awk -f "$tests/attributes/parameters.awk" | sort >parameters
agree parameters parameters <(rows parameters.out | awk -F'\t' '{ print $1 "\t" $2 "\t" $3 $4 }')

# Instructions: words, targets, operations, registers; for instructions that objdump decodes.
awk -f "$tests/attributes/operands.awk" text | sort >operands
agree instructions operands <(cut -f1,2,4,7-22 insts | join -t'	' - <(cut -f1 operands))
# Attributes that lead to other places: the target's address, the attributes of the block.
agree instructions-and-blocks <(cut -f4,24,26 insts) <(cut -f23,25,27 insts)
check entries-and-addresses "cut -f24 insts | grep -x -m 1 1 && cut -f26 insts | grep -x -m 1 1"
# Numbers of system calls, in all but a few places.
awk -f "$tests/attributes/calls.awk" text | sort | join -t'	' - <(cut -f1,28 insts) >calls
check system-calls "awk -F'\t' '\$3 >= 0 && \$2 != \$3 { wrong = 1; print } \$3 >= 0 { known++ }
    END { print known; exit wrong || known <= 20 || known <= NR / 2 }' calls"
# Source lines, of a tenth of the instructions.
awk 'NR % 10 == 0' addresses >some
agree lines <(alpha-linux-gnu-addr2line -e "$program" <some | sed 's/ (discriminator.*//; s/.*\///; s/.*:?$/:0/; s/^??:0$/:0/' |
    paste some -) <(awk -F'\t' 'NR % 10 == 0 { sub(/.*\//, "", $5); print $1 "\t" $5 ":" $6 }' insts)

# Blocks that are entered only from their predecessor, and blocks that control enters otherwise.
rows arrivals.out >arrivals
check arrivals "awk -F'\t' -f '$tests/attributes/arrivals.awk' arrivals text"
check threads "rows threads.out | grep -x 0"
check linked "rows linked.out | grep -x 0"

# Call sites: all calls that objdump shows, and the names of direct ones.
agree callsites <(awk 'BEGIN { OFS = "\t" } /^ *[0-9a-f]+:\t/ && ($6 == "bsr" || $6 == "jsr") {
    gsub(/[<>]|\+0x8>$/, "", $NF); sub(/:/, "", $1); print "0x" $1, $6 == "jsr", $6 == "bsr" ? $NF : "" }' text | sort) \
    <(rows callsites.out | awk -F'\t' '{ print $1 "\t" $3 "\t" ($3 ? "" : $2) }')
# The called procedure has that name; the call may enter it after the instructions that set gp.
check callees "awk -F'\t' '\$11 != \"\" && (\$11 != \$2 || (\$12 != 0 && \$12 != 8)) { wrong = 1; print } \$11 != \"\" { known++ }
    END { print known; exit wrong || known < NR / 2 }' <(rows callsites.out)"
# Entries: the first of each procedure has its name; others have a symbol of their own or a distance.
rows entries.out | awk -F'\t' 'BEGIN { OFS = FS } { print $1, $4, $5, $6, $3 ? $2 : $2 ~ /\+0x/ ? "+" : $2 }' | sort >entries
{
    awk -F'\t' 'BEGIN { OFS = FS } { print $1, $1, $1, $1, $2 }' procedures
    awk -F'\t' 'FNR == NR { known[$1, $2]; next } $1 != $2 && $2 < $1 && $1 == $3 && $1 == $4 &&
        ($5 == "+" || ($1, $5) in known)' \
        known entries
} | sort >known_entries
same entries known_entries entries
# Loops: the same as in the dump of the flow graph; the chains of attributes lead back to the loop itself.
"$ATOMC" --dump=cfg "$tests/attributes/attributes.atd" "$program" -o instrumented | awk 'BEGIN { OFS = "\t" }
    $1 == "block" { first[$2] = $3 }
    $1 == "loop" { match($0, /[0-9]+ blocks/); print $2 + 0, first[$4 + 0], $6 + 0, substr($0, RSTART, RLENGTH) + 0 }' |
        sort >dumped
agree loops dumped <(rows loops.out | awk -F'\t' '$1 == $2 && $3 == $4 && $5 == 1 && $6 == $3 - 1 && $10 == $11 && $12 == $13 &&
    $12 == $14 && $8 >= $7 { print $12 "\t" $1 "\t" $3 "\t" $7 }' | sort)
