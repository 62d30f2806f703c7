// coverage_data.js: parses a file in lcov's format: lines, procedures and branches, by folder, file and procedure. This
// module does not use the page.

/** Adds the records of a trace file to files: path -> { lines: line -> count, procedures: [{ name, line, count }], branches: [{ line, taken }] }. */
export function readTrace(text, files = new Map()) {
    let file = null;
    const named = (name) => file.byName.get(name);
    for (const line of text.split("\n")) {
        const at = line.indexOf(":");
        const [word, rest] = [line.slice(0, at), line.slice(at + 1)];
        if (word === "SF") {
            file = files.get(rest) ?? { lines: new Map(), byName: new Map(), branches: new Map() };
            files.set(rest, file);
        } else if (!file || at < 0) continue;
        else if (word === "DA") {
            const [number, count] = rest.split(",").map(Number);
            file.lines.set(number, (file.lines.get(number) ?? 0) + count);
        } else if (word === "FN") {
            const comma = rest.indexOf(",");
            const name = rest.slice(comma + 1);
            if (!named(name)) file.byName.set(name, { name, line: Number(rest.slice(0, comma)), count: 0 });
        } else if (word === "FNDA") {
            const comma = rest.indexOf(",");
            const name = rest.slice(comma + 1);
            const procedure = named(name) ?? file.byName.set(name, { name, line: 0, count: 0 }).get(name);
            procedure.count += Number(rest.slice(0, comma));
        } else if (word === "BRDA") {
            const [number, block, branch, taken] = rest.split(",");
            const key = `${number},${block},${branch}`;
            const known = file.branches.get(key) ?? { line: Number(number), taken: 0 };
            known.taken += taken === "-" ? 0 : Number(taken);
            file.branches.set(key, known);
        }
    }
    return files;
}

export const isTrace = (text) => /^(TN|SF):/.test(text);

const nothing = () => ({ lines: [0, 0], procedures: [0, 0], branches: [0, 0] });
const kinds = ["lines", "procedures", "branches"];
function add(to, what) {
    for (const kind of kinds) for (const part of [0, 1]) to[kind][part] += what[kind][part];
}
const counted = (lines, procedures, branches) => ({
    lines: [lines.filter((count) => count > 0).length, lines.length],
    procedures: [procedures.filter(({ count }) => count > 0).length, procedures.length],
    branches: [branches.filter(({ taken }) => taken > 0).length, branches.length],
});

/** The procedures of a file. A line belongs to the last procedure that begins before it; lines before the first
    procedure belong to the file only. */
function proceduresOf(path, file) {
    const sorted = [...file.byName.values()].sort((left, right) => left.line - right.line);
    return sorted.map((procedure, index) => {
        let next = index + 1;
        while (next < sorted.length && sorted[next].line === procedure.line) next++;
        const end = sorted[next]?.line ?? Infinity;
        const within = (line) => line >= procedure.line && line < end;
        const lines = [...file.lines].filter(([line]) => within(line)).map(([, count]) => count);
        return { kind: "procedure", name: procedure.name, file: path, line: procedure.line, count: procedure.count, children: [], ...counted(lines, [procedure], [...file.branches.values()].filter(({ line }) => within(line))) };
    });
}

export const missed = (node) => node.lines[1] - node.lines[0];

/**
 * A tree: { kind: "folder" | "file" | "procedure", name, path, file, line, lines: [executed, all], procedures, branches, children }; what has the
 * most lines that were never executed is first. Folders of a single folder are one with it.
 */
export function coverageTree(files) {
    const root = { kind: "folder", name: "", children: [], ...nothing(), folders: new Map() };
    for (const [path, file] of files) {
        const node = { kind: "file", name: path.slice(path.lastIndexOf("/") + 1), file: path, children: proceduresOf(path, file), ...counted([...file.lines.values()], [...file.byName.values()], [...file.branches.values()]) };
        let folder = root;
        add(folder, node);
        for (const part of path.split(/(?<=.)\/+/).slice(0, -1)) {
            if (!folder.folders.has(part)) {
                const child = { kind: "folder", name: part, children: [], ...nothing(), folders: new Map() };
                folder.folders.set(part, child);
                folder.children.push(child);
            }
            folder = folder.folders.get(part);
            add(folder, node);
        }
        folder.children.push(node);
    }
    const order = (left, right) => missed(right) - missed(left) || (left.name < right.name ? -1 : 1);
    const simple = (node) => {
        node.children = node.children.map(simple).sort(order);
        const only = node.children.length === 1 && node.children[0].kind === "folder" && node.kind === "folder" ? node.children[0] : null;
        return only ? { ...only, name: node.name ? `${node.name}/${only.name}` : only.name } : node;
    };
    return simple(root);
}

/** Counts of lines for parts/code.js: "file:line" -> { coverage: count }. */
export function lineCounts(files) {
    const counts = {};
    for (const [path, { lines }] of files) for (const [line, count] of lines) counts[`${path}:${line}`] = { coverage: count };
    return counts;
}
