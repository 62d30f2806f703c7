# dynamic: real programs linked dynamically, alone or with their libraries, behave the same, and the counts of the tools
# are the oracle's. Tools receive the right addresses in libraries. For a program's own procedures tools report the same
# whether it is linked statically or dynamically.
. "$tests/lib/dynamic.sh"
most="bzip2:compress lua:errors byacc:grammar minisat:pigeons lzip:compress sqlite3:queries"

# The program without its libraries, position-independent or not.
for item in $(pick bzip2:compress "$most mawk:words dash:script"); do
    for kind in dynamic pie; do
        [ $item/$kind != lua:errors/pie ] || continue # the executed code depends on the program's addresses, which differ
        use "${item%:*}" $kind "${item#*:}" && try_counts "$name-$kind" main:empty main:prof main:branch
    done
done

# With its libraries, the dynamic linker and the C library among them. zpaq has threads and exceptions; objects, a small program
# that has them too, is in dynamic_features.
for item in $(pick mawk:primes "$most mawk:words dash:script mawk:primes zpaq:add"); do
    use "${item%:*}" dynamic "${item#*:}" && try_counts "libraries/${item/:/-}" all:prof libc:prof
done

# ---- addresses in libraries ----
# $target, $static, edges of jump tables in libraries and the runtime's own translations, against transitions of the
# plain program.
try_addresses() { # TEST
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
    # For jumps through tables, some of them in libraries, which are at 0x40000000000.
    sed 1d found/files/edges.out | sort >edges
    cut -f1 edges | sort -u | join -t'	' - static | sort >expected
    check "$1/edges" '[ $(wc -l <edges) -ge 5 ] && grep ^0x4 edges && diff expected edges' edges
}

for item in bzip2:compress $(pick '' lua:errors); do
    use "${item%:*}" dynamic "${item#*:}" && try_addresses "addresses/$name"
done
shared objects "$tests/data/objects.cc" -fno-pie -no-pie -rdynamic -pthread -ldl
target objects objects exceptions
try_addresses addresses/exceptions

# ---- linked statically and dynamically ----
# The same compiler with the same flags, and no relaxation by the linker: nothing differs but addresses. Rows are compared
# without addresses and percentages. Files that the linker adds (crt1.o, libgcc) have no source lines: they are not
# compared. lua is not among the programs, because its cache of strings depends on their addresses, which differ.
names_once() { # PROGRAM: the functions that it has once
    alpha-linux-gnu-nm "$1" | awk '$2 ~ /[tT]/ { print $3 }' | sort | uniq -u
}
for item in $(pick bzip2:compress "bzip2:compress mawk:words byacc:grammar lzip:compress"); do
    use "${item%:*}" O2 "${item#*:}" && fixed=$program && use "${item%:*}" dynamic "${item#*:}" || continue
    for tools in $(pick prof,branch,iprof,pixie,loops "prof branch iprof pixie loops"); do
        # shellcheck disable=SC2086
        for kind in static main all; do
            if [ $kind = static ]; then executable=$fixed; else executable=$program; fi
            instrument instrumented --objects=${kind/static/main} "$tests/dynamic/named.atd" -t ${tools//,/ -t } "$executable"
            live $kind instrumented
        done
        comm -12 <(names_once "$fixed") <(names_once "$program") | comm -12 - <(sort -u static/files/named.out) >own
        for tool in ${tools//,/ }; do
            for kind in static main all; do
                own_rows "PC|Percent|File" own "$kind/files/$tool.out" >$kind.rows
            done
            check "static/$name/$tool/rows" '[ $(wc -l <static.rows) -ge 10 ]' static.rows
            same "static/$name/$tool/main" static.rows main.rows
            same "static/$name/$tool/all" static.rows all.rows
        done
    done
done
