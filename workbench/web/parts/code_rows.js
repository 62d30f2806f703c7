// code_rows.js: a procedure as rows of text for parts/code.js: its instructions, its source, or both in turn, with the counts of a run.
// A row: { kind: "instruction" | "source" | "note", text, pc, file, line, ... }. This module does not use the page.

/** The annotation's value of the metric for an address or a line; undefined: there is none. */
const valueAt = (values, key, metric) => values?.[key]?.[metric];

/** Counts may be texts beyond 2^53: for heat and shares an approximation is enough. */
export const amount = (value) => (value === undefined || value === null ? 0 : Number(value));

/** Adds exactly: as numbers while these are exact, and as BigInt beyond. */
export function sum(left, right) {
    if (left === undefined) return right;
    if (right === undefined) return left;
    const total = typeof left === "number" && typeof right === "number" ? left + right : BigInt(left) + BigInt(right);
    return typeof total === "number" && !Number.isSafeInteger(total) ? String(BigInt(left) + BigInt(right)) : typeof total === "bigint" ? String(total) : total;
}

export const isBranch = (instruction) => /^f?b(lb[cs]|eq|ne|l[te]|g[te])$/.test(instruction.mnemonic);
export const lineKey = (file, line) => `${file}:${line}`;

/** The cost of a call by the tree of calls (callCosts), and the number of the procedure's instructions with the same
    callee, which share the cost. */
function costsAt(procedure, costs) {
    const sites = new Map();
    for (const { to } of procedure.instructions) if (to) sites.set(to, (sites.get(to) ?? 0) + 1);
    return ({ to, to_name }) => {
        const cost = to && (costs?.byAddress.get(to) ?? costs?.byName.get(to_name));
        return cost ? { inclusive: cost.inclusive, total: cost.calls, title: cost.title, sites: sites.get(to) } : undefined;
    };
}

/** The instructions, in the order of their addresses. costs: of its calls, if a tree of calls is known. */
export function instructionRows(procedure, annotation, metric, costs) {
    const costOf = costsAt(procedure, costs);
    const starts = new Set(procedure.blocks.map((block) => block.pc));
    const loops = new Map(procedure.blocks.map((block) => [block.pc, block.loop_depth]));
    let depth = 0;
    return procedure.instructions.map((instruction) => {
        const { pc, mnemonic, operands, file, line, to, to_name } = instruction;
        depth = loops.get(pc) ?? depth;
        return {
            kind: "instruction",
            pc,
            file,
            line,
            depth,
            starts: starts.has(pc),
            mnemonic,
            text: `${mnemonic.padEnd(8)} ${operands}`.trimEnd(),
            to,
            to_name,
            target: instruction.target,
            is_branch: isBranch(instruction),
            branch: annotation?.branches?.[pc],
            call: annotation?.callees?.[pc],
            cost: costOf(instruction),
            value: valueAt(annotation?.instructions, pc, metric),
            sites: annotation?.sites?.[pc],
        };
    });
}

/** Each line's value: the value of the run, else the sum over its instructions, if the metric can be added. */
export function lineValues(rows, annotation, metric) {
    const values = new Map();
    if (annotation?.metrics?.find((one) => one.id === metric)?.merge === "sum") {
        for (const row of rows) {
            if (row.line > 0 && row.value !== undefined) values.set(lineKey(row.file, row.line), sum(values.get(lineKey(row.file, row.line)), row.value));
        }
    }
    for (const [key, value] of Object.entries(annotation?.lines ?? {})) if (value[metric] !== undefined) values.set(key, value[metric]);
    return values;
}

/** The lines of a source. Lines that have instructions of the procedure refer to them. never: a 0 means that the line
    was never executed. */
export function sourceRows(text, file, instructions, values, never = false) {
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    const first = new Map();
    const sites = new Map();
    for (const row of instructions) {
        if (row.file === file && row.sites) sites.set(row.line, [...(sites.get(row.line) ?? []), ...row.sites]);
        if (row.file === file && row.line > 0 && !first.has(row.line)) first.set(row.line, row.pc);
    }
    return lines.map((words, index) => ({
        kind: "source",
        file,
        line: index + 1,
        text: words.replace(/\r$/, ""),
        pc: first.get(index + 1),
        value: values.get(lineKey(file, index + 1)),
        sites: sites.get(index + 1),
        never: never && values.get(lineKey(file, index + 1)) === 0,
    }));
}

const base = (path) => path.slice(path.lastIndexOf("/") + 1);

/**
 * Instructions in the order of addresses, each preceded by its source lines: sources.get(file) is a list of lines.
 * Lines without instructions are included if control continues in the source after at most a few of them. A line has
 * the sum over all of its instructions, wherever these are.
 */
export function interleavedRows(instructions, sources, values) {
    const rows = [];
    let file = null;
    let line = 0;
    for (const row of instructions) {
        if (row.line > 0 && (row.file !== file || row.line !== line)) {
            const lines = sources.get(row.file);
            if (row.file !== file) rows.push({ kind: "note", text: row.file, file: row.file });
            const gap = row.file === file && row.line > line && row.line - line <= 6;
            for (let at = gap ? line + 1 : row.line; at <= row.line; at++) {
                const words = lines?.[at - 1] ?? (lines ? "" : `${base(row.file)}:${at}`);
                rows.push({ kind: "source", file: row.file, line: at, text: words, pc: at === row.line ? row.pc : undefined, sum: values.get(lineKey(row.file, at)) });
            }
            file = row.file;
            line = row.line;
        }
        rows.push(row);
    }
    return rows;
}

/** The rows' indices by falling value; rows without one are left out. */
export function hottest(rows) {
    return rows
        .map((row, index) => index)
        .filter((index) => amount(rows[index].value) > 0)
        .sort((left, right) => amount(rows[right].value) - amount(rows[left].value) || left - right);
}

/** The colour of a count relative to the greatest: 0 to 1. */
export const warmth = (value, greatest) => (greatest > 0 && amount(value) > 0 ? Math.max(0.06, Math.pow(amount(value) / greatest, 0.6)) : 0);

/** "23.0": the percentage of executions for which the branch was taken. Undefined: none came. */
export function takenShare(branch) {
    const all = amount(branch?.taken) + amount(branch?.untaken);
    return all > 0 ? (100 * amount(branch.taken)) / all : undefined;
}
