#!/bin/bash
# generate.sh TEXT_KB OUTPUT [LIBRARIES]: a program of about TEXT_KB KB of text, for measuring how fast it is rewritten; or a dynamic
# one with as many libraries of so much text each, OUTPUT.0.so and so on.
# Requires: the Alpha cross compiler and its objcopy; awk. With GENERATED_MODULES=FOLDER, the compiled module stays there for the next call;
# it is compiled with GENERATED_FLAGS (default: -O2). GENERATED_MODULE_KB: of so much text, 500 KB by default.
#
# A module of 500 KB is generated as C, compiled as real programs are (-O2), and linked as often as asked for, each time
# under other names. Every procedure is called once from its module's checksum procedure, and every module's from main: the
# program prints one number for all of it. Procedures have loops, branches, switches with jump tables, calls through
# pointers, loads, stores and floating point.
set -eu
kilobytes=$1
output=$2
libraries=${3:-0}
module_kilobytes=${GENERATED_MODULE_KB:-500}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# module PROCEDURES: a module with that many procedures; a procedure takes 600 to 700 bytes.
module() {
    awk -v procedures="$1" '
    function next_number(n) { seed = (seed * 16807) % 2147483647; return int(seed / 11) % n }
    function term(  k) {
        k = next_number(6)
        return k == 0 ? "a" : k == 1 ? "b" : k == 2 ? "data[(a + " next_number(256) ") & 255]" : \
            k == 3 ? "(a >> " (1 + next_number(9)) ")" : k == 4 ? "(b * " (3 + next_number(900)) ")" : next_number(100000)
    }
    function operator(  k) { k = next_number(5); return k == 0 ? "+" : k == 1 ? "-" : k == 2 ? "^" : k == 3 ? "|" : "&" }
    function assignment() {
        return (next_number(2) ? "a" : "b") " " (next_number(2) ? "+=" : "^=") " " term() " " operator() " " term() ";"
    }
    function statement(depth,    k, i) {
        k = depth > 2 ? 0 : next_number(9)
        if (k < 3) print assignment()
        else if (k == 3) print "data[a & 255] = b " operator() " " term() ";"
        else if (k == 4) { print "if (" term() " < " term() ") {"; statement(depth + 1); print "} else {"; statement(depth + 1); print "}" }
        else if (k == 5) { print "for (int i = 0; i < " (1 + next_number(3)) "; i++) {"; statement(depth + 2); print "b += i; }" }
        else if (k == 6) {
            print "switch (a & 7) {"
            for (i = 0; i < 7; i++) print "case " i ": " assignment() " break;"
            print "default: " assignment() " }"
        }
        else if (k == 7 && current > 8) print "a += leaf[(a ^ " next_number(1000) ") & 7](b, a);"
        else print "weight += " (1 + next_number(50)) ".5 * (double)(b & 1023); if (weight > 1e9) weight = 1;"
    }
    BEGIN {
        seed = 20011
        print "static long data[256];\nstatic double weight;\ntypedef long procedure(long, long);"
        for (current = 0; current < 8; current++)
            print "long leaf" current "(long a, long b) { return (a ^ " (current * 7919) ") - (b >> " current + 1 "); }"
        print "static procedure *const leaf[] = {leaf0, leaf1, leaf2, leaf3, leaf4, leaf5, leaf6, leaf7};"
        for (; current < procedures; current++) {
            print "long work" current "(long a, long b) {"
            for (i = 3 + next_number(4); i > 0; i--) statement(0)
            print "return a ^ b; }"
        }
        print "long checksum(long sum) {"
        for (current = 8; current < procedures; current++) print "sum = sum * 31 + work" current "(sum, " current ");"
        print "return sum + (long)weight; }"
    }'
}

alpha_gcc() {
    alpha-linux-gnu-gcc -O2 -std=gnu11 -fno-strict-aliasing -fwrapv "$@"
}
text_of() {
    alpha-linux-gnu-size -A "$1" | awk '$1 == ".text" { print int($2 / 1024) }'
}
per_module=$((1100 * module_kilobytes / 500)) position=
[ "$libraries" = 0 ] || position=-fPIC
[ "$kilobytes" -ge $((2 * module_kilobytes)) ] || per_module=$((per_module * kilobytes / module_kilobytes))
flags=${GENERATED_FLAGS:-}
[[ " $flags " == *" $position "* ]] || flags+=" $position"
compile_module() {
    module "$per_module" >"$scratch/module.c"
    # shellcheck disable=SC2086 # several words, or none
    alpha_gcc $flags -c "$scratch/module.c" -o "$1"
}
if [ -n "${GENERATED_MODULES:-}" ]; then
    kept=$GENERATED_MODULES/module-$per_module${flags// /}.o
    mkdir -p "$GENERATED_MODULES"
    (flock 9 && { [ -e "$kept" ] || { compile_module "$kept.new.o" && mv "$kept.new.o" "$kept"; }; }) 9>>"$kept.lock"
    cp "$kept" "$scratch/module.o"
else
    compile_module "$scratch/module.o"
fi
modules=$((kilobytes / $(text_of "$scratch/module.o")))
[ "$modules" -gt 0 ] || modules=1
per_library=$modules
[ "$libraries" = 0 ] || modules=$((libraries * per_library))
{
    echo '#include <stdio.h>'
    for ((m = 0; m < modules; m++)); do echo "long m${m}_checksum(long);"; done
    echo 'int main(void) { long sum = 1;'
    for ((m = 0; m < modules; m++)); do echo "sum = m${m}_checksum(sum);"; done
    printf '%s\n' 'printf("%lx\n", sum); return 0; }'
} >"$scratch/main.c"
alpha_gcc -O1 -c "$scratch/main.c" -o "$scratch/main.o"
for ((m = 0; m < modules; m++)); do
    alpha-linux-gnu-objcopy --prefix-symbols="m${m}_" "$scratch/module.o" "$scratch/m$m.o"
done
if [ "$libraries" -gt 0 ]; then
    for ((l = 0; l < libraries; l++)); do
        objects=()
        for ((m = l * per_library; m < (l + 1) * per_library; m++)); do objects+=("$scratch/m$m.o"); done
        alpha-linux-gnu-gcc -shared -nostdlib "${objects[@]}" -Wl,-soname,"${output##*/}.$l.so" -o "$output.$l.so"
    done
    alpha-linux-gnu-gcc "$scratch/main.o" "$output".[0-9]*.so -Wl,-rpath,"$(cd "$(dirname "$output")" && pwd)" -o "$output"
    exit
fi
alpha-linux-gnu-gcc -static -Wl,--no-relax "$scratch"/main.o "$scratch"/m[0-9]*.o -o "$output"
