// graph.js: a procedure's flow graph: blocks with their first instructions, edges with counts, loops as bands; blocks
// that were never executed are folded. Graph({ procedure, annotation, metric, selected, onSelect })
// The layout is made by a worker (graph_worker.js), so the page never waits for it. Over 300 blocks a list is shown first.
import { useGet } from "../api.js";
import { amount, warmth } from "./code_rows.js";
import { fixed, integer } from "./format.js";
import { executions, flowGraph, hasAllExecuted } from "./graph_model.js";
import { ErrorNotice, Notice } from "./notice.js";
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../lib/preact.js";

const MOST_DRAWN = 300;
const MOST_LISTED = 2000;
const LINES = 4; // instructions of a block that are shown
const LINE = 14; // pixels
const CHARACTER = 6.4;
const TILE = 400;

const short = (pc) => pc.slice(2);
const lineOf = ({ mnemonic, operands, to_name }) => {
    const text = `${mnemonic.padEnd(7)} ${to_name ? `${operands.split(",")[0]} → ${to_name}` : operands}`.trimEnd();
    return text.length > 34 ? `${text.slice(0, 33)}…` : text;
};

/** The text in a block: a heading, its first instructions, and its last instruction. */
function linesOf(node) {
    if (node.hidden) return [];
    const { instructions } = node;
    if (instructions.length <= LINES) return instructions.map(lineOf);
    return [...instructions.slice(0, LINES - 2).map(lineOf), `… ${instructions.length - LINES + 1} more`, lineOf(instructions.at(-1))];
}

function sized(node, never) {
    const lines = linesOf(node);
    const head = node.hidden ? `${integer(node.hidden)} ${node.hidden === 1 ? "block" : "blocks"} ${never}` : `${short(node.pc)}${node.count === undefined ? "" : `  ${integer(node.count)}`}`;
    const longest = Math.max(head.length + 2, ...lines.map((line) => line.length));
    return { ...node, head, lines, width: Math.ceil(longest * CHARACTER) + 16, height: (lines.length + 1) * LINE + 10 };
}

/** Requests the layout from a worker; undefined until it has arrived. */
function useLayout(graph, wanted) {
    const [layout, setLayout] = useState({ graph: null });
    useEffect(() => {
        if (!wanted) return undefined;
        const worker = new Worker(new URL("./graph_worker.js", import.meta.url), { type: "module" });
        worker.onmessage = ({ data }) => setLayout({ graph, ...data });
        worker.onerror = (event) => setLayout({ graph, error: { error: "the flow graph cannot be laid out", hint: event.message } });
        worker.postMessage({
            nodes: graph.nodes.map(({ id, width, height }) => ({ id, width, height })),
            edges: graph.edges.filter((edge) => !edge.back && edge.from !== edge.to).map(({ from, to }) => ({ from, to })),
        });
        return () => worker.terminate();
    }, [graph, wanted]);
    return layout.graph === graph ? layout : undefined;
}

const smooth = (points) => {
    const [first, ...rest] = points;
    let path = `M${first.x} ${first.y}`;
    for (let i = 0; i < rest.length; i++) {
        const next = rest[i + 1];
        const here = rest[i];
        if (next) path += `Q${here.x} ${here.y} ${(here.x + next.x) / 2} ${(here.y + next.y) / 2}`;
        else path += `L${here.x} ${here.y}`;
    }
    return path;
};

/** From the bottom of the source block, left around the loop, to the top of the target block. */
function backPath(source, target, left) {
    const down = source.y + source.height / 2;
    const up = target.y - target.height / 2;
    const x = left;
    const start = Math.max(source.x - source.width / 4, source.x - 60);
    const end = Math.max(target.x - target.width / 4, target.x - 60);
    return `M${start} ${down}C${start} ${down + 18} ${x} ${down + 18} ${x} ${down - 6}L${x} ${up + 6}C${x} ${up - 18} ${end} ${up - 18} ${end} ${up}`;
}

