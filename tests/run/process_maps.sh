# process_maps: the program's view of its own mappings has none of the analysis side, and otherwise equals the view
# without atomc.
alpha plain "$tests/data/process_maps.c" -pthread
shared dynamic "$tests/data/process_maps.c" -pthread
libraries=/usr/alpha-linux-gnu
# Without parts that differ: name and number of the program's file, and offsets of segments in it. For a dynamic
# program, only sizes, protection and names: qemu chooses the address of the linker.
mapped() { # PROGRAM LINKAGE
    qemu -L $libraries "$1" | sed -E -e "s|^([^ ]* ....) [0-9a-f]* [^ ]* [0-9]* *$PWD/$1\$|\1 program|" -e \
        's/ 0.*(00:00 0|[a-z]) *$/ \1/' -e 's/ 0[^ ]* [^ ]* [0-9]* */ /' |
        if [ "$2" = static ]; then cat; else
            awk "$hexadecimal"' /^[0-9a-f]+-/ { split($1, at, "-"); $1 = number(at[2]) - number(at[1]);
                if (!sub(/^[0-9]* ---p.*/, "nothing " $1)) { } print | "sort"; next }
                { close("sort"); print } END { close("sort") }'
        fi
}
for linkage in static dynamic; do
    program=plain
    [ $linkage = static ] || program=dynamic
    mapped $program $linkage >expected
    for tool in prof cache third; do
        instrument instrumented -t $tool $program
        mapped instrumented $linkage >found
        same $linkage/$tool expected found
    done
done
instrument instrumented -t prof --objects=all dynamic
mapped instrumented dynamic >found
same dynamic/libraries expected found
