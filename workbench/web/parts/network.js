// network.js: rows that lead from one name to another as nodes and arrows (display graph): the busiest arrows, with a
// layout by graph_worker.js. Network({ network, width, height, active, onChoose(name) })
// network: of networkOf, or the same of something else; active: the name that the other panes show; with a height, the picture
// scrolls in this height, and begins with the active name in the middle.
import { integer } from "./format.js";
import { readable, shortName } from "./names.js";
import { ErrorNotice, Waiting } from "./notice.js";
import { html, useEffect, useRef, useState } from "../lib/preact.js";

const mostArrows = 40;
const character = 6.3;
const height = 34;
const shortened = (name) => (shortName(name).length > 30 ? `${shortName(name).slice(0, 29)}…` : shortName(name));

/** { nodes: [{ id, name, received, sent }], edges: [{ from, to, amount, value }], left }: equal pairs become one
    arrow. */
export function networkOf(rows, from, to, value) {
    const pairs = new Map();
    const nameAt = (row, at) => (row[at] === null || row[at] === "" ? "?" : String(row[at]));
    for (const row of rows) {
        const key = JSON.stringify([nameAt(row, from), nameAt(row, to)]);
        const known = pairs.get(key) ?? { from: nameAt(row, from), to: nameAt(row, to), amount: 0 };
        known.amount += Number(row[value] ?? 0);
        pairs.set(key, known);
    }
    const sorted = [...pairs.values()].sort((left, right) => right.amount - left.amount);
    const edges = sorted.slice(0, mostArrows);
    const nodes = new Map();
    const node = (name) => nodes.get(name) ?? nodes.set(name, { id: name, name, received: 0, sent: 0 }).get(name);
    for (const edge of sorted) {
        if (nodes.has(edge.from) || edges.includes(edge)) node(edge.from).sent += edge.amount;
        if (nodes.has(edge.to) || edges.includes(edge)) node(edge.to).received += edge.amount;
    }
    const used = new Set(edges.flatMap((edge) => [edge.from, edge.to]));
    return { nodes: [...nodes.values()].filter(({ id }) => used.has(id)), edges, left: sorted.length - edges.length };
}

function useLayout(network) {
    const [layout, setLayout] = useState({ network: null });
    useEffect(() => {
        const worker = new Worker(new URL("./graph_worker.js", import.meta.url), { type: "module" });
        worker.onmessage = ({ data }) => setLayout({ network, ...data });
        worker.onerror = (event) => setLayout({ network, error: { error: "the graph cannot be laid out", hint: event.message } });
        worker.postMessage({
            direction: "LR",
            nodes: network.nodes.map(({ id, name, received }) => ({ id, width: 18 + character * Math.max(shortened(name).length, integer(received).length), height })),
            edges: network.edges.filter((edge) => edge.from !== edge.to).map(({ from, to }) => ({ from, to })),
        });
        return () => worker.terminate();
    }, [network]);
    return layout.network === network ? layout : undefined;
}

function path(points) {
    const [first, ...rest] = points;
    let text = `M${first.x} ${first.y}`;
    rest.forEach((here, index) => {
        const next = rest[index + 1];
        text += next ? `Q${here.x} ${here.y} ${(here.x + next.x) / 2} ${(here.y + next.y) / 2}` : `L${here.x} ${here.y}`;
    });
    return text;
}

export function Network({ network, width, height: room = 0, active, onChoose }) {
    const layout = useLayout(network);
    const frame = useRef();
    useEffect(() => {
        const node = frame.current?.querySelector(".network-node.selected rect");
        if (!room || !node) return;
        const [outer, box] = [frame.current.getBoundingClientRect(), node.getBoundingClientRect()];
        frame.current.scrollLeft += box.left + box.width / 2 - outer.left - outer.width / 2;
        frame.current.scrollTop += box.top + box.height / 2 - outer.top - outer.height / 2;
    }, [layout, room, width]); // the width is that of the pane: another one scales the picture
    if (!layout) return html`<${Waiting}>Laying out ${integer(network.nodes.length)} names …<//>`;
    if (layout.error) return html`<${ErrorNotice} error=${layout.error} />`;
    // Drawn smaller where that makes it fit, as long as it can be read.
    const scale = Math.max(0.7, Math.min(1, width / layout.width));
    const at = new Map(layout.nodes.map((node) => [node.id, node]));
    const points = layout.edges[Symbol.iterator]();
    const most = Math.max(1, ...network.edges.map(({ amount }) => amount));
    const arrows = network.edges.map((edge) => {
        const node = at.get(edge.from);
        const own = edge.from === edge.to;
        const line = own ? null : points.next().value.points;
        const top = node.y - node.height / 2;
        const d = own ? `M${node.x + 14} ${top}C${node.x + 26} ${top - 20} ${node.x - 26} ${top - 20} ${node.x - 14} ${top}` : path(line);
        const middle = own ? { x: node.x, y: top - 17 } : line[Math.floor(line.length / 2)];
        return { ...edge, d, x: middle.x, y: middle.y - (own ? 0 : 4), wide: 0.8 + 4 * Math.sqrt(edge.amount / most) };
    });
    const order = [...network.nodes].sort((left, right) => at.get(left.id).x - at.get(right.id).x || at.get(left.id).y - at.get(right.id).y);
    const current = order.findIndex(({ name }) => name === active);
    const onKey = (event) => {
        const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
        if (!steps[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        onChoose?.(order[(Math.max(0, current) + (current < 0 ? 0 : steps[event.key]) + order.length) % order.length].name);
    };
    return html`<div class="network" ref=${frame} style=${room ? { maxHeight: `${room}px` } : undefined} tabindex="0" role="listbox" aria-label="Names: arrow keys choose one" onKeyDown=${onKey}>
        <svg width=${scale * layout.width} height=${scale * (layout.height + 24)} viewBox="0 -24 ${layout.width} ${layout.height + 24}" role="presentation">
            <defs>
                <marker id="network-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto">
                    <path d="M0 0.5L8 4L0 7.5z" />
                </marker>
            </defs>
            ${arrows.map((edge) => html`<g class="network-edge ${edge.from === active || edge.to === active ? "near" : ""}">
                <path d=${edge.d} style="stroke-width: ${edge.wide}" marker-end="url(#network-arrow)"><title>${readable(edge.from)} → ${readable(edge.to)}: ${integer(edge.amount)}${edge.calls === undefined ? "" : `, ${integer(edge.calls)} ${edge.calls === 1 ? "call" : "calls"}`}</title></path>
            </g>`)}
            ${order.map((node) => {
                const { x, y, width: wide } = at.get(node.id);
                return html`<g class="network-node ${node.name === active ? "selected" : ""}" role="option" aria-selected=${String(node.name === active)} onClick=${() => onChoose?.(node.name)}>
                    <title>${readable(node.name)}</title>
                    <rect x=${x - wide / 2} y=${y - height / 2} width=${wide} height=${height} rx="4" />
                    <text x=${x} y=${y - 3}>${shortened(node.name)}</text>
                    <text class="muted" x=${x} y=${y + 11}>${node.received > 0 ? integer(node.received) : "–"}</text>
                </g>`;
            })}
            ${arrows.map((edge) => html`<text class="network-amount" x=${edge.x} y=${edge.y}>${integer(edge.amount)}</text>`)}
        </svg>
    </div>`;
}
