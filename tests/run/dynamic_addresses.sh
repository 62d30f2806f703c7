# dynamic_addresses: what tools are told of addresses in libraries: $target, $static, edges of jump tables there and the runtime's own
# translations, against transitions of the uninstrumented program.
. "$tests/lib/dynamic.sh"

try() { # TEST
    live plain "$program" -plugin "$BUILD/tests/transitions.so,out=$scratch/transitions,all=on"
    instrument instrumented --objects=all "$tests/dynamic/targets.atd" "$program" || return 0
    alike "$1" instrumented
    check "$1/translations" "grep '^wrong	0\$' found/files/targets.out" found/files/targets.out
    # Every transition from one of the places, and no other.
    write_bases all
    sed 's/ /	/g' transitions | moved 2 | cut -f1-3 | sort >static
    sed 1d found/files/sites.out | sort | join -t'	' - static | sort >expected
    grep ^0x found/files/targets.out | sort >targets
    check "$1/targets" '[ $(wc -l <targets) -ge 500 ] && diff expected targets' targets
    # Of jumps through tables, some of them in libraries, which are at 0x40000000000.
    sed 1d found/files/edges.out | sort >edges
    cut -f1 edges | sort -u | join -t'	' - static | sort >expected
    check "$1/edges" '[ $(wc -l <edges) -ge 5 ] && grep ^0x4 edges && diff expected edges' edges
}

for item in bzip2:compress $(pick '' lua:errors); do
    use "${item%:*}" dynamic "${item#*:}" && try "$name"
done
link_as dynamic objects "$tests/data/objects.cc" -rdynamic -pthread -ldl
target objects objects exceptions
try exceptions
