// tree_around.js: the calls around a function, for parts/around.js. This module does not use the page.
import { arranged } from "./tree_arranged.js";
import { changed } from "./tree_changed.js";
import { treeOf } from "./tree_data.js";

/** The function and its callees, over all paths, as a tree: its roots are the function. */
export const calleesOf = (answer, name, metric, readable, shortName) => treeOf(changed(answer, [{ what: "focus", name }], metric), metric, readable, shortName);

/**
 * The function and its callers, over all paths, as a tree: its roots are the function, the nodes below a node its callers. A node's total is the
 * part of the function's cost, with all that it calls, that came that way. In a recursion the outermost call counts.
 */
export function callersOf(answer, name, metric, readable, shortName) {
    const alone = changed(answer, [{ what: "collapse", name }], metric);
    return treeOf(changed(arranged(alone, { inverted: true }, metric), [{ what: "focus", name }], metric), metric, readable, shortName);
}

/**
 * The calls on all paths through the function: { total, nodes: [{ id, name, received }], edges: [{ from, to, amount, calls }],
 * left }. An edge to the function or to a caller has the part of the function's total that came that way; an edge below
 * the function has the total of these calls. On one path a name and an edge are counted one time, so that recursion adds nothing.
 * calls: of each node; an edge above the function has none, because not all of its calls lead to it. The `most` busiest edges
 * are in it, `left` are not.
 */
export function callsAround(tree, name, calls, most = 40) {
    const wanted = tree.names.indexOf(name);
    const part = new Float64Array(tree.count); // of the function's total, above it; below it the node's own total
    const below = new Uint8Array(tree.count); // the function and its callees
    let total = 0;
    for (let node = 0; wanted >= 0 && node < tree.count; node++) {
        if (tree.name[node] !== wanted) continue;
        total += tree.total[node];
        for (let one = node; one < tree.end[node]; one++) {
            part[one] = tree.total[one];
            below[one] = 1;
        }
        node = tree.end[node] - 1;
    }
    // From the last: nodes below a node are before it.
    const above = new Uint8Array(tree.count);
    for (let node = tree.count - 1; node >= 0; node--) {
        const parent = tree.parent[node];
        if (parent < 0 || below[parent] || (!above[node] && !below[node])) continue;
        above[parent] = 1;
        part[parent] += part[node];
    }
    const nodes = new Map();
    const edges = new Map();
    const path = []; // the counts on the path to the node: { node, entered: entries that are active because of it }
    for (let node = 0; node < tree.count; node++) {
        while (path.length > 0 && node >= tree.end[path.at(-1).node]) path.pop().entered.forEach((one) => (one.active = false));
        if (!above[node] && !below[node]) {
            node = tree.end[node] - 1;
            continue;
        }
        const entered = [];
        const enter = (map, key, fresh) => {
            if (!map.has(key)) map.set(key, { ...fresh(), active: false, amount: 0 });
            const entry = map.get(key);
            if (!entry.active) {
                entry.active = true;
                entry.amount += part[node];
                entered.push(entry);
            }
            return entry;
        };
        const number = tree.name[node];
        const parent = tree.parent[node];
        enter(nodes, number, () => ({ name: tree.names[number] }));
        if (parent >= 0) {
            const edge = enter(edges, tree.name[parent] * tree.names.length + number, () => ({ from: tree.names[tree.name[parent]], to: tree.names[number], calls: calls && below[node] ? 0 : undefined }));
            if (calls && below[node]) edge.calls = (edge.calls ?? 0) + Number(calls[node] ?? 0);
        }
        path.push({ node, entered });
    }
    const all = [...edges.values()].filter(({ amount }) => amount > 0).sort((left, right) => right.amount - left.amount);
    const drawn = all.slice(0, most).map(({ from, to, amount, calls: times }) => ({ from, to, amount, calls: times }));
    const used = new Set([name, ...drawn.flatMap(({ from, to }) => [from, to])]);
    return { total, nodes: [...nodes.values()].filter((one) => used.has(one.name)).map((one) => ({ id: one.name, name: one.name, received: one.amount })), edges: drawn, left: all.length - drawn.length };
}
