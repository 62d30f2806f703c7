// tree_arranged.js: the tree of calls in another order, for the flame graph: what treeOf (tree_data.js) reads, made from what
// GET /tables/T/tree answers. This module does not use the page.
//     merged:   a call of a procedure that is active already belongs to its first activation: recursion is one box
//     inverted: the procedures that have the counts are on top, their callers below them

/** Nodes by parent and name, in the order in which treeOf needs them. */
class Paths {
    constructor(metrics) {
        this.nodes = [{ children: new Map(), values: metrics.map(() => 0) }];
    }
    /** The callee of that name; it is added if there is none. */
    child(parent, name, address) {
        const known = this.nodes[parent].children.get(name);
        if (known !== undefined) return known;
        this.nodes.push({ children: new Map(), name, address, values: this.nodes[0].values.map(() => 0) });
        this.nodes[parent].children.set(name, this.nodes.length - 1);
        return this.nodes.length - 1;
    }
    add(node, metrics, from) {
        metrics.forEach((metric, at) => (this.nodes[node].values[at] += Number(metric.values[from] ?? 0)));
    }
    /** Depth first, siblings by the sum of their subtrees in that metric, the greatest first. */
    answer(before, metric) {
        const totals = this.nodes.map(({ values }) => values[metric] ?? 0);
        for (let node = this.nodes.length - 1; node > 0; node--) for (const child of this.nodes[node].children.values()) totals[node] += totals[child];
        const after = { ...before, parent: [], name: [], address: before.address && [], metrics: before.metrics.map((one) => ({ ...one, values: [] })) };
        const waiting = [[0, 0]]; // node, number of its parent
        while (waiting.length > 0) {
            const [node, parent] = waiting.pop();
            const { children, name, address, values } = this.nodes[node];
            if (node > 0) {
                after.parent.push(parent);
                after.name.push(name);
                after.address?.push(address);
                after.metrics.forEach((one, at) => one.values.push(values[at]));
            }
            const number = after.name.length;
            for (const child of [...children.values()].sort((left, right) => totals[left] - totals[right])) waiting.push([child, number]);
        }
        return after;
    }
}

export function arranged(answer, { merged = false, inverted = false }, metric = 0) {
    if (!merged && !inverted) return answer;
    const { parent, name, address, metrics } = answer;
    const paths = new Paths(metrics);
    // The path of each node as numbers of nodes of this tree; a name is in it once if recursion is merged.
    const path = [];
    const levels = new Int32Array(name.length + 1);
    const place = [];
    for (let node = 0; node < name.length; node++) {
        levels[node + 1] = levels[parent[node]] + 1;
        path.length = levels[node + 1] - 1;
        path.push(node);
        if (!inverted) {
            place.length = path.length - 1;
            const active = merged ? place.find((one) => paths.nodes[one].name === name[node]) : undefined;
            place.push(active ?? paths.child(place.at(-1) ?? 0, name[node], address?.[node]));
            paths.add(place.at(-1), metrics, node);
        } else if (metrics.some((one) => Number(one.values[node] ?? 0) !== 0)) {
            const seen = new Set();
            let at = 0;
            for (let level = path.length - 1; level >= 0; level--) {
                const caller = path[level];
                if (merged && seen.has(name[caller])) continue;
                seen.add(name[caller]);
                at = paths.child(at, name[caller], address?.[caller]);
            }
            paths.add(at, metrics, node);
        }
    }
    return paths.answer(answer, metric);
}