/** Places and paths of everything, from the worker's answer. */
function drawn(graph, layout) {
    const at = new Map(layout.nodes.map((node) => [node.id, node]));
    const nodes = graph.nodes.map((node) => ({ ...node, ...at.get(node.id) }));
    const byId = new Map(nodes.map((node) => [node.id, node]));
    const points = layout.edges[Symbol.iterator]();
    const loopOf = new Map(graph.loops.map((loop) => [loop.header, loop]));
    let least = 0;
    let turns = 0;
    const edges = graph.edges.map((edge) => {
        const source = byId.get(edge.from);
        const target = byId.get(edge.to);
        if (!edge.back && edge.from !== edge.to) {
            const line = points.next().value.points;
            const side = Math.sign(line[1].x - line[0].x) || 1;
            return { ...edge, path: smooth(line), label: { x: line[0].x + 5 * side, y: source.y + source.height / 2 + 12, anchor: side < 0 ? "end" : "start" } };
        }
        const members = [...(loopOf.get(edge.to)?.blocks ?? [])].map((id) => byId.get(id)).filter((node) => node && node.y >= target.y - 1 && node.y <= source.y + 1);
        const left = Math.min(...[source, target, ...members].map((node) => node.x - node.width / 2)) - 14 - 5 * (turns++ % 4);
        least = Math.min(least, left - 12);
        return { ...edge, path: backPath(source, target, left), label: { x: source.x - source.width / 2 - 2, y: source.y + source.height / 2 + 12, anchor: "end" } };
    });
    const bands = graph.loops.map((loop) => ({
        ...loop,
        nodes: [...loop.blocks].map((id) => byId.get(id)).filter((node) => node && !node.hidden),
        edges: edges.filter((edge) => loop.blocks.has(edge.from) && loop.blocks.has(edge.to)),
    }));
    return { nodes, byId, edges, bands, x: least, width: layout.width - least, height: layout.height };
}

/** A block; `whole` is false for one out of sight, of which the outline is enough. */
function Block({ node, greatest, selected, select, whole }) {
    const left = node.x - node.width / 2;
    const top = node.y - node.height / 2;
    const warm = warmth(node.count, greatest);
    const box = html`<rect x=${left} y=${top} width=${node.width} height=${node.height} rx="4" />`;
    if (!whole && !selected) return html`<g class="graph-block ${node.hidden ? "folded" : ""}" data-block=${node.id}>${box}</g>`;
    return html`<g class="graph-block ${selected ? "selected" : ""} ${node.hidden ? "folded" : ""}" data-block=${node.id} role="option" aria-selected=${selected} onClick=${() => select(node)}>
        ${box}
        ${!node.hidden && html`<rect class="head" x=${left} y=${top} width=${node.width} height=${LINE + 5} rx="4" style="--warm: ${Math.round(78 * warm)}%" />`}
        <text x=${left + 8} y=${top + LINE}>${node.head}</text>
        ${node.lines.map((line, index) => html`<text x=${left + 8} y=${top + 4 + (index + 2) * LINE}>${line}</text>`)}
    </g>`;
}

