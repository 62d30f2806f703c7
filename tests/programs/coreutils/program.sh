# coreutils: GNU's small programs as one, C; setlocale, qsort, error paths, long doubles, timers, directories.
# Requires: tests/programs/build.sh, which sources this.
description="GNU coreutils (C)"
source_package=coreutils
source_version=9.1-1
levels="O2 dynamic"
check_levels=none
only_tools="empty prof cache audit third"
threads=no # but sort could
reads_unwritten=yes # on its stack
unrepeatable="copy sort_random" # numbers of files; names of temporary files are random, until one is unused
left_out='(getrandom|gen_tempname|^hash_|^src_to_dest_compare)' # chains of files, by their numbers
workloads="sort sort_random join factor printf seq od date expr tsort fmt pr sha512sum split copy remove errors"

build() {
    FORCE_UNSAFE_CONFIGURE=1 ./configure --host="$TRIPLE" --enable-single-binary=symlinks --disable-nls --without-gmp \
        --without-openssl --disable-acl --disable-xattr --disable-libcap
    # The manual's pages would need the programs' own output.
    printf 'include Makefile\nbuilt: $(BUILT_SOURCES)\n' >built.mk
    make -f built.mk built
    make LDFLAGS="$LINK" src/coreutils
    cp src/coreutils "$1"
}
prepare() {
    head -c 30000 "$SOURCE/ChangeLog" >text
    head -c 5000 "$SOURCE/NEWS" >news
    cut -d' ' -f1 text | sort | uniq >words
    mkdir -p tree/one/two tree/three
    cp news tree/one/two
    ln -s ../one tree/three/link
}
# All are links to one program, which goes by its first argument here.
tool_of_coreutils() {
    arguments=("--coreutils-prog=$1" "${@:2}")
}
workload_sort() { tool_of_coreutils sort -k2,2 -k1,1r -f text; }
workload_sort_random() { tool_of_coreutils sort --parallel=1 -S 20k -u -g text; }
workload_join() { tool_of_coreutils join -a 1 words words; }
workload_factor() { tool_of_coreutils factor 600851475143 18446744073709551557 340282366920938463463374607431768211455; }
workload_printf() { tool_of_coreutils printf '%s %q %d %x %010.3Lf %b\n' a 'b c' 42 255 3.14159265358979323846 'x\ty'; }
workload_seq() { tool_of_coreutils seq -w 0.1 0.37 99; }
workload_od() { tool_of_coreutils od -A x -t fLfDx2az news; }
workload_date() { tool_of_coreutils date -u -d '2024-02-29 12:34:56 next month' '+%A %d %B %Y %j %U %s'; }
workload_expr() { tool_of_coreutils expr 12345678901234567890 '*' 98765432109876543210 % 1234567891; }
workload_tsort() { tool_of_coreutils tsort words; }
workload_fmt() { tool_of_coreutils fmt -w 50 news; }
workload_pr() { tool_of_coreutils pr -3 -D 2000 -l 40 -n news; }
workload_sha512sum() { tool_of_coreutils sha512sum text news; }
workload_split() { tool_of_coreutils split -n l/7 -d text part; }
workload_copy() { tool_of_coreutils cp -av tree copied; }
workload_remove() { tool_of_coreutils rm -rv tree missing; }
workload_errors() { tool_of_coreutils cat missing text tree; }
