# pth: GNU Pth, threads without the kernel, and its own tests, C; contexts on stacks from the heap, timers, signals.
# Requires: tests/programs/build.sh, which sources this.
description="GNU Pth's tests (C, contexts)"
source_package=pth
source_version=2.0.7-22
levels="O2 dynamic"
check_levels=none
only_tools="empty prof cache audit third"
threads=no
workloads="std uctx misc mp"
timing=$workloads

build() {
    # What it would find out by running programs.
    ac_cv_check_mcsc=yes ac_cv_check_sjlj=ssjlj ac_cv_check_stackgrowth=down ac_cv_stacksetup_sigstack="N.A.:/*N.A.*/,/*N.A.*/" \
        ac_cv_stacksetup_sigaltstack="ok:(skaddr),(sksize)" ac_cv_stacksetup_makecontext="ok:(skaddr),(sksize)" \
        ./configure --host="$TRIPLE" --disable-shared
    make pth.h pth_p.h libpth.la
    sed -i 's/^ *test_performance();//' test_uctx.c # ten million times, and shows its speed
    link_mains "$1" std=test_std.c uctx=test_uctx.c misc=test_misc.c mp=test_mp.c \
        -- -I. test_common.c .libs/libpth.a
}
prepare() {
    :
}
normalise() { # timers that end at the same time
    sort "$1"
}
