# homes: facts that have a single home: the home is correct, and no other file repeats them.
# size: quick
folders='codegen compiler driver engine atom plan runtime stdtools support'

# Prints the lines of a folder's sources that match, except in files of that name.
spelled() { # FOLDER PATTERN [HOME]
    # shellcheck disable=SC2086
    (cd "$1" &&
        grep -nE "$2" -r $folders --include='*.[chS]' --include='*.cpp' --include='*.atd' --include='*.inc' --include='*.def') |
        grep -v -E "^(${3:-none}):" || true
}
# Only the home may have it; the pattern finds the text that no other file may have.
only_at_home() { # TEST LINE PATTERN [HOME]
    rm -rf planted
    # shellcheck disable=SC2086
    (mkdir planted && cd planted && mkdir $folders)
    echo "$2" >planted/runtime/planted.c
    check "$1" "! spelled '$top' '$3' '${4:-}' | grep ."
    check "finds/$1" "spelled planted '$3' '${4:-}' | grep -q ."
}

# ---- system calls: plan/system_calls.def ------------------------------------------------------------------------------

def=$top/plan/system_calls.def
sed -n 's/^SYSTEM_CALL(\([0-9]*\), \([a-z0-9_A-Z]*\), .*/\1 \2/p' "$def" >calls
alpha-linux-gnu-gcc -E -dM -include asm/unistd.h -x c /dev/null |
    sed -n 's/^#define __NR_\([a-z0-9_A-Z]*\) \([0-9]*\)$/\2 \1/p' | sort -n >kernel
# An older kernel's header has fewer of them, but no others.
check system-calls/numbers "[ -s kernel ] && ! grep -v -x -F -f calls kernel" kernel
check system-calls/lines "[ \$(wc -l <calls) = \$(grep -c '^SYSTEM_CALL' '$def') ]"

# AArch64's, in a table of its own.
sed -n 's/^SYSTEM_CALL(\([0-9]*\), \([a-z0-9_A-Z]*\), .*/\1 \2/p' "$top/plan/system_calls_aarch64.def" >calls_aarch64
if command -v aarch64-linux-gnu-gcc >/dev/null; then
    # Calls whose number has another name for 32 bits have that number under a second name.
    aarch64-linux-gnu-gcc -E -dM -include asm/unistd.h -x c /dev/null >defined
    sed -n 's/^#define __NR_\([a-z0-9_A-Z]*\) \([0-9]*\)$/\2 \1/p' defined |
        grep -v -e ' arch_specific_syscall$' -e ' syscalls$' >kernel
    sed -n 's/^#define __NR_\([a-z0-9_]*\) __NR3264_\([a-z0-9_]*\)$/\1 \2/p' defined | while read -r name second; do
        sed -n "s/^#define __NR3264_$second \([0-9]*\)$/\1 $name/p" defined
    done >>kernel
    check system-calls/aarch64 "[ -s kernel ] && ! grep -v -x -F -f calls_aarch64 kernel" kernel
else
    skipped system-calls/aarch64 "no compiler for AArch64"
fi
# Calls of the same name concern the runtime, if they do, for the same reason.
uses() { # FILE
    sed -n 's/^SYSTEM_CALL([0-9]*, \([a-z0-9_A-Z]*\), \([A-Z_]*, [A-Z]*\)).*/\1 \2/p' "$1" | sort
}
uses "$top/plan/system_calls_aarch64.def" >uses_aarch64
uses "$def" | join - uses_aarch64 | awk '$2 $3 != $4 $5' >other_uses
check system-calls/uses "! grep . other_uses" other_uses

# The calls that io.c handles are those that io.atd has as bits, in both lists: they have no common names.
low=0 high=0
for name in fcntl $(grep -o '\[SYS_[a-z0-9_]*\]' "$top/stdtools/io.c" | sed 's/.*SYS_//; s/]//'); do
    number=$(awk -v name="$name" '$2 == name { print $1 }' calls)
    if [ "$number" -lt 64 ]; then low=$((low | 1 << number)); elif [ "$number" -lt 128 ]
    then high=$((high | 1 << number - 64)); fi
done
bits=$(printf '< 64 ? 0x%x : _ < 128 ? 0x%x : 0' $low $high)
sed 's/[a-z$.0_]* < 128/_ < 128/' "$top/stdtools/io.atd" >io.atd
check system-calls/io "[ \$(grep -c -F '$bits' io.atd) = 2 ]"

