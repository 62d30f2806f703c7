# text_data: constants and tables in the text are what they were, also where copies are entered by branches in the original text, and
# code that nothing but its address leads to is counted.
alpha static "$tests"/data/text_data.{c,s}
shared dynamic "$tests"/data/text_data.{c,s}
shared libdata.so "$tests/data/text_data.s" -shared -Wl,-soname,libdata.so
shared library "$tests/data/text_data.c" -L. -ldata -Wl,-rpath,.
printf '%s\n' '2 hidden' '4 label' '6 beside' '6 twice' >wanted
for program in static dynamic library; do
    flags=
    rm -f prof.out # that of the program before
    [ $program != library ] || flags=--objects=main,libdata.so
    ending expected -L /usr/alpha-linux-gnu "$program"
    for tool in prof cache third; do
        instrument "$program.$tool" $flags -t $tool "$program" || continue
        ending found -L /usr/alpha-linux-gnu "$program.$tool"
        check "$program/$tool" "grep -q '^7: ' expected && diff expected found"
    done
    # What has a symbol without a type is code, where nothing is loaded from it.
    awk -F'\t' '$4 ~ /^(label|beside|twice|hidden)$/ { print $2, $4 }' prof.out | sort >counted
    check "$program/counted" "diff wanted counted" prof.out
done
