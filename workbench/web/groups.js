// groups.js: the stock tools by the groups that their pages name, in the order in which people look for them. A tool may be among the
// first ones, too.
const titles = ["Profiles", "Memory", "Caches and buffers", "Branches and pipeline", "Coverage", "Checking", "Files and system calls", "Traces and measurements"];

const titleOf = (tool) => (tool.group ?? "").replace(/^./, (letter) => letter.toUpperCase());

/** The tools that the server has, by group: [{ title, tools, start }]. Packages follow, each a group. */
export function grouped(tools) {
    const stock = tools.filter((tool) => !tool.package);
    const packages = [...new Set(tools.filter((tool) => tool.package).map((tool) => tool.package))].sort();
    return [
        { title: "Start here", tools: stock.filter((tool) => tool.start), start: true },
        ...titles.map((title) => ({ title, tools: stock.filter((tool) => titleOf(tool) === title) })),
        { title: "Others", tools: stock.filter((tool) => !titles.includes(titleOf(tool))) },
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
