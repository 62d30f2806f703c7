// graph_model.js: a procedure's blocks and edges for parts/graph.js: with counts; blocks that were never executed are
// folded.
import { amount, isBranch } from "./code_rows.js";

/**
 * The metric with the number of executions of each block: the chosen metric if it has these, else the first that has.
 * undefined: there is none. It is a metric of blocks, or a metric that each instruction of a block has, or none of its
 * instructions.
 */
export function executions(procedure, annotation, metric) {
    const values = annotation?.instructions ?? {};
    const starts = new Set(procedure.blocks.map((block) => block.pc));
    const every = ({ id, place, merge, unit }) => {
        if (merge !== "sum" || (unit !== "count" && unit !== "")) return false;
        if (place === "block") return true;
        let [first, whole, last] = [undefined, false, undefined];
        for (const { pc } of procedure.instructions) {
            const value = values[pc]?.[id];
            if (starts.has(pc)) first = value;
            else if (value !== first) return false;
            else if (value !== undefined) whole = true;
            last = value;
        }
        return whole || last !== undefined;
    };
    const metrics = annotation?.metrics ?? [];
    return [...metrics.filter((one) => one.id === metric), ...metrics.filter((one) => /executed|count/i.test(one.title)), ...metrics].find(every)?.id;
}

/** True if the rows that a table omits are only rows that were not executed. The table has the rows for which `where`
    holds, or only the first `top`. */
export function hasAllExecuted({ where, top, parameters }) {
    const least = /^\w+\[[\w.]+\] >= (\w+)$/.exec(where ?? "");
    const positive = /^\w+\[[\w.]+\]( \+ \w+\[[\w.]+\])* > 0$/.test(where ?? "");
    return !top && (!where || positive || (least !== null && Number(parameters?.[least[1]] ?? least[1]) <= 1));
}

/**
 * { nodes: [{ id, pc, count, depth, instructions, hidden }], edges: [{ from, to, kind, back, count, share }], loops: [{ header, depth, blocks }],
 *   counted }. A node with `hidden` represents this number of blocks that were never executed. Ids are addresses.
 */
export function flowGraph(procedure, annotation, metric, fold = true) {
    const values = annotation?.instructions ?? {};
    const valueOf = (pc) => values[pc]?.[metric];
    const counted = procedure.instructions.some(({ pc }) => amount(valueOf(pc)) > 0);
    const byPc = new Map(procedure.instructions.map((instruction) => [instruction.pc, instruction]));
    const blocks = new Map();
    let block = null;
    const starts = new Map(procedure.blocks.map((one) => [one.pc, one]));
    for (const instruction of procedure.instructions) {
        const start = starts.get(instruction.pc);
        if (start) blocks.set(start.pc, (block = { id: start.pc, pc: start.pc, depth: start.loop_depth, loop: start.loop, is_entry: start.is_entry, line: start.line, instructions: [] }));
        block?.instructions.push(instruction);
    }
    for (const one of blocks.values()) {
        one.count = one.instructions.map(({ pc }) => valueOf(pc)).find((value) => value !== undefined);
        one.executed = one.instructions.some(({ pc }) => amount(valueOf(pc)) > 0);
    }
    // The blocks of a loop include the blocks of the loops inside it.
    const loops = procedure.loops.map(({ header, depth, parent }) => ({ header, depth, parent, blocks: new Set() }));
    const loopOf = new Map(loops.map((loop) => [loop.header, loop]));
    for (const one of blocks.values()) {
        for (let loop = loopOf.get(one.loop); loop; loop = loopOf.get(loop.parent)) loop.blocks.add(one.id);
    }
    // Connected parts that were never executed become one node each.
    const names = new Map([...blocks.keys()].map((id) => [id, id]));
    const groups = new Map();
    if (fold && counted) {
        const cold = (id) => blocks.has(id) && !blocks.get(id).executed && !blocks.get(id).is_entry;
        const root = (id) => {
            while (names.get(id) !== id) id = names.get(id);
            return id;
        };
        for (const { from, to } of procedure.edges) {
            if (cold(from) && cold(to) && root(from) !== root(to)) names.set(root(to), root(from));
        }
        for (const id of blocks.keys()) {
            if (!cold(id)) continue;
            const head = root(id);
            groups.set(head, (groups.get(head) ?? 0) + 1);
        }
        for (const id of blocks.keys()) names.set(id, root(id));
    }
    const nodes = [];
    for (const one of blocks.values()) {
        if (names.get(one.id) !== one.id) continue;
        nodes.push(groups.has(one.id) ? { ...one, hidden: groups.get(one.id) } : one);
    }
    const edges = new Map();
    const successors = new Map();
    for (const { from } of procedure.edges) successors.set(from, (successors.get(from) ?? 0) + 1);
    for (const { from, to, kind, is_back } of procedure.edges) {
        const [source, target] = [names.get(from), names.get(to)];
        if (source === undefined || target === undefined || (source === target && groups.has(source))) continue;
        const last = byPc.get(blocks.get(from).instructions.at(-1)?.pc);
        const branch = last && annotation?.branches?.[last.pc];
        const all = amount(branch?.taken) + amount(branch?.untaken);
        const through = counted && !blocks.get(from).executed ? 0 : branch ? (kind === "taken" ? branch.taken : branch.untaken) : successors.get(from) === 1 ? blocks.get(from).count : undefined;
        const share = branch && all > 0 && last && isBranch(last) ? (100 * amount(through)) / all : undefined;
        const key = `${source} ${target} ${kind}`;
        const before = edges.get(key);
        if (before) before.count = before.count === undefined || through === undefined ? undefined : amount(before.count) + amount(through);
        else edges.set(key, { from: source, to: target, kind, back: Boolean(is_back), count: through, share });
    }
    return { nodes, edges: [...edges.values()], loops, counted };
}
