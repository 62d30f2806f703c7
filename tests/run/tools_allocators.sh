# tools_allocators: the tools of memory follow every way to allocate, and what the C library does inside, as well in a library, whose symbols
# are those that it exports, as in a static program; they find the same errors.
# in_folder FOLDER PROGRAM [ARGUMENT]: runs it there.
in_folder() {
    mkdir -p "$each/$1"
    (cd "$each/$1" && "$QEMU" -L /usr/alpha-linux-gnu "../../$2" "${@:3}" >stdout 2>stderr) || failed "$each/$1" "status $?" "$each/$1/stderr"
}
alpha-linux-gnu-gcc -O2 -g -w -pthread -static -Wl,--no-relax "$tests/data/allocating.c" -o static.plain
alpha-linux-gnu-gcc -O2 -g -w -pthread -DOPENS "$tests/data/allocating.c" -o dynamic.plain
printf 'Error\n' >nothing
printf 'double free\tmain\t\nwrite outside a block\tmain\t1\tat 30011 of 30011 bytes\n' >errors
for each in static dynamic; do
    [ $each = static ] && objects= || objects=--objects=all
    for tool in third dynmem "malloc -D exact=true"; do
        "$ATOMC" $objects -t $tool $each.plain -o "$each.${tool%% *}" 2>log || failed "$each/$tool" "not instrumented" log
    done
    in_folder good "$each.third"
    check "$each/runs" "grep -x '90 0' $each/good/stdout" "$each/good/stderr"
    cut -f1 $each/good/third.out >found
    same "$each/nothing" nothing found
    mkdir "$each/bad" # the C library may end it at the second error
    (cd "$each/bad" && "$QEMU" -L /usr/alpha-linux-gnu "../../$each.third" wrong >stdout 2>stderr) || true
    awk -F '\t' 'NR > 1 { print $1 "\t" $2 "\t" ($1 ~ /write/ ? $5 "\t" $6 : "") }' $each/bad/third.out | sed 's/ from .*//' | sort >found
    same "$each/errors" errors found
    in_folder blocks "$each.dynmem"
    awk -F '\t' '$1 == "main" { print $4, $5, $6, $7, $8, $9 }' $each/blocks/dynmem.out | sort >"$each.blocks"
    in_folder sizes "$each.malloc"
    awk '$1 > 10000 { print $1, $3 }' $each/sizes/malloc.out >"$each.sizes"
done
same blocks static.blocks dynamic.blocks
check blocks/all "[ \$(wc -l <static.blocks) -ge 9 ] && awk '{ sum += \$1; freed += \$3 } END { exit sum != freed }' static.blocks" static.blocks
same sizes static.sizes dynamic.sizes
check sizes/all "[ \$(wc -l <static.sizes) -ge 7 ]" static.sizes
