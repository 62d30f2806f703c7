# scavenged: sites of one block that share registers see what each of them asks for:
# registers that the program itself is done with.
alpha plain "$tests/data/registers_asked.c" -O1
for switch in "" --without=scavenging --without=set-aside "--without=scavenging --without=set-aside"; do
    instrument tool $switch "$tests/data/registers_asked.atd" plain || continue
    qemu -seed 1 tool >"found${switch// /}"
    [ -z "$switch" ] || same "${switch// /}" "found${switch// /}" found
done
check all "grep -P '^\d+(\t\d+){5}\$' found" found
