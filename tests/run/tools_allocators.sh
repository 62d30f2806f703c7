# tools_allocators: the memory tools follow all ways of allocating, and the internal calls of the C library, both in a
# library that has only exported symbols, and in a static program; they find the same errors. in_folder FOLDER PROGRAM
# [ARGUMENT]: runs it there.
in_folder() {
    mkdir -p "$each/$1"
    (cd "$each/$1" && "$QEMU" -L /usr/alpha-linux-gnu "../../$2" "${@:3}" >stdout 2>stderr) ||
        failed "$each/$1" "status $?" "$each/$1/stderr"
}
alpha-linux-gnu-gcc -O2 -g -w -pthread -static -Wl,--no-relax "$tests/data/allocating.c" -o static.plain
alpha-linux-gnu-gcc -O2 -g -w -pthread -DOPENS "$tests/data/allocating.c" -o dynamic.plain
printf 'Error\n' >nothing
printf '#include <stdio.h>\n#include <unistd.h>\nint main(void) { printf("%%ld\\n", sysconf(_SC_PAGESIZE)); return 0; }\n' \
    >pages.c
shared pages pages.c
printf 'double free\tmain\t\nwrite outside a block\tmain\t1\tat 30011 of 30011 bytes\n' >errors
for each in static dynamic; do
    [ $each = static ] && objects= || objects=--objects=all
    # dynmem and malloc together, with SIZE=all each alone.
    for tool in third $(pick "dynmem+malloc" "dynmem malloc"); do
        words=" -t ${tool//+/ -t }" words=${words/ malloc/ malloc -D malloc.exact=true}
        "$ATOMC" $objects $words $each.plain -o "$each.$tool" 2>log || failed "$each/$tool" "not instrumented" log
    done
    in_folder good "$each.third"
    check "$each/runs" "grep -x '90 0' $each/good/stdout" "$each/good/stderr"
    cut -f1 $each/good/third.out >found
    same "$each/nothing" nothing found
    mkdir "$each/bad" # the C library may end it at the second error
    (cd "$each/bad" && "$QEMU" -L /usr/alpha-linux-gnu "../../$each.third" wrong >stdout 2>stderr) || true
    awk -F '\t' 'NR > 1 { print $1 "\t" $2 "\t" ($1 ~ /write/ ? $5 "\t" $6 : "") }' $each/bad/third.out |
        sed 's/ from .*//' | sort >found
    same "$each/errors" errors found
    in_folder blocks "$each.dynmem$(pick +malloc "")"
    awk -F '\t' '$1 == "main" { print $4, $5, $6, $7, $8, $9 }' $each/blocks/dynmem.out | sort >"$each.blocks"
    [ "$SIZE" = check ] || in_folder sizes "$each.malloc"
    awk '$1 > 10000 { print $1, $3 }' $each/$(pick blocks sizes)/malloc.out >"$each.sizes"
done
same blocks static.blocks dynamic.blocks
check blocks/all \
    "[ \$(wc -l <static.blocks) -ge 9 ] && awk '{ sum += \$1; freed += \$3 } END { exit sum != freed }' static.blocks" \
    static.blocks
# For pvalloc, malloc.atd has only Alpha's page size: pages of some emulators are smaller.
"$QEMU" -L /usr/alpha-linux-gnu pages >pages.size
[ "$(cat pages.size)" = 8192 ] || sed -i '/^61440 1$/d; /^65536 [23]$/d' static.sizes dynamic.sizes
same sizes static.sizes dynamic.sizes
check sizes/all "[ \$(wc -l <static.sizes) -ge 6 ]" static.sizes

# The blocks of the C library's timers, and of the dynamic linker, have no errors.
alpha library_blocks "$tests/data/library_blocks.c" -O2 -g -w
shared library_blocks.dynamic "$tests/data/library_blocks.c" -O2 -g
for each in library_blocks.dynamic library_blocks; do
    [ $each = library_blocks ] && objects= || objects=--objects=all
    instrument instrumented $objects -t third $each
    rm -f third.out
    check $each/runs "qemu -L /usr/alpha-linux-gnu instrumented >printed && grep -q '^3 ' printed" printed
    check $each/nothing "[ \$(wc -l <third.out) = 1 ]" third.out
done
# A program's own allocator: there is no chunk before a block.
alpha own "$tests/data/own_allocator.c" -O2 -g -fno-builtin-malloc
shared own.dynamic "$tests/data/own_allocator.c" -O2 -g -fno-builtin-malloc
for each in own $(pick '' own.dynamic); do
    [ $each = own ] && objects= || objects=--objects=all
    instrument instrumented $objects -t third $each
    rm -f third.out
    check $each/runs "timeout 1500 \"\$QEMU\" -L /usr/alpha-linux-gnu instrumented >printed && grep -q -x 300 printed" printed
    check $each/nothing "[ \$(wc -l <third.out) = 1 ]" third.out
    timeout 1500 "$QEMU" -L /usr/alpha-linux-gnu instrumented wrong >printed 2>&1 || true
    check $each/unset "[ \$(wc -l <third.out) = 2 ] && grep -q '^unset heap read	main' third.out" third.out
done
