# sections: the kernel loads segments and reads no section headers. Programs without section headers, with sections of
# size 0 or of no type, or with wrong addresses of data sections behave the same, all their bytes are at the same
# addresses, and counts are the same.
. "$tests/lib/dynamic.sh"
alpha static-cc "$tests/data/sections.cc"
alpha static-c "$tests/data/exits.c" "$tests/data/exits.s"
link_both cc "$tests/data/sections.cc"
link_both unoptimized "$tests/data/sections.cc" -O0
link_both c "$tests/data/exits.c" "$tests/data/exits.s"

# change PROGRAM OUTPUT CHANGE...: none: no section headers, as sstrip makes it; stripped: a file as `strip` makes it.
# NAME=size: that section has size 0; NAME=type: no type; NAME=address: another address. Sections that the program does
# not have are skipped.
change() {
    perl -e '
        my ($program, $output, @changes) = @ARGV;
        open F, "<:raw", $program; local $/; my $file = <F>; close F;
        my ($table) = unpack "x40 Q<", $file; my ($count, $names) = unpack "x60 S< S<", $file;
        my $strings = unpack "Q<", substr $file, $table + 64 * $names + 24, 8;
        my %header = map { my $name = unpack "L<", substr $file, $table + 64 * $_, 4;
                           (unpack("Z*", substr $file, $strings + $name, 64), $table + 64 * $_) } 0 .. $count - 1;
        for (@changes) {
            if ($_ eq "none") { substr $file, 40, 8, pack "Q<", 0; substr $file, 60, 4, pack "L<", 0; next }
            my ($name, $what) = split /=/;
            my $at = $header{$name} or next;
            substr $file, $at + 32, 8, pack "Q<", 0 if $what eq "size";
            substr $file, $at + 4, 4, pack "L<", 0 if $what eq "type";
            substr $file, $at + 16, 8, pack "Q<", 16 + unpack "Q<", substr $file, $at + 16, 8 if $what eq "address";
        }
        open F, ">:raw", $output; print F $file; close F; chmod 0755, $output' "$@"
}
# The bytes of its segments except the text, which may be changed. atomc moves them in the file by 64 KB.
unchanged() { # PROGRAM INSTRUMENTED
    perl -e '
        my ($program, $instrumented) = map { local $/; open F, "<:raw", $_; <F> } @ARGV;
        my ($headers) = unpack "x32 Q<", $program; my ($count) = unpack "x56 S<", $program;
        for (0 .. $count - 1) {
            my ($type, $flags, $offset, $size) = (unpack "L< L< Q< Q< Q< Q<",
                substr $program, $headers + 56 * $_, 56)[0, 1, 2, 5];
            die "segment $_ differs\n" if $type == 1 && !($flags & 1) &&
                substr($program, $offset, $size) ne substr $instrumented, $offset + 65536, $size;
        }' "$@"
}
# The counts of a page, without the names of procedures.
counts() {
    awk '/^0x/ { sum += $2 } END { print sum }' "$1/files/prof.out"
    awk -F'\t' '/^0x/ && $2 + $3 { print $1, $2, $3 }' "$1/files/branch.out" | sort
}
start() { # PROGRAM
    program=$1 name=$1 arguments=() inputs= standard_input=
    live plain "$1"
    instrument whole -t prof -t branch "$1" && live whole.run whole && counts whole.run >whole.counts
}
try() { # CHANGE...: of the program that start has begun with
    change "$program" changed "$@"
    "$ATOMC" -t prof -t branch changed -o out >log 2>&1 && [ ! -s log ] || { echo "$program $*: atomc failed" >>differ &&
        cat log >>differ && return; }
    live found out
    counts found >found.counts
    unchanged changed out >>differ 2>&1 || echo "... $program $*" >>differ
    { diff plain/stdout found/stdout && diff plain/stderr found/stderr && diff plain/status found/status &&
        diff whole.counts found.counts; } >differs 2>&1 || { echo "$program $*" && head -n 6 differs; } >>differ
}

