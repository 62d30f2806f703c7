#!/bin/bash
# break.sh: what an analysis routine gets from calloc is zero, also where free gave memory behind the break back before.
# Requires: atomc (ATOMC), qemu-alpha, the Alpha cross compiler; run from the repository's root.
set -eu
# shellcheck source=tests/run/library.sh
. tests/run/library.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp docs/examples/primes.c "$scratch"
alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax "$scratch/primes.c" -o "$scratch/primes"
cat >"$scratch/break.atd" <<'END'
tool broken
analysis "break.c"
after program call Try()
END
cat >"$scratch/break.c" <<'END'
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void Try(void) {
    long size = 100000, wrong = 0, moved = 0;
    for (int round = 0; round < 5; round++) {
        char *blocks[20];
        for (int i = 0; i < 20; i++) { /* smaller than what malloc maps */
            if (!(blocks[i] = calloc(1, size)))
                abort();
            for (long at = 0; at < size; at++)
                wrong += blocks[i][at] != 0;
            memset(blocks[i], 'x', size);
        }
        char *before = sbrk(0);
        for (int i = 0; i < 20; i++)
            free(blocks[i]);
        malloc_trim(0);
        moved += (char *)sbrk(0) < before;
    }
    printf("%ld wrong, given back %s\n", wrong, moved > 0 ? "sometimes" : "never");
}
END
if "$ATOMC" "$scratch/break.atd" "$scratch/primes" -o "$scratch/primes.atom" >"$scratch/log" 2>&1 &&
    "$QEMU" "$scratch/primes.atom" >"$scratch/found" 2>&1 &&
    printf '%s\n' "168 primes" "0 wrong, given back sometimes" | cmp -s - "$scratch/found"; then
    passed break/zero
else
    cat "$scratch/found" >>"$scratch/log" 2>/dev/null || true
    failed break/zero "memory is not zero, or never given back" "$scratch/log"
fi
[ "$failures" = 0 ]
