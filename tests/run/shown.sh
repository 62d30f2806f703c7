# shown: names are foreign texts: control characters are shown and not sent to the terminal, wherever a name is printed;
# a cell of CSV that a spreadsheet would compute is a text.
escape=$'\033]0;title\007\033[31mred' c1=$'\302\233' turned=$'\342\200\256'
name="$escape$c1$turned" shown='\x1b]0;title\x07\x1b[31mred\xc2\x9b\xe2\x80\xae'
folder=$'new\033[2J'
mkdir "$folder" && cp "$tests/data/shown.c" "$folder/shown.c" && cp "$tests/data/shown.c" .
alpha-linux-gnu-gcc -O1 -g -fno-inline -c "$PWD/$folder/shown.c" -o shown.o
alpha-linux-gnu-objcopy --redefine-sym "escape=$name" --redefine-sym "formula==1+1" shown.o
alpha-linux-gnu-gcc -static -Wl,--no-relax shown.o -o program

# printed TEST TEXT FILE: the file has the text, and nothing that a terminal obeys.
printed() {
    text=$2
    check "$1" \
        "grep -q -F -e \"\$text\" '$3' &&
            ! LC_ALL=C grep -q -a -P '[\\x00-\\x08\\x0b-\\x1f\\x7f]|\\xc2[\\x80-\\x9f]|\\xe2\\x80\\xae' '$3'" "$3"
}

# ---- reports, as the tools write them ------------------------------------------------------------------------------------
for tool in prof hiprof third values gprof callgraph coverage; do
    instrument $tool.atom -t $tool program
    for format in text csv table; do
        mkdir -p $tool-$format
        (cd $tool-$format && ATOMC_FORMAT=$format qemu ../$tool.atom >said 2>&1 || true) && rm -f $tool-$format/*.svg
        cat $tool-$format/* >$tool.$format
        printed report/$tool-$format "$shown" $tool.$format
    done
done
printed report/file 'new\x1b[2J/shown.c' third.csv
formula=",\"'=1+1\""
check report/formula "grep -q -F -e \"\$formula\" prof.csv && grep -q -F -w '=1+1' prof.text" prof.csv

# Texts of the run: the names of files that the program opens, the strings of its arguments.
cat >texts.atd <<'END'
tool texts "strings of the run"
counter n[string]
for p in procs where p.name == "take" { before p n[$string($arg(0))]++, print "%s|%-6s|\n", $string($arg(0)), p.name }
report "-" for row in n "Text" row.key, "Calls" row.count
END
cat >texts.c <<'END'
char *const texts[] = {"=2+5", "-2+3+cmd|' /C calc'!A0", "@SUM(1)", "+1+1", "-12.5", "-",
    "\033[2Jaligned", "x\302\233y", "\177", "plain", "a,b"};
__attribute__((noinline)) int take(const char *text) {
    return *(const volatile char *)text;
}
int main(void) {
    int sum = 0;
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        sum += take(texts[i]);
    return sum < 0;
}
END
alpha texts texts.c -O1
instrument texts.atom texts.atd texts
for format in text csv table; do
    ATOMC_FORMAT=$format qemu texts.atom >texts.$format 2>&1
    for wanted in '\x1b[2Jaligned' 'x\xc2\x9by' '\x7f' plain; do printed "run/$format-$wanted" "$wanted" texts.$format; done
done
sed -n '/^Text,/,$p' texts.csv | sed 1d | sort >found
sort >expected <<'END'
"'+1+1",1
"'-2+3+cmd|' /C calc'!A0",1
"'=2+5",1
"'@SUM(1)",1
"\x1b[2Jaligned",1
"\x7f",1
"a,b",1
"x\xc2\x9by",1
-,1
-12.5,1
plain,1
END
same run/formulas expected found

# ---- what else prints names --------------------------------------------------------------------------------------------------
"$ATOMC" --dump=cfg program >dump 2>&1
printed dump/cfg "$shown" dump
"$ATOMC" -t prof --dump=sites program >dump 2>&1
printed dump/sites "$shown" dump
mkdir rows
(cd rows && ATOMC_FORMAT=rows qemu ../prof.atom >said 2>&1; ATOMC_FORMAT=rows qemu ../hiprof.atom >said 2>&1) || true
# Rows of another program, whose names are unchanged.
awk -v shown="$shown" '{ gsub(/\\\\x1b/, "\\u001b"); gsub(/\\\\x07/, "\\u0007"); gsub(/\\\\xc2\\\\x9b/, "\302\233");
    gsub(/\\\\xe2\\\\x80\\\\xae/, "\342\200\256"); print }' rows/prof.*.rows >others.rows
check others/raw "grep -q -a '\\\\u001b\[31mred' others.rows" others.rows
for words in "merge others.rows" "merge others.rows --format=csv" "chart others.rows" "chart others.rows --svg" \
    "diff others.rows others.rows --all" "export --callgrind others.rows"; do
    # shellcheck disable=SC2086
    "$ATOMC" $words >said 2>&1 || true
    [ -s said ] && ! LC_ALL=C grep -q -a -P '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80\xae' said &&
        passed "results/$words" || failed "results/$words" "it prints what a terminal obeys" said
done
"$ATOMC" merge others.rows --format=csv >said
check results/formula "grep -q -F -e \"\$formula\" said && grep -q -F -e \"\$shown\" said" said

export XDG_DATA_HOME=$PWD/data
mkdir package
printf 'tool named "description \033[31mred"\nparam int n = 0 "a number\033[2J"\ncounter c\nbefore program c++\nreport "-" "N" c\n' >package/named.atd
printf '{"name": "named", "version": "1.0\\u001b[31m", "description": "of \\u001b]0;x\\u0007names\\u009b", "tools": ["named.atd"]}' >package/package.json
"$ATOMC" package add package >said 2>&1 || true
"$ATOMC" package list >>said 2>&1 || true
printed package/list '\x1b]0;x\x07names\xc2\x9b' said
"$ATOMC" --list >said 2>&1
printed package/--list 'description \x1b[31mred' said
"$ATOMC" --help -t named/named >said 2>&1
printed package/--help 'a number\x1b[2J' said

# Messages: of files, and the lines that they quote.
"$ATOMC" "$escape.atd" "$escape" >said 2>&1 || true
printed messages/file '\x1b]0;title\x07\x1b[31mred' said
printf 'tool t "x"\nset s = procs p where p.nam == "\033[31m\302\233"\n' >wrong.atd
"$ATOMC" --check wrong.atd >said 2>&1 || true
printed messages/quote 'p.nam' said
