# text_data: constants and tables in the text are unchanged, also if copies are entered by branches in the original
# text; and code that is reached only by its address is counted. A word that is the instruction `callsys` is a constant
# where it is loaded, and a system call where it is executed, in instrumented libraries, in others, and in libraries
# that atomc has not examined.
alpha static "$tests"/data/text_data.{c,s}
shared dynamic "$tests"/data/text_data.{c,s}
shared libdata.so "$tests/data/text_data.s" -shared -Wl,-soname,libdata.so
shared library "$tests/data/text_data.c" -L. -ldata -Wl,-rpath,.
cp library beside
cp library unseen
printf '%s\n' '2 hidden' '4 label' '6 beside' '6 twice' >wanted
for program in static dynamic library beside unseen; do
    flags=
    [ $program != library ] || flags=--objects=main,libdata.so
    ending expected -L /usr/alpha-linux-gnu "$program"
    for tool in prof $(pick "$(case $program in static | library) echo cache ;; esac)" cache) \
        $([ "$flags" ] || pick "$([ $program != static ] || echo third)" third); do # third needs the C library, too
        rm -f $tool.out
        instrument "$program.$tool" $flags -t $tool "$program" || continue
        [ $program != unseen ] || touch -d "2001-01-01 00:00" libdata.so # another file, for all that is known
        ending found -L /usr/alpha-linux-gnu "$program.$tool"
        check "$program/$tool" "grep -q '^7: ' expected && diff expected found && [ -s $tool.out ]"
    done
    # A symbol without a type names code, if no instruction loads from it.
    case $program in beside | unseen) continue ;; esac
    awk -F'\t' '$4 ~ /^(label|beside|twice|hidden)$/ { print $2, $4 }' prof.out | sort >counted
    check "$program/counted" "diff wanted counted" prof.out
done
