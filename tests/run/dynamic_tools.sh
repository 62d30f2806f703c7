# dynamic_tools: every stock tool on dynamic programs, for the program only, for the C library only, for all objects:
# the program's behaviour is unchanged, reports are complete, procedures have names from their objects' symbols, and
# results for the program's own places do not depend on the instrumentation of libraries.
. "$tests/lib/dynamic.sh"

# The names that symbols give, of the program and its libraries.
list_names() {
    local file
    for file in "$program" $(loaded | sed "s|^\([^ ]*\) .*|$libraries/lib/\1|"); do
        alpha-linux-gnu-nm "$file" || true # there may be none
        alpha-linux-gnu-nm -D "$file"
    done 2>/dev/null | awk '{ sub("@.*", "", $NF); print $NF }' | sort -u
}
# There are reports; the rows of a table have its columns; names of procedures are known, or made from the address.
whole_reports() { # FILE...
    awk -F'\t' 'NR == FNR { known[$1]; next }
        FNR == 1 { reports++; columns = NF; for (i = 1; i <= NF; i++) named[i] = $i ~ /^(Procedure|Caller|Callee)$/; next }
        columns == 1 || $1 == "total" { next }
        NF != columns { print FILENAME ": " NF " columns of " columns ": " $0; bad = 1 }
        {
            for (i = 1; i <= columns; i++)
                if (named[i] && $i !~ /^(|all|proc_at_0x[0-9a-f]+|[^\t]*\+0x[0-9a-f]+)$/ && !($i in known)) {
                    print FILENAME ": no symbol " $i; bad = 1 }
        }
        END { exit bad || !reports }' names "$@"
}

# Results for the program itself, without percentages: rows of a table, or of gprof's list of procedures.
own_numbers() { # TOOL FILE...
    if [ "$1" != gprof ]; then own_rows "Percent|Share" "" "${@:2}" && return; fi
    awk 'NR == FNR { own[$1]; next } FNR > 5 && NF == 7 && $NF in own { print $NF, $3, $4 } /^-----/ { exit }' own "$2" | sort
}

try_tool() { # TOOL OBJECTS
    local tool=$1 test=$name/$1/$2 reports=$1.$2 file own
    instrument instrumented --objects="$2" -t "$tool" "$program" || return 0
    live found instrumented
    rm -rf "$reports" && mkdir "$reports"
    for file in found/files/*; do
        [ -e "plain/${file#found/}" ] || mv "$file" "$reports"
    done
    same_results "$test" plain found
    [ "$tool" = empty ] || check "$test/report" "whole_reports $reports/*"
    # "Own" in the tool's page: the program's own numbers are the same with all objects; some or none.
    own=$("$top/scripts/stock.sh" Own | sed -n "s/^$tool\t//p")
    case $2:$own:$tool in
    all:some:* | all:none:*)
        own_numbers "$tool" "$tool.main"/* >main.rows
        own_numbers "$tool" "$tool.all"/* >all.rows
        check "$test/own" "[ -s main.rows -o $own = none ] && diff main.rows all.rows"
        ;;
    # if all code that sets values is observed
    all::third) check "$test/errors" '[ $(wc -l <third.all/third.out) = 1 ]' third.all/third.out ;;
    esac
    case $2:$tool in
    all:prof | all:iprof | all:dyninst | all:pipe)
        awk -F'\t' '{ for (i = 1; i <= NF; i++) if ($i == "Instructions") at = i }
            $1 == "total" { print $at }' "$reports/$tool.out" >>totals
        ;;
    esac
}

# In make check, third examines all objects below.
tools=$(pick "prof iprof gprof malloc" "$("$ATOMC" --list | cut -d' ' -f1)")
for item in $(pick mawk:words "lua:errors bzip2:compress"); do
    use "${item%:*}" dynamic "${item#*:}" || continue
    live plain "$program"
    list_names >names
    alpha-linux-gnu-nm "$program" | awk '$2 ~ /[tT]/ && $3 !~ /^_PROCEDURE_LINKAGE/ { print $3 }' | sort -u >own
    : >totals
    for tool in $tools; do
        for objects in $(case $tool in malloc | dynmem | third | io | read | syscall) ;; *) echo main ;; esac) \
            $(case $SIZE:$tool in all:* | *:prof | *:malloc) echo libc ;; esac) \
            $(case $SIZE:$tool in check:malloc) ;; *) echo all ;; esac); do
            try_tool "$tool" "$objects"
        done
        [ "$tool" != trace ] || rm -r trace.* # it is large
    done
    check "$name/totals" '[ $(wc -l <totals) -gt 1 ] && [ $(sort -u totals | wc -l) = 1 ]' totals
done

# third reports the same for a dynamic program as for a static one.
unset -f normalise
alpha heap-static "$top/docs/examples/heap.c" -O1 -g
shared heap-dynamic "$top/docs/examples/heap.c" -O1 -g -fno-pie -no-pie
for kind in static dynamic; do
    target heap heap-$kind
    instrument instrumented $(pick "" --objects=all) -t third "$program"
    live $kind instrumented
done
check third/heap '[ $(wc -l <static/files/third.out) -gt 2 ] && diff static/files/third.out dynamic/files/third.out'

# A callee in an object that is not instrumented, which nothing in the program names, is called after its object:
# the same in all layouts.
cat >far.c <<'END_C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
int main(void) {
    int (*length)(const char *) = (int (*)(const char *))dlsym(RTLD_DEFAULT, "strlen");
    return printf("%d\n", length("abc")) != 2;
}
END_C
shared far far.c -O2
instrument instrumented -t callgraph far
for layout in 1 2; do
    qemu-alpha -L "$libraries" instrumented && cp callgraph.out far.$layout
done
check callgraph/far 'cmp far.1 far.2 && grep -P "^main\tlibc\.so\.6\.1\+0x[0-9a-f]+\t1\t" far.1' far.1
