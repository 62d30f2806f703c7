# atom_objects: ATOM's interface and command line on dynamic programs: each object in turn, calls when objects are
# loaded and unloaded, instructions executed in each, compared with a tool in the language, which dynamic_objects
# compares with the oracle.
. "$tests/lib/dynamic.sh"
. "$tests/lib/comings.sh"
shared come3.so "$tests/data/come.cc" -fPIC -shared -Wl,-Bsymbolic -DNUMBER=3
objects=$tests/atom/objects
come=$scratch/come # come0.so to come3.so

# ---- InstrumentAll ----
# Words of --objects, and the equivalent options of ATOM.
some="main,libbetween,${come}0.so:-incobj libbetween -incobj ${come}0.so"
all="all,${come}0.so:-incobj ${come}0.so -all -excobj libc -excobj libstdc++ -excobj libm"
for item in $(pick "dynamic-all pie-some" "dynamic-some dynamic-all pie-some pie-all"); do
    kind=${item%-*} chosen=${item#*-}
    chosen=${!chosen}
    # shellcheck disable=SC2086
    instrument walk comings-$kind "$objects/walk.inst.c" "$objects/walk.anal.c" ${chosen#*:}
    instrument other --objects="${chosen%:*}" "$tests/data/comings.atd" comings-$kind
    for way in loop stays "stays abort"; do
        # shellcheck disable=SC2086
        target comings comings-$kind ${way%% *} "${come}0.so" ${way#"${way%% *}"}
        live plain "$program"
        live found walk
        live counted other
        same_results "$item/${way// /-}" plain found walk.out
        # For the objects that this tool instruments.
        awk -F'\t' -v OFS='\t' 'FNR == NR { wanted[$1]; next } FNR > 1 && $1 in wanted && $2 { print $1, $2, $3, $5 }' \
            found/files/walk.out counted/files/comings.out >expected
        check "$item/${way// /-}/counts" '[ $(wc -l <expected) -ge 3 ] && diff expected found/files/walk.out'
    done
done

# ---- Instrument, -all, -incobj, -excobj ----
mkdir named
cp comings-dynamic named/comings
atom() { # WORD...: the output of each.inst.c
    "$ATOMC" named/comings "$objects/each.inst.c" "$objects/each.anal.c" "$@" -o each
}
# Lines "# TEST WORD..." before its output; the last program is then run.
while read -r _ test words; do
    # shellcheck disable=SC2086
    sed -n "/^# $test\( \|\$\)/,\$p" "$objects/each.expected" | sed '1d;/^#/,$d' | prints "$test" atom $words
done < <(grep '^#' "$objects/each.expected")
target comings named/comings loop "${come}0.so"
live found each
prints calls sh -c 'sort found/stderr | uniq -c | tr -s " "' <<'END'
 30 comes
 30 goes
 60 works
END

# ---- wrong uses ----
rm each
wrong() ( # its messages name files as given
    cd "$top" &&
        "$ATOMC" "$scratch/named/comings" tests/atom/objects/{wrong.inst,each.anal}.c -excobj comings -incobj "${come}0.so" \
            -o "$scratch/each"
)
prints wrong wrong <"$objects/wrong.expected"
for word in "-incobj libnone" "-excobj libnone" "-excobj ./none.so" "-excobj ${come}0.so"; do
    # shellcheck disable=SC2086
    check "unknown${word%% *}-${word##*[ /]}" \
        "! atom $word >said 2>&1 && grep \"comings has no library called '${word#* }'\" said" said
done
check no-output '[ ! -e each ]'
