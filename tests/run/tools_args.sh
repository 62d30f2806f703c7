# tools_args: args names arguments as the debug information does, and lists no procedure without that argument; values takes a
# range of source lines.
. "$tests/lib/tools.sh"
alpha program "$tests/tools/arguments.cc" -O1 -g
for number in 0 1 2 3 4; do
    instrument instrumented -t args -D number=$number -D "procedures=_Z*" program
    qemu instrumented >log
    awk -F'\t' -v number=$number 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $1 ~ /^_Z(4make|3sum|3len|N1K3get|3var|4none|3flt|5total)/ { sub(/^_ZN?[0-9]*K?[0-9]*/, "", $1)
            print number, substr($1, 1, 3), $at["Argument"], ($at["To"] > 1000000 ? "address" : $at["From"] "-" $at["To"]) }' \
                args.out
done | sort >rows
prints arguments cat rows <<'END'
0 get this address
0 len s address
0 mak (result) address
0 sum b 4-7
0 tot t 16-31
0 var n 2-3
1 flt b 64-127
1 get plus 32-63
1 len d address
1 mak n 4-7
1 sum b 8-15
1 tot t 32-63
2 len z 32-63
2 mak s 8-15
2 sum b 2-3
2 tot last 64-127
3 sum last 64-127
END

# The lines of queens.c that have places, by the options.
alpha queens "$top/docs/examples/queens.c" -O1 -g
lines_of() { # OPTION...
    instrument instrumented -t values "$@" queens
    qemu instrumented >log
    awk -F'\t' 'NR > 1 { sub(/.*:/, "", $4); print $4 }' values.out | sort -nu | paste -sd ' '
}
lines_of -D from_line=9 -D to_line=17 >rows
lines_of -D to_line=17 >>rows
lines_of -D from_line=18 -D files='*queens.c' >>rows
lines_of -D operand=argument -D to_line=16 >>rows
prints values cat rows <<'END'
10 17
10 17
22 23 24 27 29 30 32
8
END