only_at_home system-calls/constants 'enum { CALL_fork = 2 };' '(CALL|SYS|NR)_[A-Za-z0-9_]*( *= *|  +)[1-9]'
only_at_home system-calls/assembler '  lda $0, 394($31)' 'lda  *\$0, *[1-9][0-9]*\(\$31\)'

# ---- signals: plan/signals.def ------------------------------------------------------------------------------------------

sed -n 's/^SIGNAL(\([0-9]*\), \([A-Z0-9]*\), .*/\1 \2/p' "$top/plan/signals.def" >signals
alpha-linux-gnu-gcc -E -dM -include asm/signal.h -x c /dev/null |
    sed -n 's/^#define SIG\([A-Z0-9]*\)[ \t]*\([0-9]*\)$/\2 \1/p' | grep -v -e RTMIN -e STKSZ | sort -n >kernel
same signals/numbers kernel signals

sed -n 's/^SIGNAL(\([0-9]*\), \([A-Z0-9]*\), .*/\1 \2/p' "$top/plan/signals_aarch64.def" >signals_aarch64
if command -v aarch64-linux-gnu-gcc >/dev/null; then
    aarch64-linux-gnu-gcc -E -dM -include asm/signal.h -x c /dev/null |
        sed -n 's/^#define SIG\([A-Z0-9]*\)[ \t]*\([0-9]*\)$/\2 \1/p' | grep -v -e RTMIN -e STKSZ -e IOT -e UNUSED |
            sort -n >kernel
    same signals/aarch64 kernel signals_aarch64
else
    skipped signals/aarch64 "no compiler for AArch64"
fi

only_at_home signals/compared 'if (signal == 9 || signal == 17)' '\bsignal [=!]= [1-9]'
only_at_home signals/masks '  lda $17, -0x601($31)' '\blda?h? +\$[0-9]+, *-?0x'

# ---- registers: codegen/register_set.h, codegen/alpha/registers.h --------------------------------------------------------

only_at_home registers/bits '#define BIT(r) (UINT64_C(1) << (r))' \
    '(UINT64_C\(1\)|[^0-9a-z]1u?l?l?) << \(?(ALPHA_(V0|S0|FP|A[0-5]|RA|PV|AT|GP|SP|ZERO)|32 \+|r\)|reg[^a-z])' codegen/register_set.h
only_at_home registers/sets 'KEPT = 0xfe00' '0x(fe00|3fc|3f0000|3fff01ff|7ffffc03)([^0-9a-f]|$)' codegen/alpha/registers.h
# Eight digits that begin with 2 to 6 or a to e: masks of registers with $29 or $30 in them, addresses of the layout, words of
# instructions.
only_at_home registers/masks 'KEPT_BY_CALLS = 0x4000fe00,' '0x[2-6a-e][0-9a-f]{7}([^0-9a-f]|$)' \
    '(codegen|stdtools)/.*|runtime/(interface|entries|machine/[a-z0-9]*/layout)\.h'
only_at_home registers/compared 'if (reg == 26)' '(\b(reg|ra|rb|rc|link)|alpha_r[abc]\([^()]*\)) [=!]= [0-9]'
only_at_home registers/arguments '#define ARGUMENT_REGISTERS 6' 'ARGUMENT[A-Z_]* (= )?6([^0-9]|$)' codegen/register_set.h

# ---- instructions: codegen/, which generates alpha_opcodes.h and alpha_words.h -------------------------------------------

only_at_home instructions/opcodes 'if (word >> 26 == 0x2d)' '[^1] << 26|>> 26|opcode *[=!<>]=? *0x' 'codegen/.*'
only_at_home instructions/fields 'unsigned ra = word >> 21 & 31;' '>> (21|16) & 31' 'codegen/.*'
# Instructions are emitted by the verbs of engine/machine/.
only_at_home instructions/encoders 'emit(code, alpha_operate(ALPHA_BISr, 31, from, to));' \
    '(^|[^_a-z])alpha_(memory|memory_function|branch|jump|operate|literal|pal|plain)\(' 'codegen/.*|engine/machine/alpha/.*'
only_at_home instructions/palcode '__asm__("call_pal 0x9e")' \
    'call_pal *0x|PAL_?[A-Za-z]* *=* *0x|WORD_[A-Z]* = 0x' 'codegen/alpha/words.h'

