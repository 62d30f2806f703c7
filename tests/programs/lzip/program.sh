# lzip: an LZMA compressor, C++; reports damaged files by exceptions.
# Requires: tests/programs/build.sh, which sources this.
description="lzip, a compressor (C++, exceptions)"
source_package=lzip
source_version=1.23-5
levels="O2 O0 O3 O2s"
check_levels=O2s
threads=no
workloads="compress decompress damaged large"
check_workloads=damaged

build() {
    $CXX $CFLAGS -DPROGVERSION='"1.23"' ./*.cc $LINK -o "$1"
}
prepare() {
    head -c 6000 "$SOURCE/testsuite/test.txt" >text
    cp "$SOURCE/testsuite/test.txt.lz" "$SOURCE/testsuite/fox_bcrc.lz" "$SOURCE/testsuite/fox_das46.lz" .
    head -c 5000 "$SOURCE/testsuite/test.txt.lz" >short.lz
    cat "$SOURCE"/encoder*.cc "$SOURCE"/main.cc >large
}
workload_compress() {
    arguments=(-v -3)
    standard_input=text
}
workload_decompress() {
    arguments=(-d -vv test.txt.lz)
}
workload_damaged() {
    arguments=(-t -vv test.txt.lz fox_bcrc.lz short.lz fox_das46.lz missing.lz)
}
workload_large() {
    arguments=(-k -6 large)
}
