// tree_paths.js: makes a tree of calls in the form of the answer to GET /tables/T/tree, which treeOf (tree_data.js) reads.
// Nodes with equal paths become one node. This module does not use the page.

export class Paths {
    /** answer: the tree from which nodes are added; keys: keys are numbers less than this number. */
    constructor(answer, keys) {
        this.before = answer;
        this.keys = keys;
        this.known = new Map();
        this.parent = [0]; // node 0 is the root, above all nodes
        this.name = [0];
        this.address = [null];
        this.first = [null];
        this.values = answer.metrics.map(() => [0]);
        this.numbers = answer.metrics.map(({ values }) => Float64Array.from(values, (value) => Number(value ?? 0)));
    }
    /** The child with that key; it is added if there is none. */
    child(parent, key, name, address) {
        const at = parent * this.keys + key;
        const known = this.known.get(at);
        if (known !== undefined) return known;
        const node = this.parent.length;
        this.known.set(at, node);
        this.parent.push(parent);
        this.name.push(name);
        this.address.push(address);
        this.first.push(null);
        for (const values of this.values) values.push(0);
        return node;
    }
    /** Adds the values of node `from` of the tree before. */
    add(node, from) {
        this.values.forEach((values, at) => (values[node] += this.numbers[at][from]));
        const first = this.before.first?.[from] ?? null;
        if (first !== null && (this.first[node] === null || first < this.first[node])) this.first[node] = first;
    }
    /** The sum of that metric over the node and all nodes below it, for each node. */
    totals(metric) {
        const totals = Float64Array.from(this.values[metric] ?? this.parent.map(() => 0));
        for (let node = totals.length - 1; node > 0; node--) totals[this.parent[node]] += totals[node];
        return totals;
    }
    /**
     * The tree, depth first. Siblings are in descending order of their totals; with `ordered`, in ascending order of the least
     * `first` of their subtrees, those without one last.
     */
    answer(metric, ordered = false, names = this.before.names) {
        const count = this.parent.length;
        const totals = this.totals(metric);
        const first = Float64Array.from(this.first, (value) => value ?? Infinity);
        for (let node = count - 1; ordered && node > 0; node--) first[this.parent[node]] = Math.min(first[this.parent[node]], first[node]);
        // NaN, of two nodes without `first`, is 0 here.
        const compare = (left, right) => (ordered && first[left] - first[right]) || totals[right] - totals[left] || left - right;
        const order = Uint32Array.from({ length: count - 1 }, (_, at) => at + 1).sort(compare);
        const child = new Uint32Array(count);
        const next = new Uint32Array(count);
        for (let at = order.length - 1; at >= 0; at--) {
            const node = order[at];
            next[node] = child[this.parent[node]];
            child[this.parent[node]] = node;
        }
        const { address, first: given } = this.before;
        const after = { ...this.before, names, parent: [], name: [], address: address?.length ? [] : address, first: given && [], metrics: this.before.metrics.map((one) => ({ ...one, values: [] })) };
        const numbers = new Uint32Array(count);
        for (let node = child[0]; node > 0; ) {
            after.parent.push(numbers[this.parent[node]]);
            after.name.push(this.name[node]);
            if (address?.length) after.address.push(this.address[node] ?? null);
            if (given) after.first.push(this.first[node]);
            after.metrics.forEach((one, at) => one.values.push(this.values[at][node]));
            numbers[node] = after.name.length;
            if (child[node] > 0) {
                node = child[node];
                continue;
            }
            while (node > 0 && next[node] === 0) node = this.parent[node];
            node = next[node];
        }
        return after;
    }
}
