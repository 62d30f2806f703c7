// tree.js: a tree of calls as a table: the data of the flame graph as text. Levels are opened and closed by keys and
// clicks. Tree({ tree, selected, onSelect(node) })
import { fixed, integer } from "./format.js";
import { Notice } from "./notice.js";
import { childrenOf, labelOf, nameOf, pathOf, share, shortOf } from "./tree_data.js";
import { html, useEffect, useMemo, useRef, useState } from "../lib/preact.js";

const mostRows = 600;

/** Deep levels are indented less: their names need the room. */
const indent = (depth) => 8 + 12 * Math.min(depth, 8) + 2 * Math.min(Math.max(depth - 8, 0), 30);

/** The nodes that are open at first: the busiest path. */
function busiest(tree) {
    const open = new Set();
    for (let node = childrenOf(tree, -1)[0] ?? -1; node >= 0; node = childrenOf(tree, node)[0] ?? -1) {
        open.add(node);
        if (tree.self[node] > 0.5 * tree.sum || open.size > 24) break;
    }
    return open;
}

export function Tree({ tree, selected = -1, onSelect }) {
    const [open, setOpen] = useState(() => busiest(tree));
    const body = useRef();
    useEffect(() => setOpen(busiest(tree)), [tree]);
    useEffect(() => {
        if (selected >= 0) setOpen((before) => (pathOf(tree, selected).slice(0, -1).every((node) => before.has(node)) ? before : new Set([...before, ...pathOf(tree, selected).slice(0, -1)])));
    }, [tree, selected]);
    const rows = useMemo(() => {
        const list = [];
        const add = (node) => {
            for (const child of childrenOf(tree, node)) {
                if (list.length > mostRows) return;
                list.push(child);
                if (open.has(child)) add(child);
            }
        };
        add(-1);
        return list;
    }, [tree, open]);
    const shown = rows.slice(0, mostRows);
    const current = shown.includes(selected) ? selected : (shown[0] ?? -1);
    const toggle = (node, wanted) =>
        setOpen((before) => {
            const after = new Set(before);
            if (wanted) after.add(node);
            else after.delete(node);
            return after;
        });
    const choose = (node) => {
        if (node === undefined || node < 0) return;
        onSelect?.(node);
        body.current?.querySelector(`[data-node="${node}"]`)?.focus();
    };
    const onKey = (event, node) => {
        const at = shown.indexOf(node);
        const inner = tree.end[node] > node + 1;
        const steps = {
            ArrowDown: () => choose(shown[at + 1]),
            ArrowUp: () => choose(shown[at - 1]),
            ArrowRight: () => (inner && !open.has(node) ? toggle(node, true) : choose(inner ? node + 1 : node)),
            ArrowLeft: () => (open.has(node) && inner ? toggle(node, false) : choose(tree.parent[node])),
            Enter: () => choose(node),
        };
        if (!steps[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        event.stopPropagation();
        steps[event.key]();
    };
    if (tree.count === 0) return html`<${Notice}>No call was counted.<//>`;
    return html`<div class="tree-table" ref=${body}>
        <table class="plain" role="treegrid" aria-label="Calls">
            <thead>
                <tr>
                    <th scope="col">Procedure</th>
                    <th scope="col" class="number">Total</th>
                    <th scope="col" class="number">%</th>
                    <th scope="col" class="number">Itself</th>
                    <th scope="col" class="number">%</th>
                </tr>
            </thead>
            <tbody>
                ${shown.map((node) => {
                    const inner = tree.end[node] > node + 1;
                    return html`<tr
                        key=${node}
                        data-node=${node}
                        tabindex=${node === current ? 0 : -1}
                        aria-level=${tree.depth[node] + 1}
                        aria-expanded=${inner ? String(open.has(node)) : undefined}
                        aria-selected=${String(node === selected)}
                        onClick=${() => choose(node)}
                        onKeyDown=${(event) => onKey(event, node)}
                    >
                        <td class="tree-name" style=${{ paddingLeft: `${indent(tree.depth[node])}px` }}>
                            <span class="twist" aria-hidden="true" onClick=${(event) => inner && (event.stopPropagation(), toggle(node, !open.has(node)))}>${inner ? (open.has(node) ? "▾" : "▸") : ""}</span>
                            <span data-brief title=${labelOf(tree, node) === nameOf(tree, node) ? nameOf(tree, node) : `${labelOf(tree, node)}\n${nameOf(tree, node)}`}>${shortOf(tree, node)}</span>
                        </td>
                        <td class="number">${integer(tree.total[node])}</td>
                        <td class="number">${fixed(share(tree, tree.total[node]))}</td>
                        <td class="number">${integer(tree.self[node])}</td>
                        <td class="number">${fixed(share(tree, tree.self[node]))}</td>
                    </tr>`;
                })}
            </tbody>
        </table>
        ${rows.length > mostRows && html`<${Notice} hint="Close some levels, or search in the flame graph.">Only the first ${integer(mostRows)} rows that are open are shown.<//>`}
    </div>`;
}
