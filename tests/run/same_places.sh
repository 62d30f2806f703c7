# same_places: memory of a dynamic program is at the same addresses as without atomc: heap, stack, mappings, libraries;
# also for a program whose hole between text and data is too small for the springboards. It prints these addresses, and
# branches depending on them.
{
    echo '#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>'
    for i in $(seq 400); do
        printf 'long f%d(long n) { long s = n; for (long i = 0; i < (n & 7); i++) s ^= s * %d + (i << %d); return s > %d ? s - puts_count(s) : s + %d; }\n' \
            "$i" $((i * 7 + 1)) $((i % 13)) $((i * 31)) "$i" | sed 's/puts_count/labs/'
    done
    echo 'static long (*const all[])(long) = {'
    for i in $(seq 400); do printf 'f%d,' "$i"; done
    echo '};
int main(int argc, char **argv)
{
    long sum = argc, order = 0;
    void *first = sbrk(0), *small = malloc(10), *large = malloc(1 << 20),
        *page = mmap(0, 1 << 16, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 4000; i++)
        sum = all[((unsigned long)sum ^ (unsigned long)small >> 4) % 400](sum), order += sum & 1;
    printf("%p %p %p %p %p %p %p %ld %ld\n", first, small, large, page, (void *)&sum, (void *)argv, (void *)stdout, sum, order);
    for (int i = 0; i < 100; i++)
        small = malloc(5000);
    printf("%p %p\n", small, sbrk(0));
    return 5;
}'
} >places.c
for form in "-fno-pie -no-pie" "-fno-pie -no-pie -Wl,-z,max-page-size=0x2000" \
    "-fno-pie -no-pie -Wl,-z,now,-z,max-page-size=0x2000"; do
    # shellcheck disable=SC2086 # several words
    shared plain places.c $form
    ending expected -L /usr/alpha-linux-gnu -singlestep -0 places -plugin "$oracle,out=oracle.txt,registers=on,cache=on" plain
    variants=(prof cache third "prof --objects=all" audit branch)
    case $SIZE:$form in
    check:*now*) variants=(prof third) ;;
    check:*page*) variants=(prof cache) ;;
    check:*) variants=("prof --objects=all") ;;
    esac
    for variant in "${variants[@]}"; do
        # shellcheck disable=SC2086
        instrument tool -v -t $variant plain || continue
        ending found -L /usr/alpha-linux-gnu -0 places tool
        check "${form##* }/${variant// /}" "diff expected found && grep -q 'exit status 5' found" found
        [ "$variant" != prof ] || check "${form##* }/counts" \
            "bash '$tests/lib/counts.sh' prof oracle.txt prof.out plain '^(main|f[0-9]+)\$'"
    done
done
