# first_lines: the first lines of each tool's output on a terminal, for programs of other authors: no line is too long,
# each table has a heading, and the page docs/internals/first-lines.md has these lines.
if ! use bzip2 O2 compress || ! use lzip O2 compress; then
    return
fi
(cd "$BUILD/programs/bzip2/source" && alpha-linux-gnu-gcc -O2 -g -D_FILE_OFFSET_BITS=64 blocksort.c huffman.c \
    crctable.c randtable.c compress.c \
    decompress.c bzlib.c bzip2.c -o "$scratch/bzip2")
(cd "$BUILD/programs/lzip/source" && alpha-linux-gnu-g++ -O2 -g -DPROGVERSION='"1"' ./*.cc -o "$scratch/lzip")
head -c 20000 "$BUILD/programs/lzip/source/encoder.cc" >text
page=$top/docs/internals/first-lines.md
tools=($(pick "prof loops dynmem" "$("$ATOMC" --list --json | jq -r '.tools[].name')"))
ATOMC_QUIET='' bash "$tests/documents/first_lines.sh" "${tools[@]}" >found.md
[ -z "${FIRST_LINES:-}" ] || cp found.md "$FIRST_LINES"
check width "! awk '/^\`\`\`/ { inside = !inside } inside && length > 80' found.md | grep ." found.md
for tool in "${tools[@]}"; do
    section() { awk -v name="## $tool" '/^## / { on = $0 == name } on' "$1"; }
    section found.md >found
    section "$page" >expected
    [ $tool = empty ] || check "$tool/shown" "[ \$(grep -c -v -e '^\`\`\`' -e '^#' -e '^\$' found) -ge 2 ]" found
    # Titles and notes are compared; numbers and the order of small numbers depend on the compiler and the library.
    check "$tool/page" "[ -n '${elsewhere:-}' ] ||
        diff <(grep -e '^[ A-Za-z]*  ' expected | grep -v '[0-9]') <(grep -e '^[ A-Za-z]*  ' found | grep -v '[0-9]')" expected
done
