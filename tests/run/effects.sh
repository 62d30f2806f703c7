# effects: in a procedure with very many blocks, the effects of derived counts are written in words of 32 bits; the
# counts equal counts that are made. So they are if a fault ends the program in the middle of it.
blocks=6000

awk -v blocks=$blocks 'BEGIN {
    print "volatile unsigned long bits;\nvolatile int *nowhere;\nlong sum;"
    print "static __attribute__((noinline)) void called(int n) { if (bits & 1) sum += n; }"
    print "static __attribute__((noinline)) void many(void) {"
    for (i = 0; i < blocks; i++)
        printf "if (bits >> %d & 1) sum += %d;%s\n", i % 31, i, i % 7 ? "" : " else called(1);"
    print "if (bits == 0x5555555) *nowhere = 1;"
    print "if (bits == 3) called(2);\n}"
    print "int main(int count, char **arguments) {"
    print "    for (bits = 1; bits < 200; bits += 7) many();\n    bits = 0x5555555;\n    if (count > 1) many();\n    return sum & 127;\n}"
}' >many.c
alpha many many.c -O0
for switch in --default --without=placement; do
    instrument many$switch -v ${switch#--default} -t pixie -D instructions=true many
    for way in ends faults; do
        run_program $way$switch many many$switch "" "" -- $(test $way = ends || echo x)
    done
done
check derives "[ $(statistic many--default.log 'counter updates derived') -gt $((2 * blocks)) ]" many--default.log
for way in ends faults; do
    same_results $way $way--default $way--without=placement
    check $way-counts "[ \$(wc -l <$way--default/files/pixie.out) -gt $blocks ]"
done
