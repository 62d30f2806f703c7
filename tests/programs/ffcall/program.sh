# ffcall: its own tests, C; calls with computed arguments, and functions copied to the heap and patched there.
# Requires: tests/programs/build.sh, which sources this.
description="libffcall's tests (C, code made at run time)"
source_package=ffcall
source_version=2.4-2
levels="O2 dynamic"
check_levels=none
only_tools="empty prof cache audit third"
threads=no
unrepeatable="vacall" # it stores registers that nobody has set, and loads them
workloads="avcall vacall trampoline1 trampoline2 callback callback1 closure1 closure2"

build() {
    # What it would find out by running programs.
    ffcall_cv_codeexec=no ffcall_cv_malloc_mprotect_can_exec=yes ./configure --host="$TRIPLE" --disable-shared
    make
    link_mains "$1" avcall=avcall/tests.c vacall=vacall/tests.c trampoline1=trampoline/test1.c trampoline2=trampoline/test2.c \
        callback=callback/tests.c callback1=callback/test1.c closure1=callback/trampoline_r/test1.c \
        closure2=callback/trampoline_r/test2.c -- -I. -Iavcall -Ivacall -Itrampoline -Icallback -Icallback/trampoline_r \
        -Icallback/vacall_r -Ignulib-lib .libs/libffcall.a trampoline/.libs/libtrampoline.a vacall/libvacall.a gnulib-lib/.libs/libgnu.a
}
prepare() {
    :
}
