# far: a program whose copies are larger than a branch's range of 4 MB: calls and conditional branches between far
# procedures.
procedures=$(pick 700 2500)
alpha plain "$tests/data/far.c" "$tests/data/far.s" -Wa,--defsym,procedures="$procedures"
ending expected plain
for tool in audit cache; do
    instrument $tool -v --without=observations -t $tool plain
    ending found $tool
    check $tool "diff expected found && grep -q 'far branches  *[1-9]' $tool.log" $tool.log
done
# audit reads every register, so that none is free if these are kept everywhere: its far branches spill one.
check over-the-stack "grep -A 1 '^  far branches' audit.log | awk '{ n[NR] = \$NF } END { exit n[1] != n[2] }'" audit.log

# Actions on the path of a far branch: the procedures are left as often as they are entered.
instrument exits -v "$tests/data/far.atd" plain
prints exits qemu exits <<END
$(head -n 1 expected)
Name	Entered	Left
Procedures	Odd
$procedures	0
END
check exits-far "grep -q 'far branches  *[1-9]' exits.log && grep -q 'calls skipped  *0' exits.log" exits.log

# A procedure that falls into the next one skips the code between them: the out-of-line calls of trace.
alpha plain "$tests/data/falls.c" "$tests/data/falls.s"
for way in automatic wrapper; do
    instrument falls $([ $way = automatic ] || echo --call=wrapper) -v -t trace -D form=din plain
    prints falls-$way qemu falls <<<"150 42"
    mv falls.log $way.log
    mv trace.out $way.trace
done
same falls-traces automatic.trace wrapper.trace
check falls-out-of-line "grep -q 'with a slow path  *[1-9]' automatic.log" automatic.log

# One procedure that is larger than a branch's range: code on both paths after a branch is between its blocks.
alpha plain "$tests/data/wide.c" "$tests/data/wide.s" -Wa,--defsym,turns=60000
ending expected plain
instrument wide -v "$tests/data/wide.atd" plain
prints wide qemu wide <<END
6566	293935
Passed	Taken	Left
6866	293941	300807
END
check wide-far "grep -q 'text bytes copied  *[0-9]\{8\}' wide.log && grep -q 'calls skipped  *0' wide.log" wide.log
for tool in $(pick audit "audit third"); do
    instrument $tool -t $tool plain
    ending found $tool
    same wide-$tool expected found
done

# A gap of 4.4 MB in the text, which is copied like a procedure; entries in it are landings.
shared plain "$tests/data/gap.c"
ending expected -L /usr/alpha-linux-gnu plain
for copy in all auto; do
    instrument gap --copy=$copy -t branch plain
    ending found -L /usr/alpha-linux-gnu gap
    same gap-$copy expected found
done

# A procedure of 4,432 instructions, each with so much code that the copy is larger than a branch's range: its landings are
# between its blocks. (Without liveness each far branch spills, and leads to a landing.)
alpha-linux-gnu-g++ -O1 -static -pthread -Wl,--no-relax "$tests/data/demangled_in_thread.cc" -o plain
ending expected plain
check landings/plain "grep -q 'std::map<' expected" expected
instrument landings -D within='^d_print_comp_inner$' --without=liveness "$tests/calls/routines.atd" plain && ending found landings
check landings "sed -n '1p; \$p' found | diff expected -" found
