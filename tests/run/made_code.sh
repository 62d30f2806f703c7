# made_code: code that the program makes runs unchanged, also directly after the program's data. If the low half of its
# address is an address of the analysis side, a line reports it, with results.
alpha plain "$tests/data/made_code.c"
for tool in prof cache audit third; do
    instrument $tool -t $tool plain || continue
    ending found $tool
    printf '42\nexit status 0\n' | prints $tool cat found
done
shared dynamic "$tests/data/made_code.c"
instrument dynamic.prof --copy=all -t prof dynamic
ending found -L /usr/alpha-linux-gnu dynamic.prof
printf '42\nexit status 0\n' | prints dynamic cat found
for place in 0x5040000000 0x5068000000 0x5020000000; do
    for tool in prof audit dynamic.prof; do
        rm -f ${tool#dynamic.}.out
        ending found -L /usr/alpha-linux-gnu -0 code $tool $place
        check $place/$tool \
            "grep -q '^atomc: the program makes code at $place to 0x[0-9a-f]*, where look-ups end in memory that is in use: ' found &&
            grep -qx 'exit status 134' found && [ -s ${tool#dynamic.}.out ]" found
    done
done
