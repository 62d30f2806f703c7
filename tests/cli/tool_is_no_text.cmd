# any lines
cp "$PROGRAM/prog" elf.atd; printf '\377\376t\0' >wide.atd; printf 'tool t\0' >nul.atd
for tool in elf wide nul; do "$ATOMC" --check $tool.atd; done; exit 1
