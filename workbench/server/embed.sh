#!/bin/sh
# embed.sh PREFIX=FOLDER FILE... [PREFIX=FOLDER FILE...]: prints assembler text that holds the files, and their table
# (embedded.h). A file's path is the PREFIX and its path in the FOLDER.
set -eu
number=0 table=
echo '    .section .rodata'
for word; do
    case $word in
    *=*) prefix=${word%%=*} folder=${word#*=} && continue ;;
    esac
    tag=$(sha256sum <"$word" | cut -c1-32)
    printf 'p%d: .asciz "%s"\nt%d: .asciz "\\"%s\\""\n    .balign 16\nb%d: .incbin "%s"\ne%d:\n' \
        $number "$prefix${word#"$folder"}" $number "$tag" $number "$word" $number
    table="$table    .quad p$number, t$number, b$number, e$number
"
    number=$((number + 1))
done
printf '    .section .data.rel.ro, "aw"\n    .balign 8\n    .globl embedded_files\nembedded_files:\n%s    .quad 0, 0, 0, 0\n' "$table"
echo '    .section .note.GNU-stack, "", @progbits'
