# zblas: the level 3 BLAS for complex numbers with their own test program, Fortran.
# Requires: tests/programs/build.sh, which sources this.
description="zblat3, tests of complex linear algebra (Fortran)"
source_package=lapack
source_version=3.11.0-2
levels="O2 O0 O3"
check_levels=none
threads=no
workloads="small large"

build() {
    for file in BLAS/SRC/z*.f BLAS/SRC/d*abs*.f BLAS/SRC/lsame.f; do
        $FC $CFLAGS $IEEE -c "$file"
    done
    "$TRIPLE-ar" rc libblas.a ./*.o
    $FC $CFLAGS $IEEE -std=legacy BLAS/TESTING/zblat3.f libblas.a $LINK -o "$1"
}
prepare() {
    find "$SOURCE" -mindepth 1 -maxdepth 1 ! -name BLAS -exec rm -rf {} +
    sed -e 's/^0 1 2 3 5 9 /0 2 3       /' -e 's/^6   \( *NUMBER OF VALUES OF N\)/3   \1/' \
        "$SOURCE/BLAS/TESTING/zblat3.in" >small.in
    cp "$SOURCE/BLAS/TESTING/zblat3.in" large.in
}
workload_small() {
    arguments=()
    standard_input=small.in
}
workload_large() {
    arguments=()
    standard_input=large.in
}
