# comings.sh: builds tests/data/comings.cc, a program that opens and closes libraries, and the files comings-dynamic,
# comings-pie, libbetween.so, come0.so to come3.so, missing.so. Requires: tests/lib/dynamic.sh.
# shellcheck shell=bash disable=SC2154
shared libbetween.so "$tests/data/between.cc" -fPIC -shared
link_both comings "$tests/data/comings.cc" -rdynamic -L. -lbetween -Wl,-rpath,"$scratch" -pthread -ldl
for number in 0 1 2 3; do
    shared come$number.so "$tests/data/come.cc" -fPIC -shared -DNUMBER=$number
done
shared missing.so "$tests/data/come.cc" -fPIC -shared -DMISSING
