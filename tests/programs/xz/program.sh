# xz: the LZMA compressor, C; threads with queues and condition variables, a large table of filters by pointer.
# Requires: tests/programs/build.sh, which sources this.
description="xz, a compressor (C, threads)"
source_package=xz-utils
source_version=5.4.1-1+deb12u2
levels="O2 dynamic"
check_levels=none
only_tools="empty prof cache audit third"
threads=yes
reads_unwritten=yes # on its stack
workloads="compress decompress damaged list threads"
timing="threads"

build() {
    ./configure --host="$TRIPLE" --disable-shared --disable-nls --disable-doc --disable-scripts --disable-lzmainfo \
        --disable-lzmadec --disable-xzdec
    make -C src/liblzma
    make -C src/xz
    # libtool would have its own way to link.
    # shellcheck disable=SC2086 # several words
    $CC $CFLAGS src/xz/xz-*.o src/liblzma/.libs/liblzma.a $LINK -pthread -o "$1"
}
prepare() {
    head -c 60000 "$SOURCE/ChangeLog" >text
    cp "$SOURCE"/tests/files/good-1-*.xz "$SOURCE"/tests/files/bad-*.xz .
}
workload_compress() {
    arguments=(-T1 -3e --check=sha256 -c text)
}
workload_decompress() {
    arguments=(-T1 -dc good-1-delta-lzma2.tiff.xz good-1-3delta-lzma2.xz good-1-check-crc64.xz good-1-lzma2-4.xz)
}
workload_damaged() { # all kinds of damage
    arguments=(-T1 -t bad-0cat-header_magic.xz bad-1-block_header-1.xz bad-1-check-crc32.xz bad-1-lzma2-1.xz bad-1-lzma2-9.xz
        bad-2-index-3.xz bad-2-compressed_data_padding.xz)
}
workload_list() {
    arguments=(-lvv good-1-check-crc64.xz good-1-block_header-3.xz)
}
workload_threads() {
    arguments=(-T3 -1 --block-size=12KiB -c text)
}
