# scavenged: sites of one block that share registers read the right values: values of registers that the program itself
# no longer needs.
alpha plain "$tests/data/registers_asked.c" -O1
for switch in "" --without=scavenging --without=set-aside "--without=scavenging --without=set-aside"; do
    instrument tool $switch "$tests/data/registers_asked.atd" plain || continue
    qemu -seed 1 tool >"found${switch// /}"
    [ -z "$switch" ] || same "${switch// /}" "found${switch// /}" found
done
check all "grep -P '^\d+(\t\d+){5}\$' found" found
