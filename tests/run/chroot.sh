# chroot: results of a program that takes another root, and another user, are where it began, or in ATOMC_OUT.
if [ "$(id -u)" != 0 ]; then
    skipped chroot "only root may change its root"
    return
fi
alpha plain "$tests/data/chroot.c"
chmod 777 .
for tool in prof iprof cache dynmem trace; do
    instrument $tool -t $tool plain || continue
    for place in '' "$scratch/elsewhere"; do
        rm -rf jail elsewhere $tool.out
        mkdir -m 777 elsewhere
        ATOMC_OUT=$place qemu $tool >printed 2>said || true
        check "$tool${place:+/elsewhere}" "grep -qx 'in jail' printed && [ ! -s said ] && [ -s ${place:-.}/$tool.out ]" said
    done
done
