#!/bin/bash
# corpus.sh FOLDER: what the fuzzers begin with: FOLDER/compiler, FOLDER/elf, FOLDER/rewrite and FOLDER/atd.dict.
# Requires: the Alpha cross compilers for the last two; run from the repository's root.
set -eu
folder=$1
mkdir -p "$folder/compiler" "$folder/elf"

# Each tool of the tree, right or wrong, and the tools that the manual shows.
find stdtools docs/examples tests -name '*.atd' | while read -r file; do
    cp "$file" "$folder/compiler/$(echo "$file" | tr / -)"
done

# The words of the language: those of the scanner, the names of places, attributes, values and classes.
{
    awk -f grammar/operators.awk plan/operators.def grammar/atd.l | sed -n '/^%%/,/^%%/p' | grep -o '^"[^"\\]*"'
    sed -n 's/^[A-Z_]*(\(.*\)/\1/p' plan/attributes.def plan/values.def codegen/classes.def |
        grep -o '"[$a-z_][$a-z_]*"\|, [a-z_]*,' | sed 's/^, \(.*\),$/"\1"/'
    printf '"%s"\n' proc procs block blocks inst insts program edge edges loop loops index count int string boolean \
        none r0 r31 f0 a0 zero 0x7fffffffffffffff 9223372036854775807 -1
} | sort -u >"$folder/atd.dict"

# Small programs: a jump table, exceptions, debug information, none, no section headers.
cat >"$folder/program.c" <<'END'
int values[4];
__attribute__((noinline)) int pick(int x) {
    switch (x) {
    case 0: return values[1]; case 1: return 5; case 2: return x + values[2];
    case 3: return 9; case 4: return values[3] ^ 3; case 5: return 8;
    }
    for (int i = 0; i < x; i++) for (int j = i; j < x; j++) values[i & 3] += values[j & 3] * j;
    static void *const labels[] = {&&one, &&two};
    goto *labels[x & 1];
one: return 1;
two: return 2;
}
void _start(void) { values[0] = pick(values[2]); for (;;) ; }
END
cat >"$folder/program.cc" <<'END'
struct cleaned { int *at; ~cleaned() { ++*at; } };
extern "C" int may_throw(int); int counted;
extern "C" void __gxx_personality_v0() {} extern "C" void _Unwind_Resume(void *) { for (;;) ; }
int may_throw(int x) { return x + counted; }
extern int (*volatile through)(int); int (*volatile through)(int) = may_throw;
extern "C" void _start() { cleaned one{&counted}; through(1); { cleaned two{&counted}; through(2); } for (;;) ; }
END
c="alpha-linux-gnu-gcc -nostdlib -static -Wl,--no-relax,-z,max-page-size=4096"
$c -O2 -g "$folder/program.c" -o "$folder/elf/debug"
$c -O0 -g -gdwarf-4 "$folder/program.c" -o "$folder/elf/plain"
$c -O2 -s "$folder/program.c" -o "$folder/elf/stripped"
alpha-linux-gnu-g++ -nostdlib -static -Wl,--no-relax,-z,max-page-size=4096 -O1 -g "$folder/program.cc" -o "$folder/elf/exceptions"
# Dynamic ones, and a library.
d="alpha-linux-gnu-gcc -nostartfiles -Wl,-z,max-page-size=4096"
$d -O2 -no-pie -Wl,--no-relax "$folder/program.c" -o "$folder/elf/dynamic" -lc -Wl,--no-as-needed
$d -O2 -fpie -pie -g "$folder/program.c" -o "$folder/elf/pie" -Wl,-rpath,/opt/lib -Wl,--no-as-needed -lc
$d -O2 -fpic -shared "$folder/program.c" -o "$folder/elf/library" -lc
rm "$folder/program.c" "$folder/program.cc"
# Each of them with each tool of fuzz_rewrite.c, which bytes say that nothing else reads.
mkdir -p "$folder/rewrite"
for file in "$folder"/elf/{debug,plain,stripped,exceptions,dynamic,pie}; do
    for tool in 0 1 2 3 4 5; do
        copy=$folder/rewrite/${file##*/}-$tool
        cp "$file" "$copy"
        printf "\\x0$tool\\x$(printf %02x $((tool * 21)))" | dd of="$copy" bs=1 seek=9 conv=notrunc status=none
    done
done
