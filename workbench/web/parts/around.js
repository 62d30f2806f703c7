// around.js: the functions that a function calls, or that call it, as a map, and the calls around it, as a graph.
//     CallMap({ answer, metric, name, up, onSelect(name, address) })   answer: of GET /tables/T/tree; metric: its number; up: its callers
//     CallGraph({ tree, calls, name, onSelect(name) })               tree: of tree_data.js; calls: of each node
import { warmth } from "./code_rows.js";
import { fixed, integer, plural } from "./format.js";
import { shortened, widthOf } from "./label.js";
import { readable, shortName } from "./names.js";
import { Network } from "./network.js";
import { calleesOf, callersOf, callsAround } from "./tree_around.js";
import { childrenOf, labelOf, nameOf, share, shortOf } from "./tree_data.js";
import { nestedAreas } from "./treemap.js";
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../lib/preact.js";

const leastHeight = 150;
const fitted = (name, room) => (room > 26 || widthOf(name) <= room ? shortened(name, room) : "");
/** The name and its share, which is whole or left out: a part of a number is another number. */
const withShare = (name, share, room) => {
    const part = ` ${fixed(share, 1)} %`;
    const left = room - widthOf(part);
    return left > 40 || widthOf(name) <= left ? `${fitted(name, left)}${part}` : fitted(name, room);
};

/** The room of the pane in which the element is. */
function useRoom(element) {
    const [room, setRoom] = useState({ width: 0, height: 0 });
    useLayoutEffect(() => {
        const pane = element.current.closest(".body");
        const measure = () => {
            if (!element.current) return;
            const top = element.current.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop;
            setRoom({ width: Math.floor(element.current.clientWidth), height: Math.max(leastHeight, Math.floor(pane.clientHeight - top - 34)) });
        };
        const watch = new ResizeObserver(measure);
        watch.observe(pane);
        measure();
        return () => watch.disconnect();
    }, []);
    return room;
}

export function CallMap({ answer, metric, name, up = false, onSelect }) {
    const frame = useRef();
    const { width, height } = useRoom(frame);
    const tree = useMemo(() => (up ? callersOf : calleesOf)(answer, name, metric, readable, shortName), [answer, name, metric, up]);
    const [at, setAt] = useState(-1);
    useEffect(() => setAt(-1), [tree]);
    // Functions of the same name are one above the other.
    const roots = useMemo(() => childrenOf(tree, -1), [tree]);
    const boxes = useMemo(() => {
        if (width === 0) return [];
        let top = 0;
        return roots.flatMap((root) => {
            const high = tree.sum > 0 ? (height * tree.total[root]) / tree.sum : 0;
            const list = nestedAreas(root, { totals: tree.total, selves: tree.self, childrenOf: (node) => childrenOf(tree, node) }, width, high).map((box) => ({ ...box, y: box.y + top }));
            top += high;
            return list;
        });
    }, [tree, width, height]);
    const unit = (tree.metric?.title ?? "").toLowerCase();
    const drawn = new Set(boxes.map(({ node }) => node));
    const choose = (node) => node >= 0 && onSelect(nameOf(tree, node), tree.address?.[node]);
    const onKey = (event) => {
        const beside = (step) => {
            const all = (at < 0 ? [] : childrenOf(tree, tree.parent[at])).filter((node) => drawn.has(node));
            return all[all.indexOf(at) + step] ?? at;
        };
        const steps = {
            ArrowDown: () => setAt(at < 0 ? (roots[0] ?? -1) : (childrenOf(tree, at).find((node) => drawn.has(node)) ?? at)),
            ArrowUp: () => setAt(at < 0 ? (roots[0] ?? -1) : Math.max(tree.parent[at], roots[0])),
            ArrowLeft: () => setAt(beside(-1)),
            ArrowRight: () => setAt(beside(1)),
            Enter: () => choose(at),
        };
        if (!steps[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        event.stopPropagation();
        steps[event.key]();
    };
    const rest = (node) => (!up ? `, itself ${integer(tree.self[node])}` : tree.parent[node] < 0 ? ", with all that it calls" : ` of ${readable(name)} came this way`);
    const said = (node) => `${labelOf(tree, node)}: ${integer(tree.total[node])} ${unit} (${fixed(share(tree, tree.total[node]), 1)} %)${rest(node)}`;
    const shown = at >= 0 && at < tree.count ? at : (roots[0] ?? -1);
    return html`<div ref=${frame}>
        <div class="callee-map" tabindex="0" role="application" aria-roledescription=${up ? "caller map" : "callee map"} aria-label="What ${up ? "calls " : ""}${readable(name)}${up ? "" : " calls"}: ${plural(tree.count, "call path")}. Arrows move, Enter chooses a function. The form Lists says the same as a table." data-drawn=${boxes.length} onKeyDown=${onKey}>
            <svg class="treemap" width=${width} height=${height} aria-hidden="true">
                ${boxes.map(
                    ({ node, head, x, y, width: wide, height: high }) => html`<g class="treemap-area ${node === at ? "selected" : ""}" data-node=${node} onClick=${() => setAt(node)} onDblClick=${() => choose(node)}>
                        <title>${said(node)}</title>
                        <rect x=${x + 0.5} y=${y + 0.5} width=${Math.max(1, wide - 1)} height=${Math.max(1, high - 1)} style="--warm: ${Math.round(4 + 50 * warmth(tree.total[node], tree.sum))}%" />
                        ${high > 15 && html`<text x=${x + 4} y=${y + 13}>${head ? withShare(shortOf(tree, node), share(tree, tree.total[node]), wide - 6) : fitted(shortOf(tree, node), wide - 6)}</text>`}
                    </g>`,
                )}
            </svg>
        </div>
        ${shown >= 0 && html`<p class="callee-map-said" data-brief aria-live="polite" title=${said(shown)}>${said(shown)} <span class="muted">· double click or Enter: chooses it${boxes.length < tree.count ? ` · ${integer(tree.count - boxes.length)} of ${plural(tree.count, "path")} are too small to be seen` : ""}</span></p>`}
    </div>`;
}

export function CallGraph({ tree, calls, name, onSelect }) {
    const frame = useRef();
    const { width, height } = useRoom(frame);
    const network = useMemo(() => callsAround(tree, name, calls), [tree, calls, name]);
    const unit = tree.metric?.title ?? "";
    return html`<div ref=${frame} class="chart">
        ${network.edges.length > 0 && width > 0 && html`<${Network} network=${network} width=${width} height=${height - 20} active=${name} onChoose=${onSelect} />`}
        <p class="muted">${unit} on paths through ${readable(name)}. Before it: the part of its cost that came that way. After it: the cost of the calls.${network.left > 0 ? ` ${integer(network.left)} smaller arrows are not drawn.` : ""}</p>
        <div class="hidden"><table>
            <caption>Calls around ${readable(name)}</caption>
            <tbody>${network.edges.map((edge) => html`<tr data-from=${edge.from} data-to=${edge.to}><th scope="row">${readable(edge.from)} → ${readable(edge.to)}</th><td>${integer(edge.amount)}</td><td>${edge.calls === undefined ? "" : integer(edge.calls)}</td></tr>`)}</tbody>
        </table></div>
    </div>`;
}