# ---- each of the earlier errors, one by one --------------------------------------------------------------------------------
# Sections that the compilers and linkers of 2000 have, and those of today.
kinds=".init .plt .text .fini .rodata .eh_frame .eh_frame_hdr .gcc_except_table .dynsym .dynstr .gnu.hash .hash .gnu.version .gnu.version_r
    .rela.plt .rela.dyn .interp .dynamic .got .data .sdata .bss .sbss .init_array .fini_array .ctors .dtors .jcr .tdata .tbss .note.ABI-tag"
for each in static-c c-pie cc-dynamic unoptimized-dynamic $(pick '' "static-cc c-dynamic cc-pie unoptimized-pie"); do
    start "$each" || continue
    check "$each/counts" '[ $(wc -l <whole.counts) -ge 3 ]' whole.counts
    : >differ
    try none
    # In make check, each section alone in a program of one or two kinds.
    case $each in static-c) kinds_alone=".init .rodata" ;; c-pie) kinds_alone=".fini .dynsym" ;; cc-dynamic) kinds_alone=".rodata .dynsym" ;; *) kinds_alone= ;; esac
    kinds_alone=$(pick "$kinds_alone" ".init .fini .rodata .dynsym $kinds")
    same=".init=size .plt=size .text=size .fini=size .rodata=size"
    # shellcheck disable=SC2086 # they are words
    try $same
    for section in $kinds_alone; do
        try "$section=size"
    done
    check "$each" '! [ -s differ ]' differ
done

# ---- random sets -----------------------------------------------------------------------------------------------------------
RANDOM=${SECTIONS_SEED:-1}
tried=0
for each in static-c cc-dynamic cc-pie; do
    start "$each" || continue
    : >differ
    for ((i = 0; i < $(pick 1 100); i++)); do
        changes=()
        for section in $kinds; do
            ((RANDOM % 4 > 0)) || case $section in
            .init | .plt | .text | .fini | .interp | .dynamic) changes+=("$section=size") ;; # others are refused by messages
            *) what=(size size type address) && changes+=("$section=${what[RANDOM % 4]}") ;;
            esac
        done
        try "${changes[@]}" && tried=$((tried + 1))
    done
    check "random/$each" '! [ -s differ ]' differ
done
echo "# $tried sets of changes"

# ---- a linkage table in the data, which the dynamic linker writes, as old linkers made it --------------------------------------
old=-Wl,--no-secureplt
link_both old "$tests/data/sections.cc" $old 2>/dev/null
for each in old-dynamic old-pie; do
    check "linkage/$each" "alpha-linux-gnu-readelf -lW $each | grep ' RWE '"
    target "$each" "$each"
    try_counts "linkage/$each" main:empty main:branch
    start "$each"
    for words in --objects=all --copy=all; do
        instrument out -t prof $words "$each" && alike "linkage/$each/${words#--}" out
    done
    : >differ
    try none
    check "linkage/$each/none" '! [ -s differ ]' differ
done
# Tools find its callees by the names of the dynamic linker.
shared new "$tests/data/sections.cc" -fno-pie -no-pie
cat >callees.atd <<'ATD'
tool callees "calls of names"
set calls = callsite c where c.callee != ""
counter made[calls]
for c in calls { before c made[c]++ }
report "callees.out" for c in calls grouped by c.callee sorted by c.callee "Callee" c.callee, "Calls" made[c]
ATD
for each in new old-dynamic; do
    target "$each" "$each"
    instrument out callees.atd "$each" && live found out && cp found/files/callees.out "$each.callees"
done
same linkage/callees new.callees old-dynamic.callees

# ---- and against the plain program -----------------------------------------------------------------------------------------
for each in static-cc cc-dynamic cc-pie; do
    change "$each" "$each-none" none
    target "$each-none" "$each-none"
    if [ "$each" = static-cc ]; then libraries=/; fi
    try_counts "oracle/$each" main:branch
    libraries=${LIBRARIES:-/usr/alpha-linux-gnu}
done
