// editor_stubs.js: pages to begin with in Author. Each is a whole tool that atomc accepts (tests/web/author.mjs checks all of them).
export const stubs = [
    {
        title: "Count calls of procedures",
        name: "calls",
        about: "a counter for each procedure, a report with bars; no C",
        files: {
            "calls.atd": `# calls.atd: how often each procedure is called.
tool calls "how often each procedure is called"

counter calls[procs]

for p in procs {
    before p    calls[p]++
}

report "calls.out" for p in procs where calls[p] > 0
    sorted by calls[p] descending
    "Procedure" p.name, "Calls" calls[p]
    display bars "Calls" by "Procedure" top 20
`,
        },
    },
    {
        title: "Count at instructions",
        name: "loads",
        about: "a set of instructions, a counter for each, shown beside the code; no C",
        files: {
            "loads.atd": `# loads.atd: how often each load of memory is executed.
tool loads "how often each load is executed"

set loads = inst i where i.class == load
counter executed[loads]

for i in loads {
    before i    executed[i]++
}

report "loads.out" for i in loads where executed[i] > 0
    sorted by executed[i] descending
    "PC" hex i.pc, "Procedure" i.proc.name, "Line" i.line, "Executed" executed[i]
`,
        },
    },
    {
        title: "A histogram of values",
        name: "sizes",
        about: "how often each size is asked of malloc, by powers of two; no C",
        files: {
            "sizes.atd": `# sizes.atd: how large the blocks are that the program asks malloc for.
tool sizes "sizes of allocated blocks"

histogram sizes log2

for p in procs where p.name == "malloc" {
    before p    sizes << $arg(0)
}

report "sizes.out" for b in sizes where b.count > 0
    "From" b.low, "To" b.high, "Blocks" b.count
    display histogram "Blocks" from "From" to "To"
`,
        },
    },
    {
        title: "Call C at loads and stores",
        name: "bytes",
        about: "analysis routines in C, which get addresses while the program runs",
        files: {
            "bytes.atd": `# bytes.atd: how far apart the addresses of loads and stores are, told by C.
tool bytes "the range of addresses that loads and stores use"
analysis "bytes.c"

set accesses = inst i where i.class == load or i.class == store

for i in accesses {
    before i    call Access($addr)
}
after program   call Report()
`,
            "bytes.c": `/* bytes.c: the analysis routines of bytes.atd. */
#include <stdio.h>

static unsigned long least = ~0UL, greatest, accesses;

void Access(unsigned long address) {
    if (address < least)
        least = address;
    if (address > greatest)
        greatest = address;
    accesses++;
}

void Report(void) {
    FILE *file = fopen("bytes.out", "w");
    if (!file)
        return;
    fprintf(file, "%lu accesses, from 0x%lx to 0x%lx\\n", accesses, least, greatest);
    fclose(file);
}
`,
        },
    },
    {
        title: "An empty page",
        name: "new",
        about: "the tool line only",
        files: { "new.atd": `# new.atd: \ntool new ""\n\n` },
    },
];
