# hostile: no segment of an output is writable and executable; if the disk is full or atomc is interrupted, it leaves no
# part of an output and keeps the old output; unusual section headers and mutated object files are refused, or used,
# without a crash.
mkdir temporary folder small
export TMPDIR=$scratch/temporary
alpha program "$tests/data/signals.c"
alpha threads -pthread "$tests/data/threads_spin.c"
write_number() { # FILE OFFSET SIZE VALUE
    perl -e 'open F, "+<", $ARGV[0]; seek F, $ARGV[1], 0; print F substr(pack("Q<", $ARGV[3]), 0, $ARGV[2])' "$@"
}

# ---- segments: an executable one is there, or the columns are not what they were ---------------------------------------
for each in $(pick threads "program threads"); do
    for variant in empty prof cache audit branch third "malloc --copy=sparse" "read --copy=all" "cache --call=wrapper"; do
        instrument out -t $variant "$each"
        alpha-linux-gnu-readelf -lW out | grep '^ *LOAD' >loads
        check "segments/$each/${variant// /}" "grep -q ' R E ' loads && ! grep -E ' (RWE| WE) ' loads" loads
    done
done

# ---- section headers that mean nothing to the kernel -------------------------------------------------------------------
table=$(alpha-linux-gnu-readelf -hW program | awk '/Start of section headers/ { print $5 }')
sections=$(alpha-linux-gnu-readelf -SW program | sed 's/^ *\[ *\([0-9]*\)\] /\1 /')
section() { # NAME COLUMN: its number, type, address, offset or size
    awk -v name="$1" -v column="$2" '$2 == name { print $column }' <<<"$sections"
}
ending expected -0 odd program return
while read -r test name offset size value outcome; do
    for tool in $(pick prof "prof audit"); do
        cp program odd
        write_number odd $((table + 64 * $(section "$name" 1) + offset)) "$size" "$value"
        rm -f out && status=0
        "$ATOMC" -t "$tool" odd -o out >log 2>&1 || status=$?
        case $outcome in
        refused) holds="[ $status = 1 ] && grep '^atomc: error: odd: inconsistent headers: ' log && [ ! -e out ]" ;;
        # by what is in that data
        either) [ $status = 1 ] && holds="grep '^atomc: error: odd: inconsistent headers: ' log" ||
            { ending found -0 odd out return && holds="diff expected found"; } ;;
        runs) ending found -0 odd out return && holds="[ $status = 0 ] && diff expected found" ;;
        esac
        check "headers/$test/$tool" "$holds" log
    done
done <<END
alignment         .comment  48 8 3                    refused
entries           .comment   4 4 4                    refused
symbols           .symtab   32 8 $((0x$(section .symtab 6) - 7)) runs
group             .comment   4 4 17                   refused
null-text         .text      4 4 0                    runs
null-data         .data      4 4 0                    runs
null-odd          .comment   4 4 0                    runs
type              .rodata    4 4 77                   runs
strings-in-data   .symtab   40 4 $(section .data 1)   runs
strings-are-data  .strtab    8 8 2                    runs
names-of-strings  .shstrtab 56 8 1099511627776        runs
symbols-in-data   .data      4 4 2                    either
END

# ---- no room -----------------------------------------------------------------------------------------------------------
instrument whole -t prof program
echo old >old
bytes=$(stat -c %s whole) words=(-t prof program)

# try FOLDER COMMAND...: runs atomc, with the command's restrictions. Sets status, or that files are left; content:
# whole, old, or nothing.
try() {
    echo old >"$1/out"
    status=0
    { "${@:2}" "$ATOMC" "${words[@]}" -o "$1/out" >log 2>&1 || status=$?; } 2>/dev/null
    [ "$(ls -A "$1" && ls -A temporary)" = out ] || status="$status and files are left"
    content=$(cmp -s "$1/out" whole && echo whole || ! cmp -s "$1/out" old || echo old)
}
# The old output with an error of the user, or the complete new output; after a signal, which may arrive too late,
# either of them.
no_part() {
    [[ $status:$content =~ ^(0:whole|1:old|(129|130|143):.+)$ ]]
}
for kilobytes in 1 20 100 300 $((bytes / 2048)) $((bytes / 1024 - 1)); do
    try folder bash -c "trap '' XFSZ; ulimit -f $kilobytes; \"\$@\"" limited
    check "no-room/$kilobytes-KB" "[ '$status' != 0 ] && grep 'error: ' log && no_part" log
