# workloads.sh: the programs of the benchmark and what each does; sized for seconds under plain qemu-alpha.
# Requires: sourced by bench.sh, with BUILD; scaled N gives N times BENCH_SCALE per cent, at least 1. Each function runs in
# the program's folder of inputs, writes what it needs there and sets arguments and standard_input.
# shellcheck shell=bash disable=SC2034

# Real programs: integer and floating point, C, C++ and Fortran; then the two extremes.
bench_programs="bzip2 minigzip lua lzip minisat mawk byacc sqlite3 blas zblas dash zpaq nqueens quicksort"

scaled() {
    local n=$(($1 * ${BENCH_SCALE:-100} / 100))
    echo $((n > 0 ? n : 1))
}
# A text that compressors and the like find natural: SQLite's source.
source_text() { # BYTES
    head -c "$1" "$BUILD/programs/sqlite3/source/sqlite3.c"
}

bench_bzip2() {
    source_text "$(scaled 7000000)" >text
    arguments=(-c -9)
    standard_input=text
}
bench_minigzip() {
    source_text "$(scaled 6000000)" >text
    arguments=(-9)
    standard_input=text
}
bench_lua() {
    sed "s/50000/$(scaled 1200000)/g; s/1, 5000 do/1, $(scaled 120000) do/; s/n, solutions = 8/n, solutions = 9/" \
        "$BUILD/programs/lua/inputs/large.lua" >large.lua
    arguments=(large.lua)
    standard_input=/dev/null
}
bench_lzip() {
    source_text "$(scaled 1500000)" >text
    arguments=(-6)
    standard_input=text
}
bench_minisat() {
    # 3-satisfiability near the threshold, from a generator of our own: several seconds of search.
    awk -v n="$((140 + $(scaled 130)))" 'function next_number() { return seed = (seed * 16807) % 2147483647 }
    BEGIN {
        seed = 4711
        m = int(n * 4.26)
        print "p cnf", n, m
        for (i = 0; i < m; i++) {
            for (j = 0; j < 3; j++) printf "%d ", (int(next_number() / 7) % n + 1) * (int(next_number() / 3) % 2 ? 1 : -1)
            print 0
        }
    }' >random.cnf
    arguments=(random.cnf)
    standard_input=/dev/null
}
bench_mawk() {
    source_text "$(scaled 6000000)" >text
    arguments=('{ for (i = 1; i <= NF; i++) count[tolower($i)]++; lines[NR % 10] = $0 } /[a-z]+_[a-z]+\(/ { calls++ }
        END { for (w in count) if (count[w] > m) { m = count[w]; best = w } print NR, m, best, calls }' text)
    standard_input=/dev/null
}
bench_byacc() {
    # An expression grammar with 4 operators at each level; time grows with the square of the levels.
    awk -v levels="$((8 + $(scaled 90)))" 'BEGIN {
        for (l = 0; l < levels; l++) for (o = 0; o < 4; o++) print "%token OP" l "_" o
        print "%token ID NUMBER\n%%"
        for (l = 0; l < levels; l++) {
            printf "level%d : level%d\n", l, l + 1
            for (o = 0; o < 4; o++) printf "  | level%d OP%d_%d level%d { $$ = $1 + $3; }\n", l, l, o, l + 1
            print "  ;"
        }
        print "level" levels " : ID | NUMBER | \047(\047 level0 \047)\047 ;\n%%"
    }' >large.y
    arguments=(-v -d large.y)
    standard_input=/dev/null
}
bench_sqlite3() {
    sed "s/5000/$(scaled 60000)/" "$BUILD/programs/sqlite3/inputs/large.sql" >large.sql
    arguments=(-batch :memory:)
    standard_input=large.sql
}
bench_blas() { # the numbers of VALUES OF N are dimensions of matrices, 65 at most
    sed -e "s/^0 1 2 3 5 9 /1 2 3 $((3 + $(scaled 14) % 30)) $((5 + $(scaled 28) % 50)) $((9 + $(scaled 53) % 56)) /" "$BUILD/programs/blas/inputs/large.in" >large.in
    arguments=()
    standard_input=large.in
}
bench_zblas() {
    sed -e "s/^0 1 2 3 5 9 /0 1 2 3 5 $((3 + $(scaled 16) % 60)) /" "$BUILD/programs/zblas/inputs/large.in" >large.in
    arguments=()
    standard_input=large.in
}
bench_dash() {
    sed "s/20000/$(scaled 250000)/" "$BUILD/programs/dash/inputs/large.sh" >large.sh
    arguments=(large.sh)
    standard_input=/dev/null
}
bench_zpaq() {
    source_text "$(scaled 250000)" >text
    TZ=UTC touch -d '2001-02-03 04:05:06' text
    arguments=(add archive text -m4 -t1)
    standard_input=/dev/null
}
bench_nqueens() {
    arguments=(10 "$(scaled 1000)")
    standard_input=/dev/null
}
bench_quicksort() {
    arguments=("$(scaled 1500000)")
    standard_input=/dev/null
}

# Eight of them with inputs of another kind, for profiles that are not of the run that is measured.
profile_programs="bzip2 minigzip lua lzip minisat mawk byacc sqlite3"

binary_data() { # BYTES
    head -c "$1" "$BUILD/atomc"
}
other_bzip2() {
    binary_data "$(scaled 2000000)" >data
    arguments=(-c -1)
    standard_input=data
}
other_minigzip() {
    binary_data "$(scaled 3000000)" >data
    arguments=(-1)
    standard_input=data
}
other_lua() {
    cp "$BUILD/programs/lua/inputs/strings.lua" .
    arguments=(strings.lua)
    standard_input=/dev/null
}
other_lzip() {
    binary_data "$(scaled 1000000)" >data
    arguments=(-1)
    standard_input=data
}
other_minisat() {
    cp "$BUILD/programs/minisat/inputs/pigeons.cnf" .
    arguments=(pigeons.cnf)
    standard_input=/dev/null
}
other_mawk() {
    cp "$BUILD/programs/mawk/inputs/primes.awk" .
    arguments=(-f primes.awk 2000)
    standard_input=/dev/null
}
other_byacc() {
    cp "$BUILD/programs/byacc/inputs/grammar.y" .
    arguments=(-v -d grammar.y)
    standard_input=/dev/null
}
other_sqlite3() {
    cp "$BUILD/programs/sqlite3/inputs/queries.sql" .
    arguments=(-batch :memory:)
    standard_input=queries.sql
}
