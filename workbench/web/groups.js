// groups.js: the stock tools in the order in which people look for them. A tool may stand at the start, too; each stands in one other
// group (tests/web/tools.mjs compares with atomc --list).
export const groups = [
    { title: "Start here", tools: ["prof", "branch", "cache", "hiprof"], start: true },
    { title: "Profiles", tools: ["prof", "iprof", "pixie", "hiprof", "gprof", "callgraph", "loops", "dyninst", "inline"] },
    { title: "Memory", tools: ["dynmem", "malloc", "values", "args", "audit", "unalign"] },
    { title: "Caches and buffers", tools: ["cache", "icache", "dtb", "itb", "memsys"] },
    { title: "Branches and pipeline", tools: ["branch", "pipe"] },
    { title: "Coverage", tools: ["coverage"] },
    { title: "Checking", tools: ["third"] },
    { title: "Files and system calls", tools: ["io", "read", "syscall"] },
    { title: "Traces and measurements", tools: ["trace", "bbv", "empty"] },
];

/** The tools that the server has, by group: [{ title, tools }]. Packages follow, each a group. */
export function grouped(tools) {
    const stock = new Map(tools.filter((tool) => !tool.package).map((tool) => [tool.name, tool]));
    const known = new Set(groups.flatMap((group) => group.tools));
    const packages = [...new Set(tools.filter((tool) => tool.package).map((tool) => tool.package))].sort();
    return [
        ...groups.map((group) => ({ ...group, tools: group.tools.map((name) => stock.get(name)).filter(Boolean) })),
        { title: "Others", tools: [...stock.values()].filter((tool) => !known.has(tool.name)) },
        ...packages.map((name) => ({ title: name, tools: tools.filter((tool) => tool.package === name) })),
    ].filter((group) => group.tools.length > 0);
}

/** As jobs and the address name it. */
export const toolName = (tool) => (tool.package ? `${tool.package}/${tool.name}` : tool.name);

/** Where the server describes it. */
export const toolPath = (name) => `/tools/${name.split("/").map(encodeURIComponent).join("/")}`;

/** Of what the server describes, the tool; { error } if it cannot be read. */
export function aboutOf(answer, name) {
    const wrong = answer.diagnostics?.find((one) => one.severity === "error");
    return answer.tools.find((tool) => tool.name === name.split("/").pop()) ?? { error: { error: wrong?.message ?? `${name} cannot be read`, hint: wrong?.file && `${wrong.file}:${wrong.line}:${wrong.column}` } };
}
