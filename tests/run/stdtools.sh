# stdtools: each stock tool prints the sample at its top; --help and --list are complete; docs/tools.md is the output of
# scripts/tools.sh. The top says how the tool is used and what the sample was made from:
#   # File:    FILE of the report, or none
#   # Sample:  docs/examples/PROGRAM.c [<INPUT]
# The sample's lines begin with `#   ` and a word, blanks stand for any white space, and `...` as tests/lib/matches.awk says. The
# example is compiled as README.md says; its folder is called /home/me in the sample. Each tool is a page, its C two at most.
check page "(cd '$top' && scripts/tools.sh | diff docs/tools.md -)"
folder=$(mktemp -d /tmp/XXXXXXXXXX)/run # names have this length: the C library processes the path, and its instructions are counted
trap 'rm -rf "${folder%/run}"' EXIT
mkdir "$folder"
cp "$top"/docs/examples/*.c "$folder"
within() { # WORD...: runs the words in the folder of the examples
    (cd "$folder" && "$@")
}
squeezed() {
    sed 's/[[:space:]]\{1,\}/ /g; s/^ //; s/ $//; /^$/d'
}

as_text() { # ROWS COLUMNS: as the text report writes that number of columns; jq would round integers
    sed -n 's/^\[\(.*\)\]$/\1,/p' "$1" | awk -v columns="$2" '{
        for (i = 1; i <= columns; i++) {
            if (match($0, /^"([^"\\]|\\.)*",/)) value = substr($0, 2, RLENGTH - 3)
            else { match($0, /^[^,]*,/); value = substr($0, 1, RLENGTH - 1) }
            $0 = substr($0, RLENGTH + 1)
            gsub(/\\"/, "\"", value)
            printf "%s%s", value, i < columns ? "\t" : "\n"
        }
    }'
}
as_numbers() { # 1.50 is 1.5, and 2.00 is 2; hexadecimal numbers that are no addresses are decimal in rows
    sed 's/\(\.[0-9]*[1-9]\)0*\(\t\|$\)/\1\2/g; s/\.0*\(\t\|$\)/\1/g'
}
# The number of rows is that in the last line, and each has as many values as there are columns; then the contents of
# the header.
read_header() { # ROWS
    jq -r -s '(.[0].columns | length) as $columns |
        if .[-1].end and .[-1].rows == length - 2 and .[0].rows == 1 and all(.[1:-1][]; length == $columns) then
            .[0].report, (.[0].top // 1000000), ([.[0].columns[] | select(.hidden | not)] | length),
                ([.[0].columns[] | select(.hidden | not) | .title] | join("\t"))
        else "not whole" end' "$1"
}

number=0 every=$(pick 4 1) # tools whose rows are checked
"$ATOMC" --list >list
for tool in "$top"/stdtools/*.atd; do
    name=$(basename "$tool" .atd)
    result=$(sed -n 's/^# File: *\([^ ]*\)$/\1/p' "$tool" | grep -v -x none || true)
    read -r program input < <(sed -n 's/^# Sample: *//p' "$tool")
    program=$(basename "$program" .c) input=${input:+$top/${input#<}} input=${input:-/dev/null}
    if [ ! -e "$folder/$program" ]; then
        within alpha-linux-gnu-gcc -O2 -g -static -Wl,--no-relax "$program.c" -o "$program"
        within env -i "$QEMU" -0 "$program" "./$program" <"$input" >"plain-$program"
    fi
    find "$folder" -name '*.*' ! -name '*.c' -delete # results of the tool before
    within "$ATOMC" -t "$name" "$program" -o "$program.atom" >log 2>&1 || true
    within env -i "$QEMU" -0 "$program" "./$program.atom" <"$input" >found 2>>log || true
    check "$name/same" "diff plain-$program found" log
    sed -n 's/^#   \([^ ].*\)/\1/p' "$tool" | squeezed >sample
    if [ -e "${tool%.atd}_read.c" ]; then # the program that prints the result
        gcc -O2 "${tool%.atd}_read.c" -o reader && ./reader <"$folder/$result" >read 2>log && mv read "$folder/$result"
    fi
    sed "s|$folder/|/home/me/|" "$folder/${result:-nothing}" 2>log | squeezed >found || true
    [ -n "$result" ] || ls "$folder"/*.out >found 2>log || true # of no name
    check "$name/sample" "awk -v elsewhere='$elsewhere' -f '$tests/lib/matches.awk' sample found" found
    check "$name/size" \
        "[ \$(sed '/^# For the tests/,\$d' '$tool' | wc -l) -le 68 ] && [ \$(cat '${tool%.atd}.c' 2>>log | wc -l) -le 170 ]"

    # Rows have the same contents as the text. Both runs have an environment of one length, because the C library reads
    # it.
    rm -rf "$folder/text" "$folder/rows"
    number=$((number + 1))
    for format in $([ $((number % every)) != 0 ] || echo text rows); do
        within env -i "ATOMC_FORMAT=$format" "ATOMC_OUT=$format" "$QEMU" -seed 1 -0 "$program" "./$program.atom" <"$input" \
            >"$folder/standard_output.$format" 2>>log || true
    done
    for rows in "$folder"/rows/*.rows; do
        [ -e "$rows" ] || continue
        case $name in gprof | hiprof) # text for people has another form: its flat profile has each procedure's instructions
            [ "$(basename "$rows")" = "$name.1.rows" ] || continue
            awk '/^(Flat profile|Procedures)/ { inside = 1 } /^Thread|Call graph/ { inside = 0 }
                inside && $1 ~ /^[0-9]/ { print $NF, NF == 5 ? $2 : $3 }' "$folder/text/$name.out" | sort >expected
            jq -r 'arrays | "\(.[0]) \(.[4])"' "$rows" | sort >found
            same "$name/rows" expected found
            continue ;;
        esac
        { read -r report && read -r limit && read -r columns && read -r titles; } < <(read_header "$rows") || true
        [ "$report" != - ] || { mkdir -p "$folder/text" &&
            tail -n +"$(($(wc -l <"plain-$program") + 1))" "$folder/standard_output.text" >"$folder/text/-"; }
        { echo "$titles" && as_text "$rows" "$columns"; } | as_numbers | head -n $((limit + 1)) >found
        as_numbers <"$folder/text/$report" | head -n "$(wc -l <found)" >expected
        if [ "$name" = values ]; then # the values include the environment, and the number of the process
            for file in expected found; do cut -f1-5 $file | sort -u >places && mv places $file; done
        fi
        same "$name/rows/$report" expected found
    done

    # --help prints the whole heading, and each parameter with its help; --list the purpose.
    {
        sed -n '/^#/!q; s/^# \{0,1\}//p' "$tool" | sed '1,/^$/d'
        sed -n "s/^tool $name \"\(.*\)\"$/$name: \1\n$name: \1/p" "$tool"
        echo "atomc run -t $name -- PROGRAM"
        ! grep -q "^needs " "$tool" || echo "of a dynamic program, --objects=all is the default"
        # shellcheck disable=SC2046 # names have no blanks
        sed -n 's/^param \([a-z]*\) \([a-z_0-9]*\) = .*/\2 \1/p' "$tool" \
            $(sed -n "s|^include \"\(.*\)\"$|$top/stdtools/\1|p" "$tool")
    } | squeezed | sort >expected
    {
        "$ATOMC" --help "$name" | squeezed | sed 's/^\([a-z_0-9]*\) \(string\|int\|boolean\) =.*/\1 \2/; /^parameters, set by/d'
        squeezed <list | sed -n "s/^$name /$name: /p"
    } | sort >found
    same "$name/help" expected found
done
