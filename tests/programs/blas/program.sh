# blas: the level 2 BLAS with their own test program, Fortran, double precision.
# Requires: tests/programs/build.sh, which sources this.
description="dblat2, tests of linear algebra (Fortran)"
source_package=lapack
source_version=3.11.0-2
levels="O2 O0 O3"
check_levels=none
threads=no
workloads="small errors large"

build() {
    for file in BLAS/SRC/d*.f BLAS/SRC/idamax.f BLAS/SRC/lsame.f; do
        $FC $CFLAGS $IEEE -c "$file"
    done
    "$TRIPLE-ar" rc libblas.a ./*.o
    $FC $CFLAGS $IEEE -std=legacy BLAS/TESTING/dblat2.f libblas.a $LINK -o "$1"
}
prepare() {
    find "$SOURCE" -mindepth 1 -maxdepth 1 ! -name BLAS -exec rm -rf {} +
    sed -e 's/^0 1 2 3 5 9 /1 3 5       /' -e 's/^6   \( *NUMBER OF VALUES OF N\)/3   \1/' \
        -e 's/^0 1 2 4 /1 2     /' -e 's/^4   \( *NUMBER OF VALUES OF K\)/2   \1/' \
        -e 's/^1 2 -1 -2 /1 -2      /' -e 's/^4   \( *NUMBER OF VALUES OF INCX\)/2   \1/' \
        "$SOURCE/BLAS/TESTING/dblat2.in" >small.in
    sed -e '2s/6/7/' -e 's/^3  \( *NUMBER OF VALUES OF N\)/99 \1/' small.in >errors.in
    cp "$SOURCE/BLAS/TESTING/dblat2.in" large.in
}
workload_small() {
    arguments=()
    standard_input=small.in
}
workload_errors() {
    arguments=()
    standard_input=errors.in
}
workload_large() {
    arguments=()
    standard_input=large.in
}
