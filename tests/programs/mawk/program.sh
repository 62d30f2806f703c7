# mawk: an awk interpreter, C; a yacc parser, regular expressions, floating point, a fork for pipes.
# Requires: tests/programs/build.sh, which sources this.
description="mawk, an awk interpreter (C, yacc parser)"
source_package=mawk
source_version=1.3.4.20200120-3.1
levels="O2 O0 O3 O2s"
check_levels=O0
threads=no
workloads="words primes errors large"
check_workloads=errors

build() {
    CFLAGS="$CFLAGS $IEEE" LDFLAGS=$LINK ./configure --host="$TRIPLE" --with-builtin-srand
    make mawk
    cp mawk "$1"
}
prepare() {
    head -c 20000 "$SOURCE/man/mawk.1" >text
    cp "$SOURCE/test/wfrq0.awk" "$SOURCE/examples/primes.awk" "$SOURCE/examples/decl.awk" .
    cat "$SOURCE/man/mawk.1" "$SOURCE/scan.c" "$SOURCE/execute.c" >large
}
workload_words() {
    arguments=(-f wfrq0.awk text)
}
workload_primes() {
    arguments=('BEGIN { srand(1); for (n = 2; n < 2000; n++) { for (d = 2; d * d <= n && n % d; d++); if (d * d > n)
        s = s " " n } print length(s), sin(1), exp(1), log(10), 2 ^ 0.5, sqrt(2), int(-3.7), rand() < 1
        printf "%d %5.2f %e %x %c %s\n", 1e6, 3.14159, 1e-20, 255, 65, substr(s, 20, 30) > "out"
        gsub(/7/, "[&]", s); print substr(s, 1, 200); print index(s, "[7]9"), match(s, /3+/), RSTART, RLENGTH
        print "x" | "cat"; close("cat"); exit 3 }')
}
workload_errors() {
    arguments=('BEGIN { print getline < "missing"; print length(ENVIRON); printf "%d %s\n", "12x", a[1] b }
        { print $(1 - 3) }')
    standard_input=text
}
workload_large() {
    arguments=('{ for (i = 1; i <= NF; i++) count[tolower($i)]++; lines[NR % 10] = $0 } /[a-z]+_[a-z]+\(/ { calls++ }
        END { for (w in count) if (count[w] > m) { m = count[w]; best = w } print NR, m, best, calls }' large)
}