function Drawing({ graph, layout, selected, onSelect }) {
    const [scale, setScale] = useState(1);
    const box = useRef();
    const [sight, setSight] = useState({ x: 0, y: 0, width: 2, height: 3 });
    const picture = useMemo(() => drawn(graph, layout), [graph, layout]);
    const greatest = graph.nodes.reduce((most, node) => Math.max(most, amount(node.count)), 0);
    const most = graph.edges.reduce((all, edge) => Math.max(all, amount(edge.count)), 0);
    const current = picture.nodes.find((node) => node.instructions.some(({ pc }) => pc === selected)) ?? picture.nodes[0];
    // The position is rounded to tiles, so that scrolling draws little.
    const look = () => {
        const { scrollLeft, scrollTop, clientWidth, clientHeight } = box.current;
        const tiles = (pixels) => Math.floor(pixels / scale / TILE);
        const next = { x: tiles(scrollLeft), y: tiles(scrollTop), width: tiles(clientWidth) + 2, height: tiles(clientHeight) + 2 };
        setSight((before) => (Object.keys(next).every((key) => before[key] === next[key]) ? before : next));
    };
    useLayoutEffect(() => {
        const watcher = new ResizeObserver(look);
        watcher.observe(box.current);
        return () => watcher.disconnect();
    }, [scale]);
    const inSight = (node) => {
        const [left, top] = [node.x - node.width / 2 - picture.x, node.y - node.height / 2];
        return left < (sight.x + sight.width) * TILE && left + node.width > sight.x * TILE && top < (sight.y + sight.height) * TILE && top + node.height > sight.y * TILE;
    };
    // A block that is chosen in another pane is scrolled into view.
    useLayoutEffect(() => {
        if (!current) return;
        const element = box.current;
        const [x, y] = [(current.x - picture.x) * scale, current.y * scale];
        const [w, h] = [(current.width / 2) * scale, (current.height / 2) * scale];
        if (x - w < element.scrollLeft || x + w > element.scrollLeft + element.clientWidth) element.scrollLeft = x - element.clientWidth / 2;
        if (y - h < element.scrollTop || y + h > element.scrollTop + element.clientHeight) element.scrollTop = y - Math.min(element.clientHeight / 2, h + 30);
    }, [current?.id, picture, scale]);
    const select = (node) => onSelect?.(node.pc);
    const zoom = (factor) => setScale((before) => Math.max(0.05, Math.min(2, before * factor)));
    const fit = () => setScale(Math.max(0.05, Math.min(1, box.current.clientWidth / (picture.width + 16), box.current.clientHeight / (picture.height + 16))));
    // Down and up follow edges; left and right go to the neighbours beside.
    const onKey = (event) => {
        const follow = (ends) => ends.sort((a, b) => amount(b.count) - amount(a.count))[0];
        const beside = (side) =>
            picture.nodes
                .filter((node) => Math.abs(node.y - current.y) < 60 && (side < 0 ? node.x < current.x : node.x > current.x))
                .sort((a, b) => Math.abs(a.x - current.x) - Math.abs(b.x - current.x))[0];
        const keys = {
            ArrowDown: () => picture.byId.get(follow(picture.edges.filter((edge) => edge.from === current.id && edge.to !== current.id && !edge.back))?.to),
            ArrowUp: () => picture.byId.get(follow(picture.edges.filter((edge) => edge.to === current.id && edge.from !== current.id && !edge.back))?.from),
            ArrowLeft: () => beside(-1),
            ArrowRight: () => beside(1),
            "+": () => zoom(1.25),
            "-": () => zoom(0.8),
            0: () => fit(),
        };
        if (!keys[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        const node = keys[event.key]();
        if (node) select(node);
    };
    return html`<div class="row graph-tools">
            <button class="small" onClick=${() => zoom(1.25)} aria-label="larger">+</button>
            <button class="small" onClick=${() => zoom(0.8)} aria-label="smaller">−</button>
            <button class="small" onClick=${fit}>Fit</button>
            <button class="small" onClick=${() => setScale(1)}>1 : 1</button>
            <span class="muted">${integer(graph.nodes.filter((node) => !node.hidden).length)} of ${integer(graph.blocks)} blocks drawn${graph.nodes.some((node) => node.hidden) ? ", the others folded" : ""}; laid out in ${fixed(layout.milliseconds / 1000, 1)} s</span>
        </div>
        <div class="graph-box" ref=${box} tabindex="0" role="listbox" aria-label="Flow graph: arrows follow edges, + and - zoom" onKeyDown=${onKey} onScroll=${look}>
            <svg class="graph" width=${picture.width * scale} height=${picture.height * scale} viewBox="${picture.x} 0 ${picture.width} ${picture.height}" role="presentation">
                <defs>
                    <marker id="graph-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto-start-reverse">
                        <path d="M0 0.5L8 4L0 7.5z" />
                    </marker>
                </defs>
                ${picture.bands.map(
                    (loop) => html`<g class="graph-loop" data-loop=${loop.header}>
                        ${loop.edges.map((edge) => html`<path d=${edge.path} />`)}
                        ${loop.nodes.map((node) => html`<rect x=${node.x - node.width / 2 - 8} y=${node.y - node.height / 2 - 8} width=${node.width + 16} height=${node.height + 16} rx="10" />`)}
                    </g>`,
                )}
                ${picture.edges.map((edge) => {
                    const width = edge.kind === "fallthrough" && !edge.back ? 1 : 1.6;
                    const more = most > 0 && amount(edge.count) > 0 ? 3.5 * warmth(edge.count, most) : 0;
                    const never = graph.counted && edge.count !== undefined && amount(edge.count) === 0;
                    return html`<g class="graph-edge ${edge.back ? "back" : edge.kind} ${never ? "never" : ""}" data-edge="${edge.from} ${edge.to}">
                        <path d=${edge.path} style="stroke-width: ${width + more}" marker-end="url(#graph-arrow)"
                            ><title>${edge.kind}${edge.back ? ", back" : ""}${edge.count === undefined ? "" : `: ${integer(edge.count)}`}</title></path
                        >
                    </g>`;
                })}
                ${picture.nodes.map((node) => html`<${Block} key=${node.id} node=${node} greatest=${greatest} selected=${node === current} select=${select} whole=${inSight(node)} />`)}
                ${picture.edges.map((edge) => edge.share !== undefined && html`<text class="graph-share" x=${edge.label.x} y=${edge.label.y} text-anchor=${edge.label.anchor}>${fixed(edge.share, 1)} %</text>`)}
            </svg>
        </div>`;
}

/** The same as a table: for procedures that are too large to draw, and for users who prefer a table. */
function List({ graph, selected, onSelect }) {
    const to = new Map();
    for (const edge of graph.edges) to.set(edge.from, [...(to.get(edge.from) ?? []), edge]);
    const shown = graph.nodes.slice(0, MOST_LISTED);
    return html`<div class="graph-list" tabindex="0" role="region" aria-label="Blocks">
        <table class="plain">
            <thead>
                <tr>
                    <th scope="col">Block</th>
                    <th scope="col" class="number">Instructions</th>
                    <th scope="col" class="number">Count</th>
                    <th scope="col" class="number">Loop depth</th>
                    <th scope="col">Goes on to</th>
                </tr>
            </thead>
            <tbody>
                ${shown.map((node) => html`<tr aria-selected=${node.instructions.some(({ pc }) => pc === selected)}>
                    <td class="mono">${node.hidden ? node.head : html`<button class="plain mono" onClick=${() => onSelect?.(node.pc)}>${node.pc}</button>`}</td>
                    <td class="number">${integer(node.instructions.length)}</td>
                    <td class="number">${integer(node.count)}</td>
                    <td class="number">${node.depth || ""}</td>
                    <td class="mono">${(to.get(node.id) ?? []).map((edge) => `${short(edge.to)}${edge.back ? " (back)" : ""}${edge.share === undefined ? "" : ` ${fixed(edge.share, 1)} %`}`).join(", ")}</td>
                </tr>`)}
            </tbody>
        </table>
        ${shown.length < graph.nodes.length && html`<${Notice}>The first ${integer(shown.length)} of ${integer(graph.nodes.length)} are listed.<//>`}
    </div>`;
}

export function Graph({ procedure, annotation, metric, selected, onSelect }) {
    const used = useMemo(() => executions(procedure, annotation, metric), [procedure, annotation, metric]);
    const shown = annotation?.metrics?.find((one) => one.id === used);
    const table = useGet(shown ? `/tables/${shown.table}` : null);
    const never = table.value && hasAllExecuted(table.value) ? "never executed" : "without a count";
    const [fold, setFold] = useState(true);
    const [anyway, setAnyway] = useState(null);
    const graph = useMemo(() => {
        const made = flowGraph(procedure, annotation, used, fold);
        return { ...made, nodes: made.nodes.map((node) => sized(node, never)), blocks: procedure.blocks.length };
    }, [procedure, annotation, used, fold, never]);
    const large = graph.nodes.length > MOST_DRAWN && anyway !== procedure.pc;
    const layout = useLayout(graph, !large && !table.loading);
    const folded = graph.nodes.reduce((all, node) => all + (node.hidden ?? 0), 0);
    return html`<div class="graph-pane">
        ${annotation && !shown && html`<div class="muted">No table of this run counts all blocks: the edges have the branches' counts only.</div>`}
        ${graph.counted && html`<div class="row"><span class="muted">Counts: ${shown.title} (${shown.tool})</span><label class="check"><input type="checkbox" checked=${fold} onChange=${(event) => setFold(event.target.checked)} />Fold what was ${never === "never executed" ? never : "not counted"}${folded > 0 && fold ? ` (${integer(folded)} ${folded === 1 ? "block" : "blocks"})` : ""}</label></div>`}
        ${large
            ? html`<${Notice} action=${html`<button onClick=${() => setAnyway(procedure.pc)}>Draw ${integer(graph.nodes.length)} blocks anyway (about ${Math.ceil(graph.nodes.length / 100)} s)</button>`}>
                      More than ${MOST_DRAWN} blocks: a list.
                  <//>
                  <${List} graph=${graph} selected=${selected} onSelect=${onSelect} />`
            : !layout
              ? html`<${Notice}>Laying out ${integer(graph.nodes.length)} blocks …<//>`
              : layout.error
                ? html`<${ErrorNotice} error=${layout.error} /><${List} graph=${graph} selected=${selected} onSelect=${onSelect} />`
                : html`<${Drawing} graph=${graph} layout=${layout} selected=${selected} onSelect=${onSelect} />`}
    </div>`;
}