done
trap 'umount small 2>/dev/null || true' EXIT
if mount -t tmpfs -o size=$((bytes / 2)) none small 2>/dev/null; then
    try small env
    check full-disk "grep 'No space left' log && [ '$status:$content' = 1:old ]" log
    umount small
else
    skipped full-disk "no file system can be mounted"
fi

# ---- interruptions, at any of its calls of the memory's and the files' functions ----------------------------------------
gcc -O2 -Wall -Wextra -Werror -fPIC -shared "$tests/data/interrupted.c" -o interrupted.so -ldl
at() { # NUMBER SIGNAL WORD...: a command for `try`; the signal is sent at that call
    INTERRUPT_AT=$1 INTERRUPT_SIGNAL=$(kill -l "$2") LD_PRELOAD=$scratch/interrupted.so "${@:3}"
}
INTERRUPT_COUNT=$scratch/calls try folder at 0 INT
calls=$(cat calls) RANDOM=20261121
check interrupted/not "[ '$status:$content' = 0:whole ] && [ $calls -gt 1000 ]" calls
for signal in INT TERM HUP; do
    for run in $(seq "$(pick 3 20)"); do
        number=$((run == 1 ? calls : run == 2 ? 1 : (RANDOM * 32768 + RANDOM) % calls + 1)) # the last, the first, any
        try folder at $number $signal
        # it is ended by the signal, wherever it is
        [ "$status" = $((128 + $(kill -l $signal))) ] && no_part ||
            { echo "at call $number of $calls: status $status" && cat log && ls folder temporary; }
    done >wrong
    check interrupted/$signal "[ ! -s wrong ]" wrong
done

# ---- mutated analysis objects, by the atomc with sanitizers if it is there ---------------------------------------------
ATOMC=${ATOMC_CHECKED:-$ATOMC} words=(mutated.atd program)
cp "$tests/data/mutated.atd" .
alpha good.o -g -c "$tests/data/mutated.c"
size=$(stat -c %s good.o) used=0 refused=0
for run in $(seq "$(pick 6 40)"); do
    cp good.o mutated.o
    if [ $((run % 4)) = 0 ]; then
        truncate -s $((RANDOM % size)) mutated.o
    elif [ "$run" != 1 ]; then
        for _ in 1 2 3 4; do # in the header and the section headers as often as elsewhere
            write_number mutated.o $((run % 2 ? RANDOM % size : RANDOM % 2 ? RANDOM % 64 : size - 1 - RANDOM % 1500)) 1 \
                $((RANDOM % 256))
        done
    fi
    try folder timeout -s KILL 60
    case $status:$content:$(head -c 1 log) in
    0::*) used=$((used + 1)) ;;
    1:old:?) refused=$((refused + 1)) ;;
    *)
        cp mutated.o "$BUILD/tests/hostile-$run.o"
        failed "objects/$run" "status $status (the object: $BUILD/tests/hostile-$run.o)" log
        ;;
    esac
done
check objects "[ $used -gt 0 ] && [ $refused -gt 0 ]"

# ---- a procedure linkage table that is written and executed --------------------------------------------------------------
# In the data it is executed in place (sections.sh). In copied text this is impossible.
shared insecure "$tests/data/signals.c"
tag=$(perl -e 'local $/; my $file = <>; print index $file, pack "Q< Q<", 0x70000000, 1' insecure)
write_number insecure $((tag + 8)) 8 0
prints insecure-linkage "$ATOMC" -t prof insecure -o out <<END
atomc: error: insecure: dynamically linked in a way that is not supported: the dynamic linker changes its procedure linkage table (no DT_ALPHA_PLTRO)
hint: -Wl,--secureplt links it with one that stays as it is
END
