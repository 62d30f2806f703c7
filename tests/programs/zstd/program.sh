# zstd: a compressor, C; reads and writes in threads of their own, and compresses in several.
# Requires: tests/programs/build.sh, which sources this.
description="zstd, a compressor (C, threads)"
source_package=libzstd
source_version=1.5.4+dfsg2-5
levels="O2 dynamic"
check_levels=none
only_tools="empty prof cache audit third"
threads=yes
workloads="compress decompress threads dictionary"
timing=$workloads # also the simple ones have a thread that writes

build() {
    # shellcheck disable=SC2086 # several words
    $CC $CFLAGS -DZSTD_MULTITHREAD -DZSTD_LEGACY_SUPPORT=0 -DZSTD_DISABLE_ASM programs/{benchfn,benchzstd,datagen,dibio}.c \
        programs/{fileio,fileio_asyncio,timefn,util,zstdcli,zstdcli_trace}.c lib/{common,compress,decompress,dictBuilder}/*.c \
        $LINK -pthread -o "$1"
}
prepare() {
    head -c 150000 "$SOURCE/CHANGELOG" | cat - "$SOURCE/lib/compress/zstd_compress.c" | head -c 300000 >text
    cp "$SOURCE"/tests/golden-decompression/*.zst .
    mkdir samples
    split -b 2000 -a 3 text samples/part
}
workload_compress() {
    arguments=(-q -6 -c text)
}
workload_decompress() {
    arguments=(-q -dc rle-first-block.zst)
}
workload_threads() {
    arguments=(-q -T3 -1 -B64KB --rsyncable -c text)
}
workload_dictionary() {
    arguments=(-q --train -T1 -r samples --maxdict=4KB -o dictionary)
}