only_at_home instructions/displacements 'word &= ~UINT32_C(0x1fffff);' '0x(1fffff|ffe00000|3fff\)|ffff\)\) \|)' 'codegen/.*'

# ---- the layout: runtime/interface.h, runtime/entries.h, engine/program.h --------------------------------------------------

only_at_home layout/addresses 'uint64_t heap = 0x1000000000;' '0x[0-9a-fA-F]+000000([^0-9a-fA-F]|$)' \
    '(engine/program|runtime/interface|runtime/entries|runtime/machine/[a-z0-9]*/layout)\.h|codegen/.*|stdtools/.*\.(atd|inc)'
only_at_home layout/pages 'if (map < 0x10000)' '(< |: |\()0x10000([^0-9a-f]|$)' 'runtime/machine/[a-z0-9]*/marks\.h'

# ---- the machine: codegen/ALPHA, engine/machine/ and runtime/machine/ know its instructions and registers by name -------------

# Prints the files of the engine and of the runtime that name them. Sets of registers and numbers in contexts are names, too.
naming() { # FOLDER
    (cd "$1" && grep -rlE '\balpha_[a-z]|\bALPHA_[A-Z]|"codegen/alpha|\b(FLOAT_)?ARGUMENT_REGISTERS|\bCALLEE_SAVED|\bcall_pal|registers(\[| \+ )(1[6-9]|2[0-9]|30)\b' \
        engine runtime --include='*.[ch]') | grep -vE '^(engine|runtime)/machine/' || true
}
check machine/instructions "! naming '$top' | grep ."
mkdir -p planted/engine/count
echo 'if (ALPHA_IS(word, LDQ))' >planted/engine/count/planted.c
check finds/machine/instructions "naming planted | grep -qx engine/count/planted.c"
echo 'long link = saved->registers[26];' >planted/runtime/planted.c
check finds/machine/registers "naming planted | grep -qx runtime/planted.c"
rm planted/runtime/planted.c
planted_names() { # FOLDER: strings with a name of the machine's tools
    (cd "$1" && grep -rnE '"[^"]*(alpha-linux|qemu-alpha)|0x9026' codegen compiler driver engine plan support runs packages workbench \
        --include='*.[ch]' --include='*.def' 2>/dev/null | grep -vE '^(codegen/machines\.c|support/(options|messages)\.def):')
}
check machine/names "! planted_names '$top' | grep ."
echo 'command_add(typed, "qemu-alpha");' >planted/engine/count/planted.c
check finds/machine/names "planted_names planted | grep -q ."

# ---- the ways into a block: engine/cfg/entered.c -------------------------------------------------------------------------

only_at_home leaders/sets 'if (block->leaders & ~LEADER_BRANCH_TARGET)' 'LEADER_ALTERNATE_ENTRY|~\(?LEADER_' \
    'engine/(program\.h|cfg/(leaders|entered)\.c)'

# ---- registers and cells in inserted code: engine/code/ -----------------------------------------------------------------

only_at_home cells/address 'uint32_t at = layout->cells + 8 * cell;' 'layout->cells \+ 8' 'engine/select/sites\.h'

# ---- memory in engine/: support/memory.c's arenas ----------------------------------------------------------------------

# The remaining uses: the compiler's messages, libdw's and the demangler's results.
cat >freed <<'EOF'
engine/image/build.c
engine/object/types.c
engine/output/shown_names.c
EOF
(cd "$top" && grep -lE '(^|[^_a-z])(free|malloc|calloc|realloc|(re)?allocate(_zeroed)?|VECTOR_RESERVE)\(' -r engine | sort) >found
same memory/freed freed found

# ---- what a user says, and what a user reads: driver/ ------------------------------------------------------------------

# The folders that make a program read no environment, and write to the streams that they are given only.
own_ways() { # FOLDER
    (cd "$1" && grep -rnE '\bgetenv\(|\b(stdout|stderr)[,)]|[^a-z_]printf\(' compiler codegen engine grammar plan --include='*.[chyl]' || true)
}
check ways/own "! own_ways '$top' | grep ."
mkdir -p planted/engine/count
echo 'if (getenv("DEBUG")) fprintf(stderr, "here\n");' >planted/engine/count/planted.c
check finds/ways/own "own_ways planted 2>/dev/null | grep -q ."
