# packed: features of present linkers and compilers that Alpha's may have later: packed relative relocations (DT_RELR),
# descriptors of thread-local variables. If the linker ignores the first, the program has normal relocations; the
# behaviour and counts are the same in both cases.
cat >cells.c <<'END'
#include <stdio.h>
static int cells[200];
int *addresses[200] = {
#define FOUR(k) &cells[k], &cells[(k) + 1], &cells[(k) + 2], &cells[(k) + 3]
    FOUR(0), FOUR(4), FOUR(8), FOUR(12), FOUR(196)};
__thread int own = 3;
__attribute__((noinline)) int *cell(int k) { return addresses[k % 20]; }
int main(void)
{
    for (int k = 0; k < 1000; k++)
        *cell(k) += k + own;
    printf("%d %d %d\n", cells[0], cells[199], own);
    return 7;
}
END
descriptors=-mtls-dialect=desc
alpha-linux-gnu-gcc $descriptors -c cells.c -o object.o 2>log || descriptors=
for form in "-fPIE -pie" "-fPIE -pie -Wl,-z,pack-relative-relocs"; do
    # shellcheck disable=SC2086 # several words
    shared plain cells.c $form $descriptors 2>said
    case $form in
    *pack*) echo \
        "# packed relocations: $(alpha-linux-gnu-readelf -d plain | grep -c RELR) of 1; $(grep -o 'pack.*ignored' said || true)" \
        ;;
    esac
    ending expected -L /usr/alpha-linux-gnu plain
    for tool in prof $(case $(pick "$form" all) in *pack*) echo third ;; all) echo cache third ;; *) echo cache ;; esac); do
        instrument instrumented -t $tool --objects=all plain
        ending found -L /usr/alpha-linux-gnu instrumented
        check "${form##*,}/$tool" "diff expected found && grep -q 'exit status 7' found" found
        [ $tool != prof ] || check "${form##*,}/calls" \
            "awk -F'\t' '\$4 == \"cell\" && \$2 % 1000 == 0 && \$2 > 0 { found = 1 } END { exit !found }' prof.out" prof.out
    done
done
