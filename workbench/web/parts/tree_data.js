// tree_data.js: a tree of calls as flat arrays, for flame.js, tree.js and sandwich.js. Nodes are numbered from 0, in
// depth-first order: the subtree of a node is the nodes after it, up to end[node]. This module does not use the page.

/**
 * From what GET /tables/T/tree answers, for one of its metrics: { count, names, labels (names as they are shown), shorts (where there
 * is little room), name, parent, depth, end, self, total, address, sum }.
 * parent is -1 for those without one. Values beyond 2^53, which arrive as texts, are approximate here.
 */
export function treeOf(answer, metric = 0, readable = (name) => name, shortName = readable) {
    const count = answer.parent.length;
    const tree = {
        count,
        names: answer.names,
        labels: answer.names.map((name) => readable(name)),
        shorts: answer.names.map((name) => shortName(name)),
        name: Uint32Array.from(answer.name),
        parent: new Int32Array(count),
        depth: new Uint16Array(count),
        end: new Uint32Array(count),
        self: new Float64Array(count),
        total: new Float64Array(count),
        start: new Float64Array(count), // the start of its range, if the sum is laid out from 0
        address: answer.address,
        metric: answer.metrics[metric],
        levels: 0,
        sum: 0,
    };
    const values = answer.metrics[metric]?.values ?? [];
    for (let node = 0; node < count; node++) {
        const parent = answer.parent[node] - 1;
        tree.parent[node] = parent;
        tree.depth[node] = parent < 0 ? 0 : tree.depth[parent] + 1;
        tree.levels = Math.max(tree.levels, tree.depth[node] + 1);
        tree.self[node] = Math.max(0, Number(values[node] ?? 0));
        tree.total[node] = tree.self[node];
        tree.end[node] = node + 1;
    }
    for (let node = count - 1; node >= 0; node--) {
        const parent = tree.parent[node];
        if (parent < 0) continue;
        tree.total[parent] += tree.total[node];
        tree.end[parent] = Math.max(tree.end[parent], tree.end[node]);
    }
    const used = new Float64Array(count); // sum of the children so far
    for (let node = 0; node < count; node++) {
        const parent = tree.parent[node];
        if (parent < 0) {
            tree.start[node] = tree.sum;
            tree.sum += tree.total[node];
        } else {
            tree.start[node] = tree.start[parent] + used[parent];
            used[parent] += tree.total[node];
        }
    }
    return tree;
}

export const nameOf = (tree, node) => tree.names[tree.name[node]] || "?";
export const labelOf = (tree, node) => tree.labels[tree.name[node]] || "?";
export const shortOf = (tree, node) => tree.shorts[tree.name[node]] || "?";
export const share = (tree, value) => (tree.sum > 0 ? (100 * value) / tree.sum : 0);

/** The children of a node, or, of -1, the nodes without parent; the busiest first, as the server has them. */
export function childrenOf(tree, node) {
    const children = [];
    const end = node < 0 ? tree.count : tree.end[node];
    for (let child = node + 1; child < end; child = tree.end[child]) children.push(child);
    return children;
}

/** From the root to the node. */
export function pathOf(tree, node) {
    const path = [];
    for (let at = node; at >= 0; at = tree.parent[at]) path.unshift(at);
    return path;
}

/** The names that contain the text, in either form: a byte for each name. Empty: none. */
export function matchNames(tree, text) {
    const wanted = text.toLowerCase();
    return Uint8Array.from(tree.names, (/** @type {any} */ name, at) => (wanted !== "" && (name.toLowerCase().includes(wanted) || tree.labels[at].toLowerCase().includes(wanted)) ? 1 : 0));
}

/** The share of these nodes and their subtrees in the whole; nodes inside of such a subtree are not counted again. */
export function matchedTotal(tree, matches) {
    let sum = 0;
    for (let node = 0; node < tree.count; ) {
        if (matches[tree.name[node]]) {
            sum += tree.total[node];
            node = tree.end[node];
        } else node++;
    }
    return sum;
}

/** The busiest node of that name; -1: there is none. */
export function nodeOfName(tree, name) {
    const number = tree.names.indexOf(name);
    let best = -1;
    for (let node = 0; number >= 0 && node < tree.count; node++) {
        if (tree.name[node] === number && (best < 0 || tree.total[node] > tree.total[best])) best = node;
    }
    return best;
}

/**
 * The callers and callees of a name: { self, total, nodes, callers: [{ name, total, address }], callees }. In a
 * recursion, only the outermost call is counted in total and for callers; a callee that is below itself is counted one
 * time.
 */
export function sandwichOf(tree, name) {
    const number = tree.names.indexOf(name);
    const result = { self: 0, total: 0, nodes: 0, address: null };
    const callers = new Map();
    const callees = new Map();
    const add = (map, node, value) => {
        const key = node < 0 ? -1 : tree.name[node];
        const entry = map.get(key) ?? { name: node < 0 ? "(none: it begins here)" : nameOf(tree, node), total: 0, address: node < 0 ? null : tree.address?.[node] };
        entry.total += value;
        map.set(key, entry);
    };
    for (let node = 0, outer = 0; number >= 0 && node < tree.count; node++) {
        if (tree.name[node] !== number) continue;
        result.nodes++;
        result.self += tree.self[node];
        result.address ??= tree.address?.[node] ?? null;
        if (node >= outer) {
            result.total += tree.total[node];
            add(callers, tree.parent[node], tree.total[node]);
            outer = tree.end[node];
        }
        for (const child of childrenOf(tree, node)) if (tree.name[child] !== number) add(callees, child, tree.total[child] - below(tree, child, number));
    }
    const sorted = (map) => [...map.values()].sort((left, right) => right.total - left.total || (left.name < right.name ? -1 : 1));
    return { ...result, callers: sorted(callers), callees: sorted(callees) };
}

/** The part of a node's subtree that is in nodes of that name. If the node has the name itself, its whole subtree. */
function below(tree, node, number) {
    let sum = 0;
    for (let at = node + 1; at < tree.end[node]; ) {
        if (tree.name[at] === number) {
            sum += tree.total[at];
            at = tree.end[at];
        } else at++;
    }
    return sum;
}

/**
 * The costs of a procedure's calls, including all callees: { byAddress, byName } of { inclusive, calls, title }.
 * isCaller(node) is true for the procedure's nodes. In a recursion only the outermost call is counted, as in the table
 * of procedures. `calls` exists if the tree has a metric of that name.
 */
export function callCosts(tree, isCaller, calls) {
    const byAddress = new Map();
    const byName = new Map();
    const add = (map, key, child) => {
        if (key === undefined || key === null || key === "") return;
        const cost = map.get(key) ?? { inclusive: 0, calls: calls ? 0 : undefined, until: 0, title: tree.metric.title };
        if (child >= cost.until) {
            cost.inclusive += tree.total[child];
            cost.until = tree.end[child];
        }
        if (calls) cost.calls += Number(calls[child] ?? 0);
        map.set(key, cost);
    };
    for (let node = 0; node < tree.count; node++) {
        if (!isCaller(node)) continue;
        for (const child of childrenOf(tree, node)) {
            add(byAddress, tree.address?.[child], child);
            add(byName, nameOf(tree, child), child);
            if (labelOf(tree, child) !== nameOf(tree, child)) add(byName, labelOf(tree, child), child);
        }
    }
    return { byAddress, byName };
}
