# pbzip2: a parallel bzip2, C++; a thread per block and exceptions from its reader.
# Requires: tests/programs/build.sh, which sources this; the library is bzip2's source, fetched too.
description="pbzip2, a parallel compressor (C++, threads)"
source_package=pbzip2
source_version=1.1.13-1
more_packages=bzip2
levels="O2 O3"
threads=yes
atomc_flags=--stack=own # it reads its stack before it writes it, and audit sees that
stable='^(BZ2_|generateMTFValues|sendMTFValues|mainSort|fallbackSort|mainGtU|mainSimpleSort|add_pair_to_block)'
workloads="compress decompress large"
unrepeatable=decompress # buffers that several threads allocate: addresses are found in registers
check_workloads=compress

build() {
    for file in blocksort huffman crctable randtable compress decompress bzlib; do
        $CC $CFLAGS -c "bzip2/$file.c"
    done
    $CXX $CFLAGS -D_LARGEFILE64_SOURCE -D_FILE_OFFSET_BITS=64 -DUSE_STACKSIZE_CUSTOMIZATION -D_POSIX_PTHREAD_SEMANTICS \
        -Ibzip2 -pthread pbzip2.cpp BZ2StreamScanner.cpp ErrorContext.cpp ./*.o $LINK -pthread -o "$1"
}
prepare() {
    head -c 110000 "$SOURCE/bzip2/manual.html" >text
    cp "$SOURCE/bzip2/sample1.bz2" "$SOURCE/bzip2/sample1.ref" .
    cat "$SOURCE"/*.cpp "$SOURCE"/bzip2/*.c "$SOURCE"/bzip2/*.html >large
}
workload_compress() {
    arguments=(-p3 -1 -k -c text)
}
workload_decompress() {
    arguments=(-p3 -d -c sample1.bz2)
}
workload_large() {
    arguments=(-p4 -1 -k large)
}
