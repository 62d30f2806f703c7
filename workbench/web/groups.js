// groups.js: the stock tools by the groups that their pages name, in the order in which users look for them. A tool of
// a group may also be among the first tools.
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

/** The name in jobs and addresses. */
export const toolName = (tool) => (tool.package ? `${tool.package}/${tool.name}` : tool.name);

/** The path at which the server describes the tool. */
export const toolPath = (name) => `/tools/${name.split("/").map(encodeURIComponent).join("/")}`;

/** The tool in the server's description; { error } if the tool cannot be read. */
export function aboutOf(answer, name) {
    const wrong = answer.diagnostics?.find((one) => one.severity === "error");
    return answer.tools.find((tool) => tool.name === name.split("/").pop()) ?? { error: { error: wrong?.message ?? `${name} cannot be read`, hint: wrong?.file && `${wrong.file}:${wrong.line}:${wrong.column}` } };
}
