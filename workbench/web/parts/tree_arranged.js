// tree_arranged.js: the tree of calls in another order, for the flame graph: what treeOf (tree_data.js) reads, made from what
// GET /tables/T/tree answers. This module does not use the page.
//     merged:   a call of a procedure that is active already belongs to its first activation: recursion is one box
//     inverted: the procedures that have the counts are on top, their callers below them
//     ordered:  callees are in the order in which they were first executed, if the rows have this order (hasOrder)
import { Paths } from "./tree_paths.js";

/** True if the rows have an order of first execution. */
export const hasOrder = (answer) => Boolean(answer?.first?.length);

export function arranged(answer, { merged = false, inverted = false, ordered = false }, metric = 0) {
    if (!merged && !inverted && !ordered) return answer;
    const { parent, name, address, metrics } = answer;
    // Paths are paths of names; only the order alone changes no node.
    const keys = merged || inverted ? answer.names.length : name.length;
    const paths = new Paths(answer, keys);
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
            const active = merged ? place.find((one) => paths.name[one] === name[node]) : undefined;
            place.push(active ?? paths.child(place.at(-1) ?? 0, merged ? name[node] : node, name[node], address?.[node]));
            paths.add(place.at(-1), node);
        } else if (metrics.some((one) => Number(one.values[node] ?? 0) !== 0)) {
            const seen = new Set();
            let at = 0;
            for (let level = path.length - 1; level >= 0; level--) {
                const caller = path[level];
                if (merged && seen.has(name[caller])) continue;
                seen.add(name[caller]);
                at = paths.child(at, name[caller], name[caller], address?.[caller]);
            }
            paths.add(at, node);
        }
    }
    return paths.answer(metric, ordered);
}
