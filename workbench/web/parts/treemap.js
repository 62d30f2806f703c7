// treemap.js: names with amounts as areas. Names are divided at each /: files are in the areas of their folders. This
// module does not use the page.

const headHeight = 17;
const least = 3; // pixels: smaller areas cannot be distinguished

/** Parts of a path, of other names the name. */
const partsOf = (name, divides) => (divides ? name.split(/(?<=.)\/+/) : [name]);

/**
 * { name, amount, children | bar } of bars ({ name, amount }). Folders with a single entry are joined with it, so that the path to the sources
 * is one heading.
 */
export function hierarchy(bars) {
    const divides = bars.some(({ name }) => name.includes("/"));
    const root = { name: "", amount: 0, children: new Map() };
    for (const bar of bars) {
        if (!(bar.amount > 0)) continue;
        let node = root;
        const parts = partsOf(bar.name, divides);
        parts.slice(0, -1).forEach((part) => {
            node.amount += bar.amount;
            if (!node.children.has(part)) node.children.set(part, { name: part, amount: 0, children: new Map() });
            node = node.children.get(part);
        });
        node.amount += bar.amount;
        // A file and a folder may be called alike.
        node.children.set(`\0${bar.name}`, { name: parts.at(-1) ?? bar.name, amount: bar.amount, bar });
    }
    const simple = (node) => {
        if (node.bar) return node;
        const children = [...node.children.values()].map(simple).sort((left, right) => right.amount - left.amount);
        const only = children.length === 1 && !children[0].bar ? children[0] : null;
        return only ? { ...only, name: node.name ? `${node.name}/${only.name}` : only.name } : { name: node.name, amount: node.amount, children };
    };
    return simple(root);
}

/** The worst ratio of sides in a row of areas. */
function worst(row, sum, side) {
    const thick = sum / side;
    return row.reduce((most, area) => Math.max(most, thick / (area / thick), area / thick / thick), 0);
}

/** Areas are as square as possible: rows along the shorter side, the greatest first. box: { x, y, width, height } */
function squares(nodes, box, put) {
    const all = nodes.reduce((sum, node) => sum + node.amount, 0);
    if (all <= 0 || box.width <= 0 || box.height <= 0) return;
    const scale = (box.width * box.height) / all;
    let { x, y, width, height } = box;
    for (let at = 0; at < nodes.length; ) {
        const side = Math.min(width, height);
        const row = [];
        let sum = 0;
        while (at + row.length < nodes.length) {
            const area = nodes[at + row.length].amount * scale;
            if (row.length > 0 && worst([...row, area], sum + area, side) > worst(row, sum, side)) break;
            row.push(area);
            sum += area;
        }
        const thick = side > 0 ? sum / side : 0;
        let along = width < height ? x : y;
        row.forEach((area, index) => {
            const long = thick > 0 ? area / thick : 0;
            put(nodes[at + index], width < height ? { x: along, y, width: long, height: thick } : { x, y: along, width: thick, height: long });
            along += long;
        });
        if (width < height) [y, height] = [y + thick, height - thick];
        else [x, width] = [x + thick, width - thick];
        at += row.length;
    }
}

/**
 * Boxes to draw, folders before their contents: { name, amount, bar, head, depth, x, y, width, height }, and the number
   of bars that were too small.
 */
export function areas(bars, width, height) {
    const boxes = [];
    const place = (node, box, depth) => {
        if (box.width < least || box.height < least) return;
        const has = !node.bar && node.name !== "" && box.height > 2.2 * headHeight && box.width > 40;
        if (node.bar || has) boxes.push({ name: node.name, amount: node.amount, bar: node.bar, head: has, depth, ...box });
        if (node.bar) return;
        const edge = has ? 2 : 0;
        const inner = { x: box.x + edge, y: box.y + (has ? headHeight : 0), width: box.width - 2 * edge, height: box.height - (has ? headHeight + edge : 0) };
        squares(node.children, inner, (child, at) => place(child, at, depth + 1));
    };
    place(hierarchy(bars), { x: 0, y: 0, width, height }, 0);
    const drawn = boxes.filter((box) => box.bar).length;
    return { boxes, left: bars.filter(({ amount }) => amount > 0).length - drawn };
}

const mostNested = 3000;

/**
 * Boxes of a tree whose nodes have an amount of their own beside those of their children: { node, depth, head, x, y, width,
 * height }, a node before its children. The part of a box that no child has is the node's own. totals, selves: by node;
 * childrenOf(node): the greatest first. Children are in a box that has room for a heading.
 */
export function nestedAreas(root, { totals, selves, childrenOf }, width, height) {
    const boxes = [{ node: root, depth: 0, head: false, x: 0, y: 0, width, height }];
    for (let at = 0; at < boxes.length && boxes.length < mostNested; at++) {
        const box = boxes[at];
        if (box.height < 2.2 * headHeight || box.width < 40) continue;
        box.head = true;
        const own = { node: -1, amount: selves[box.node] };
        const parts = [...childrenOf(box.node).map((node) => ({ node, amount: totals[node] })), own].filter(({ amount }) => amount > 0).sort((left, right) => right.amount - left.amount);
        const inner = { x: box.x + 2, y: box.y + headHeight, width: box.width - 4, height: box.height - headHeight - 2 };
        squares(parts, inner, ({ node }, place) => {
            if (node >= 0 && place.width >= least && place.height >= least && boxes.length < mostNested) boxes.push({ node, depth: box.depth + 1, head: false, ...place });
        });
    }
    return boxes;
}
