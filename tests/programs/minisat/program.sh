# minisat: a SAT solver, C++ templates; exceptions for memory.
# Requires: tests/programs/build.sh, which sources this.
description="minisat, a satisfiability solver (C++)"
source_package=minisat2
source_version=2.2.1-5
levels="O2 O0 O3"
threads=no
workloads="satisfiable pigeons large"
check_workloads=pigeons

build() {
    # It wants zlib only to read compressed input: plain files do. The fpu_control calls are for x87.
    mkdir shim
    cat >shim/zlib.h <<'END'
#include <stdio.h>
typedef FILE *gzFile;
#define gzopen fopen
#define gzdopen fdopen
#define gzread(file, buffer, size) ((int)fread(buffer, 1, size, file))
#define gzclose fclose
END
    # Without __linux__ it does not look up its memory use, which differs from run to run.
    $CXX $CFLAGS -U__linux__ -D__STDC_LIMIT_MACROS -D__STDC_FORMAT_MACROS -fpermissive -I. -c minisat/utils/System.cc
    $CXX $CFLAGS $IEEE -std=gnu++98 -fpermissive -D__STDC_LIMIT_MACROS -D__STDC_FORMAT_MACROS -DNDEBUG -I. -Ishim \
        minisat/core/Solver.cc minisat/simp/SimpSolver.cc minisat/simp/Main.cc minisat/utils/Options.cc System.o \
        $LINK $REPEATABLE -o "$1"
}
# pigeons N M: N pigeons in M holes.
pigeons() {
    awk -v n="$1" -v m="$2" 'BEGIN {
        print "p cnf", n * m, n + m * n * (n - 1) / 2
        for (i = 0; i < n; i++) {
            for (j = 1; j <= m; j++) printf "%d ", i * m + j
            print 0
        }
        for (j = 1; j <= m; j++) for (i = 0; i < n; i++) for (k = i + 1; k < n; k++)
            print -(i * m + j), -(k * m + j), 0
    }'
}
# random_clauses VARIABLES CLAUSES: three literals each, from a generator of our own.
random_clauses() {
    awk -v n="$1" -v m="$2" 'function next_number() { return seed = (seed * 16807) % 2147483647 }
    BEGIN {
        seed = 12345
        print "p cnf", n, m
        for (i = 0; i < m; i++) {
            for (j = 0; j < 3; j++) printf "%d ", (next_number() % n + 1) * (next_number() % 2 ? 1 : -1)
            print 0
        }
    }'
}
prepare() {
    random_clauses 120 480 >satisfiable.cnf
    pigeons 6 5 >pigeons.cnf
    random_clauses 180 750 >large.cnf
}
workload_satisfiable() {
    arguments=(satisfiable.cnf satisfiable.txt)
}
workload_pigeons() {
    arguments=(pigeons.cnf pigeons.txt)
}
workload_large() {
    arguments=(large.cnf large.txt)
}
