# copy_pages: a procedure whose copy is shorter than half a page of 8 KB is on one page, except for a few whose copies
# are longer than expected; and copies become only slightly larger.
alpha plain "$tests/data/small.c"
for tool in prof $(pick "" "cache third"); do
    instrument instrumented -t $tool plain
    alpha-linux-gnu-nm -S instrumented | grep '\.atom$' >symbols
    short=0 parted=0 words=0 first= last=0
    while read -r address size _; do
        ((begin = 16#$address, bytes = 16#$size, words += bytes / 4, last = begin + bytes > last ? begin + bytes : last))
        first=${first:-$begin}
        ((begin < first)) && first=$begin
        ((bytes == 0 || bytes >= 4096)) && continue
        ((short += 1, parted += begin / 8192 != (begin + bytes - 1) / 8192)) || true
    done <symbols
    echo "$short short ones, $parted on two pages, $words words in $(((last - first) / 4))" >found
    check $tool/parted "[ $short -gt 300 ] && [ $parted -lt $((short / 12)) ]" found
    check $tool/filled "[ $((last - first)) -lt $((4 * words + words / 3)) ]" found
done
