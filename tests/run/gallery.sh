# gallery: each package of the gallery is added by its name, and is complete: a description, sources, displays, presets
# that its tools accept. All are applied to the program of the cookbook in one run; each package's test.sh compares
# their reports with another computation: the uninstrumented program under the oracle, its source, or qemu's output.
export XDG_DATA_HOME=$PWD/data
unset ATOMC_PACKAGES
package() { timeout -s KILL 1500 "$ATOMC" package "$@"; }
source=$top/docs/examples/cookbook/words.c
alpha words "$source" -O1 -g
qemu -singlestep -plugin "$oracle,out=$PWD/counts,cache=on,registers=on" words >expected.out 2>plugin.log
mv words.txt expected.txt
qemu -strace words >strace.out 2>strace.err

# executed: PC, bytes from the begin of its procedure, times, procedure, file, line, instruction, operands;
# times of the plain program.
alpha-linux-gnu-objdump -dl --no-show-raw-insn words | awk -F '\t' '
    /^[0-9a-f]+ <.*>:$/ { split($0, part, /[ <>]+/); begin = part[1]; name = part[2]; file = line = ""; next }
    /^\/.*:[0-9]+( |$)/ { sub(/ \(discriminator.*/, ""); line = file = $0; sub(/.*:/, "", line); sub(/:[0-9]*$/, "", file); next }
    /^ *[0-9a-f]+:\t/ { pc = $1; gsub(/[ :]/, "", pc); split($2, part, / +/); print pc, begin, name, file, line, part[1], $3 }' \
        OFS='\t' >code
awk -F '\t' "$hexadecimal"' BEGIN { OFS = FS } NR == FNR { if (/^0x/) times[substr($1, 3)] = $3; next }
    { print $1, number($1) - number($2), times[$1] + 0, $3, $4, $5, $6, $7 }' counts code >executed
check executed "awk -F '\t' '\$5 ~ /words.c\$/ { sum += \$3 } END { exit !(sum > 3000) }' executed" executed
sed -n 's/^static const char text\[\] = "\(.*\)";$/\1/p' "$source" | tr ' ' '\n' >text
occurrences=$(wc -l <text)

# ---- added by name ----------------------------------------------------------------------------------------------------------

names=$(cd "$top/packages/gallery" && ls -d -- */ | tr -d /)
package list --gallery --json >gallery.json
check listed "[ \"\$(jq -r '.packages[].name' gallery.json | tr '\n' ' ')\" = '$(echo $names) ' ] &&
    jq -e 'all(.packages[]; .error == null and .added == false)' gallery.json" gallery.json
check listed/text "package list --gallery | grep -q '^    calls/edges'"
check number "[ $(echo "$names" | wc -l) -ge 10 ]"
words=()
for name in $names; do
    check "$name/readme" "'$top/scripts/gallery.sh' $name | diff '$top/packages/gallery/$name/README.md' -"
    check "$name/add" "package add gallery:$name && diff -r '$top/packages/gallery/$name' data/atomc/packages/$name"
    options=$top/packages/gallery/$name/test.options
    for page in "$top/packages/gallery/$name"/*.atd; do
        tool=$(basename "$page" .atd)
        "$ATOMC" --help --json -t "$name/$tool" >about.json
        check "$name/$tool/displays" "[ \$(grep -cE '^(report|every .* report) ' '$page') = \
            \$(grep -c '\<display ' '$page') ]" "$page"
        jq -r '.tools[0].presets[] | [.name, (.parameters | to_entries[] | "-D", "\(.key)=\(.value)")] | @tsv' about.json >presets
        while IFS=$'\t' read -r -a preset; do
            check "$name/$tool/preset ${preset[0]}" "'$ATOMC' --check -t $name/$tool ${preset[*]:1} words"
        done < <(sed 's/\*/\\*/g' presets)
        [ -e "$options" ] && grep -q "^$tool alone" "$options" && continue
        words+=(-t "$name/$tool")
        # shellcheck disable=SC2207 # a word each
        [ ! -e "$options" ] || words+=($(sed -n "s/^$tool //p" "$options"))
    done
done
check unknown "! package add gallery:nothing 2>log && grep -q 'no package is called' log &&
    ! package add gallery:../gallery/calls 2>log" log
check complete "'$ATOMC' --list | cut -d ' ' -f 1 | grep -q -x calls/edges"

# ---- one run, and the report of each tool -------------------------------------------------------------------------------------

instrument words.atom "${words[@]}" -t callgraph words || return 0
qemu words.atom >found.out 2>&1
check same "cmp expected.out found.out && cmp expected.txt words.txt"
for name in $names; do
    # shellcheck source=/dev/null
    . "$top/packages/gallery/$name/test.sh"
done
