# byacc: Berkeley yacc, a parser generator, C.
# Requires: tests/programs/build.sh, which sources this.
description="byacc, a parser generator (C)"
source_package=byacc
source_version=2.0.20221106-1
levels="O2 O0 O3"
check_levels=O3
threads=no
workloads="grammar conflicts error large"
check_workloads=error

build() {
    LDFLAGS="$LINK $REPEATABLE" ./configure --host="$TRIPLE"
    make yacc
    cp yacc "$1"
}
prepare() {
    cp "$SOURCE"/test/grammar.y "$SOURCE"/test/btyacc_demo.y "$SOURCE"/test/calc3.y "$SOURCE"/test/err_syntax12.y .
    # An expression grammar of 12 levels with 4 operators each.
    awk 'BEGIN {
        print "%token ID NUMBER\n%%"
        for (l = 0; l < 12; l++) {
            printf "level%d : level%d\n", l, l + 1
            for (o = 0; o < 4; o++) printf "  | level%d \"op%d_%d\" level%d { $$ = $1 + $3; }\n", l, l, o, l + 1
            print "  ;"
        }
        print "level12 : ID | NUMBER | \047(\047 level0 \047)\047 ;\n%%"
    }' | sed 's/"op\([0-9]*_[0-9]*\)"/OP\1/g; 1s/$/ OPS/' >large.y
    for l in 0 1 2 3 4 5 6 7 8 9 10 11; do echo "%token OP${l}_0 OP${l}_1 OP${l}_2 OP${l}_3"; done | cat - large.y >large2.y
    mv large2.y large.y
}
workload_grammar() {
    arguments=(-v -d -g -b grammar grammar.y)
}
workload_conflicts() {
    arguments=(-v -t -i -r btyacc_demo.y)
}
workload_error() {
    arguments=(err_syntax12.y)
}
workload_large() {
    arguments=(-v -d large.y)
}
