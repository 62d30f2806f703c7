# far_room: dynamic programs and libraries whose text is so large, or has so many data after it, that no branch reaches
# the room after it: springboards are in the procedures' own words. The same program without its 4.5 MB of constants is
# counted the same.
libraries=/usr/alpha-linux-gnu
for near in far near; do
    shared $near "$tests/data/far_room.c" $([ $near = far ] || echo -DNEAR)
    mkdir -p $near.lib
    alpha-linux-gnu-gcc -O2 -fPIC -shared -DLIBRARY $([ $near = far ] || echo -DNEAR) "$tests/data/far_room.c" \
        -Wl,-soname,libsum.so -o $near.lib/libsum.so -Wl,-rpath,$PWD/$near.lib
    shared $near-uses -DPROGRAM "$tests/data/far_room.c" $near.lib/libsum.so -Wl,-rpath,$PWD/$near.lib
done
rows() { # of the procedures whose code is the same
    grep -P '\t(main|sum)$' prof.out | cut -f 2,4
}
for program in near far near-uses far-uses; do
    ending expected -L $libraries $program
    for tool in prof $(case $program in far) echo cache third ;; far-uses) echo cache $(pick "" third) ;; *) pick \
        "" "cache third" ;; esac); do
        instrument instrumented -t $tool $(case $program-$tool in *uses-prof) echo --objects=all ;; *uses-*) echo \
            --objects=$(pick main,libsum.so all) ;; esac) $program ||
            continue
        ending found -L $libraries instrumented
        same "$program/$tool" expected found
        [ $tool != prof ] || rows >$program.rows
    done
done
same rows near.rows far.rows
same rows-of-libraries near-uses.rows far-uses.rows
check rows-found "[ \$(cat near.rows near-uses.rows | wc -l) = 4 ]" near.rows near-uses.rows

# If a library has no room for them, a message names the library.
echo 'void tiny(void); int main(void) { tiny(); return 3; }' >uses-tiny.c
alpha-linux-gnu-gcc -shared -fPIC "$tests/data/tiny.s" -o libtiny.so
shared uses-tiny uses-tiny.c -L. -ltiny -Wl,-rpath,"$PWD"
prints no-room "$ATOMC" -t prof --objects=all uses-tiny -o instrumented <<EOF
atomc: error: $PWD/libtiny.so: cannot be copied sparsely: there is no room near its text for the ways into the copies
hint: --objects=NAME,... instruments others without it
EOF
instrument instrumented -t prof uses-tiny
ending expected -L $libraries uses-tiny
ending found -L $libraries instrumented
same no-room/program expected found
