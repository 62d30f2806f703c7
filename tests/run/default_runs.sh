# default_runs: `atomc run -t TOOL` at its defaults on C++ programs built in common ways (-O2; dynamic,
# position-independent, static; with and without symbols): the program's behaviour is unchanged, and each tool's report
# has the numbers that follow from the source, or atomc reports why there are none. A report of zeros is a failure. The
# line "Facts" of a tool's page: conditions on one row of TOOL.out, in awk; titles in <>. /TEXT/: a line of the file; -:
# no number is known. "| none" after it: the tool may have no result for a stripped program.
"$top/scripts/stock.sh" Facts | awk -F'\t' '{ print $1 " | " $2 }' >facts
holds() { # FILE CONDITION
    case $2 in
    /*) awk "$2 { found = 1 } END { exit !found }" "$1" ;;
    *)
        awk -F'\t' "NR == 1 { for (i = 1; i <= NF; i++) at[\$i] = i; next }
            $(sed 's/<\([A-Z][a-z ]*\)>/$at["\1"]/g; s/<\([A-Z][a-z]* [A-Za-z]*\)>/$at["\1"]/g' \
                <<<"$2") { found = 1 } END { exit !found }" "$1"
        ;;
    esac
}

build() { # KIND
    case $1 in
    dynamic) alpha-linux-gnu-g++ -O2 -g -no-pie "$tests/data/facts.cc" -o "$1" ;;
    pie) alpha-linux-gnu-g++ -O2 -pie -fPIE "$tests/data/facts.cc" -o "$1" ;;
    static) alpha-linux-gnu-g++ -O2 -static -Wl,--no-relax "$tests/data/facts.cc" -o "$1" ;;
    *) build "${1%-stripped}" && alpha-linux-gnu-strip "${1%-stripped}" -o "$1" ;;
    esac
}
# The kinds of programs on which a tool is tried: all, or one. Every sixth tool is tried on a static program;
# of those that need all libraries of a dynamic program, which takes longest, a part. Tools that
# may have no result for a stripped program are tried on a program with symbols, and one of them on both.
tried_on() { # NUMBER TOOL KIND
    [ "$SIZE" != all ] || return 0
    case $2:$(grep -c "^$2 .*| none" facts):$(grep -qs "^needs " "$top/stdtools/$2.atd" && echo $(($1 % 3 == 1)) || echo $(($1 % 6))) in
    args:*) [[ $3 = dynamic* ]] ;;
    *:1:*) [ "$3" = dynamic ] ;;
    *:0) [ "$3" = static ] ;;
    *) [ "$3" = dynamic-stripped ] ;;
    esac
}
tools=0
for kind in $(pick "dynamic dynamic-stripped static" "dynamic dynamic-stripped pie pie-stripped static static-stripped"); do
    build "$kind"
    number=0
    for tool in $("$ATOMC" --list --json | jq -r '.tools[].name'); do
        number=$((number + 1))
        tried_on $number "$tool" "$kind" || continue
        tools=$((tools + 1)) test=$kind/$tool
        rm -f ./*.out*
        status=0
        "$ATOMC" run -t "$tool" -- "./$kind" >printed 2>said || status=$?
        IFS='|' read -r known condition may <<<"$(grep "^$tool " facts)" || true
        condition=${condition# } condition=${condition% } file=$tool.out
        # A report that is a table is shown, and no file is left.
        [ -e "$file" ] || awk -v begin="atomc: $file:" '/^atomc: / { shown = $0 == begin; next } shown' said >"$file"
        if [ "$status" = 125 ] && grep -q "^atomc: error:" said; then
            # The program was not run: a message gives the reason, and advice.
            check "$test" "[[ $kind = *stripped ]] && grep -q '^hint:' said && [ ! -s printed ]" said
            continue
        fi
        check "$test/same" "[ $status = 3 ] && [ \"\$(cat printed)\" = 'sum 9989318' ]" said
        if [ -z "$known" ]; then
            failed "$test" "the test knows no number of it"
        elif [ "$condition" != - ] && ! { [ "$may" = " none" ] && [[ $kind != dynamic ]] &&
            grep -q 'nothing that tool' said; }; then
            check "$test/number" "[ -s $file ] && holds $file '$condition'" "$file"
        fi
    done
done
check tools "[ $tools -ge $(pick 30 180) ]"
