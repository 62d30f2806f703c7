#!/bin/bash
# system_calls.sh: writes stdtools/system_calls.h, the names of Linux/Alpha's system calls by number.
# Requires: alpha-linux-gnu-gcc with the kernel's headers. tests/run/tools_system.sh holds the committed file against it.
set -eu
{
    echo "/* system_calls.h: the names of Linux/Alpha's system calls by number, from the kernel's <asm/unistd.h>."
    echo "   Made by scripts/system_calls.sh. */"
    echo "static const char *const system_call_names[] = {"
    alpha-linux-gnu-gcc -E -dM -include asm/unistd.h -x c /dev/null |
        sed -n 's/^#define __NR_\([a-z0-9_A-Z]*\) \([0-9]*\)$/\2 \1/p' | sort -n |
        awk '{ print "    [" $1 "] = \"" $2 "\"," }'
    echo "};"
}
