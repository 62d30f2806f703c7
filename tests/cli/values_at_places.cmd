# any lines
# status 0
# What a place lacks is known when there is a program: dynamic values without a meaning at some instruction, registers and arguments that there are not, numbers in sets, elements that do not fit, divisions by what is 0 there.
cp "$PROGRAM/prog" prog; printf 'void F(long x) { (void)x; }\nvoid D(double x) { (void)x; }\nvoid S(float x) { (void)x; }\nvoid C(const signed char *x) { (void)x; }\n' >c.c
n=10; while read -r line; do printf 'tool t\nset main = inst i where i.proc.name == "main"\n%s\n' "$line" >$((n++)).atd; done <<'END'
for i in main where not (i.is_load or i.is_store) { before i call F($addr) }
counter c[main] for i in insts { before i c[i]++ }
counter c[main] for i in main where i.is_load or i.is_call { before i when $addr > 0 c[i]++ }
for i in main where i.is_call { before i call F($taken) }
for i in main where i.is_load { before i call F($value) }
for i in main where i.is_store { before i call F($target) }
for i in main where i.is_load { after i call D($value) }
for i in main where i.is_load { after i call S($(i.ra)) }
for i in main where i.class == condbr { before i call F($(i.rb)) }
for p in procs where p.name == "main" { before p call F($arg(p.ninsts * 1000 / p.ninsts)) }
array pcs[i in main] = i.pc  before program call C(pcs)
for i in main { before i call F(i.pc / (i.size - i.size)) }
for i in main where i.is_load { before i call F(1 << (64 | i.size)) }
END
for t in *.atd; do "$ATOMC" --check $t c.c prog; done 2>&1 | sed 's/0x[0-9a-f]*/0x.../g; s/is -*[0-9]\{9,\}/is .../'
