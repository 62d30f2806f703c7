# bzip2: the block-sorting compressor, C; compresses, decompresses and meets a damaged file.
# Requires: tests/programs/build.sh, which sources this.
description="bzip2, a compressor (C)"
source_package=bzip2
source_version=1.0.8-5
levels="O2 O0 O3 O2s"
threads=no
workloads="compress decompress damaged large"
check_workloads="compress damaged"

build() {
    $CC $CFLAGS -D_FILE_OFFSET_BITS=64 blocksort.c huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c \
        bzip2.c $LINK -o "$1"
}
prepare() {
    head -c 20000 "$SOURCE/blocksort.c" >text
    head -c 10000 "$SOURCE/sample2.bz2" >damaged.bz2
    cp "$SOURCE/sample1.bz2" sample.bz2
    cat "$SOURCE"/*.c >large
}
workload_compress() {
    arguments=(-c -9 -v)
    standard_input=text
}
workload_decompress() {
    arguments=(-d -k -v sample.bz2)
}
workload_damaged() {
    arguments=(-t -v damaged.bz2)
}
workload_large() {
    arguments=(-k -v large)
}
