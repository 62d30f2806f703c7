# gmp: tests of GMP's functions, whose inner loops are Alpha assembly by hand, for an EV67: unrolled and pipelined loops that are
# entered in the middle.
# Requires: tests/programs/build.sh, which sources this.
description="GMP's tests (assembly by hand)"
source_package=gmp
source_version=2:6.2.1+dfsg1-1.1
levels="O2 dynamic"
check_levels=none
only_tools="empty prof cache audit third"
threads=no
sources_of_tests="mpn/t-matrix22 mpn/t-toom8-sqr mpn/t-bdiv mpn/t-sizeinbase mpn/t-divrem_1 mpz/t-perfpow mpz/t-divis mpz/t-hamdist
    mpz/t-pprime_p mpf/t-ui_div mpf/t-get_d misc/t-printf"

workloads=
for test in $sources_of_tests; do
    workload=$(tr - _ <<<"${test#*/t-}")
    workloads+="$workload "
    # The number is how often it tries.
    eval "workload_$workload() { arguments=($workload 2); }"
done

build() {
    local test mains=()
    # The package has no documentation.
    mkdir -p doc
    printf 'all install:\n' >doc/Makefile.in
    CC="$CC -mcpu=ev67" ./configure --host=alphaev67-linux-gnu --disable-shared
    make
    make -C tests libtests.la
    for test in $sources_of_tests; do
        mains+=("$(tr - _ <<<"${test#*/t-}")=tests/$test.c")
    done
    link_mains "$1" "${mains[@]}" -- -I. -Itests -mcpu=ev67 tests/.libs/libtests.a .libs/libgmp.a -lm
}
prepare() {
    :
}
