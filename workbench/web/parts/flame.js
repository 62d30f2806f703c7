// flame.js: a flame graph on a canvas, for hundreds of thousands of nodes. Only nodes wider than half a pixel are
// drawn; the subtree of a narrower node is skipped. The tree table (tree.js) has the same data as text.
//     Flame({ tree, search, zoom, selected, active, nodeColours, say, whole, onZoom(node), onSelect(node) })
// tree: of tree_data.js; zoom: the node that is as wide as the picture, -1: all; selected: a node; active: a procedure's name;
// nodeColours(dark): a colour for each node, say(node) and whole: what is said of a node and of all, instead of the usual.
import { fixed, integer, plural } from "./format.js";
import { childrenOf, matchedTotal, matchNames, labelOf, pathOf, share, shortOf } from "./tree_data.js";
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../lib/preact.js";

const rowHeight = 17;
const narrowest = 0.5;

/** A warm hue for each name; it is the same in each picture. */
function hash(text) {
    let value = 2166136261;
    for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
    return (value >>> 8) & 0xffff;
}

function coloursOf(tree, dark) {
    return tree.names.map((name) => {
        const value = hash(name);
        const hue = 22 + (value % 34);
        const light = dark ? 27 + ((value >> 6) % 9) : 70 + ((value >> 6) % 10);
        return `hsl(${hue} ${dark ? 42 : 58}% ${light}%)`;
    });
}

const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/**
 * Draws the tree. Stores the positions in `places` for the mouse: by level, [x, width, node] ... Returns how many boxes
   were drawn.
 */
export function draw(context, tree, { width, height, scroll, zoom, colours, nodeColours, matches, selected, activeName, ink, paper, accent, faint, font, places }) {
    context.clearRect(0, 0, width, height);
    context.font = font;
    context.textBaseline = "middle";
    const first = zoom < 0 ? 0 : zoom;
    const last = zoom < 0 ? tree.count : tree.end[zoom];
    const base = zoom < 0 ? 0 : tree.start[zoom];
    const whole = zoom < 0 ? tree.sum : tree.total[zoom];
    const scale = whole > 0 ? width / whole : 0;
    const ancestors = zoom < 0 ? [] : pathOf(tree, zoom).slice(0, -1);
    /** The text, or its beginning, within the room. */
    const fitting = (text, room) => {
        const width = context.measureText(text).width;
        if (width <= room) return text;
        let shown = `${text.slice(0, Math.max(1, Math.floor((text.length * room) / width) - 1))}…`;
        while (shown.length > 2 && context.measureText(shown).width > room) shown = `${shown.slice(0, -2)}…`;
        return shown;
    };
    /** The name and its share, which is whole or left out: a part of a number is another number. */
    const labelFor = (node, room) => {
        const part = ` ${fixed(share(tree, tree.total[node]), 1)} %`;
        const left = room - context.measureText(part).width;
        const name = shortOf(tree, node);
        return left > 40 || (left > 0 && context.measureText(name).width <= left) ? `${fitting(name, left)}${part}` : fitting(name, room);
    };
    let drawn = 0;
    const box = (node, x, wide, level, dim) => {
        const y = level * rowHeight - scroll;
        if (y + rowHeight < 0 || y > height) return;
        const name = tree.name[node];
        const hit = matches?.[name];
        drawn++;
        context.globalAlpha = dim ? 0.45 : matches && !hit ? 0.4 : 1;
        context.fillStyle = hit ? accent : nodeColours ? nodeColours[node] : colours[name];
        context.fillRect(x, y, Math.max(wide - 0.6, narrowest), rowHeight - 1);
        if (wide > 3) (places[level] ??= []).push(x, wide, node);
        if (wide > 28) {
            const start = Math.max(x, 0);
            context.fillStyle = hit ? paper : ink;
            context.fillText(labelFor(node, wide - 6), start + 4, y + rowHeight / 2);
        }
        if (node === selected || (activeName >= 0 && name === activeName && wide > 2)) {
            context.globalAlpha = 1;
            context.strokeStyle = node === selected ? accent : faint;
            context.lineWidth = node === selected ? 2 : 1;
            context.strokeRect(x + 1, y + 1, Math.max(wide - 2.6, 1), rowHeight - 3);
        }
    };
    ancestors.forEach((node, level) => box(node, 0, width, level, true));
    const top = zoom < 0 ? 0 : tree.depth[zoom];
    const visible = Math.ceil((height + scroll) / rowHeight);
    for (let node = first; node < last; ) {
        const wide = tree.total[node] * scale;
        const level = tree.depth[node];
        if (wide < narrowest || level > visible + top) {
            node = tree.end[node];
            continue;
        }
        box(node, (tree.start[node] - base) * scale, wide, level, false);
        node++;
    }
    context.globalAlpha = 1;
    return drawn;
}

function useDark() {
    const query = useMemo(() => matchMedia("(prefers-color-scheme: dark)"), []);
    const [dark, setDark] = useState(query.matches);
    useLayoutEffect(() => {
        const changed = () => setDark(query.matches);
        query.addEventListener("change", changed);
        return () => query.removeEventListener("change", changed);
    }, []);
    return dark;
}

function useSize(element) {
    const [size, setSize] = useState({ width: 0, height: 0 });
    useLayoutEffect(() => {
        const watch = new ResizeObserver(([entry]) => setSize({ width: Math.floor(entry.contentRect.width), height: Math.floor(entry.contentRect.height) }));
        watch.observe(element.current);
        return () => watch.disconnect();
    }, []);
    return size;
}

export function Flame({ tree, search = "", zoom = -1, selected = -1, active, nodeColours, say, whole, onZoom, onSelect }) {
    const frame = useRef();
    const canvas = useRef();
    const places = useRef([]);
    const { width, height } = useSize(frame);
    const [scroll, setScroll] = useState(0);
    const [hover, setHover] = useState(-1);
    const dark = useDark();
    const colours = useMemo(() => coloursOf(tree, dark), [tree, dark]);
    const given = useMemo(() => nodeColours?.(dark), [nodeColours, dark]);
    const matches = useMemo(() => (search ? matchNames(tree, search) : null), [tree, search]);
    const found = useMemo(() => (matches ? matchedTotal(tree, matches) : 0), [tree, matches]);
    const frames = useMemo(() => (matches ? tree.name.reduce((sum, name) => sum + matches[name], 0) : 0), [tree, matches]);
    const activeName = useMemo(() => (active ? tree.names.indexOf(active) : -1), [tree, active]);
    const most = Math.max(0, tree.levels * rowHeight - height);
    const at = Math.min(scroll, most);
    // Numbers of nodes are those of the tree before.
    useLayoutEffect(() => {
        setHover(-1);
        setScroll(0);
    }, [tree]);
    useLayoutEffect(() => {
        if (width === 0 || height === 0) return;
        const ratio = devicePixelRatio || 1;
        const element = canvas.current;
        if (element.width !== Math.round(width * ratio) || element.height !== Math.round(height * ratio)) {
            element.width = Math.round(width * ratio);
            element.height = Math.round(height * ratio);
        }
        const context = element.getContext("2d");
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        places.current = [];
        const begin = performance.now();
        const drawn = draw(context, tree, {
            width,
            height,
            scroll: at,
            zoom,
            colours,
            nodeColours: given,
            matches,
            selected,
            activeName,
            ink: dark ? "#f2ece4" : "#2a1c0c",
            paper: variable("--accent-ink"),
            accent: variable("--accent"),
            faint: variable("--ink"),
            font: `11px ${variable("--sans")}`,
            places: places.current,
        });
        element.dataset.drawn = drawn;
        element.dataset.milliseconds = (performance.now() - begin).toFixed(1);
    }, [tree, width, height, at, zoom, colours, given, matches, selected, activeName]);

    const nodeAt = (event) => {
        const box = canvas.current.getBoundingClientRect();
        const x = event.clientX - box.left;
        const row = places.current[Math.floor((event.clientY - box.top + at) / rowHeight)] ?? [];
        for (let i = 0; i < row.length; i += 3) if (x >= row[i] && x < row[i] + row[i + 1]) return row[i + 2];
        return -1;
    };
    const onWheel = (event) => {
        if (most === 0) return;
        event.preventDefault();
        setScroll(Math.max(0, Math.min(most, at + event.deltaY)));
    };
    // Preact's wheel listeners may be passive.
    useEffect(() => {
        const element = canvas.current;
        element.addEventListener("wheel", onWheel, { passive: false });
        return () => element.removeEventListener("wheel", onWheel);
    });
    const show = (node) => {
        if (node < 0) return;
        onSelect?.(node);
        const y = tree.depth[node] * rowHeight;
        if (y < at) setScroll(y);
        else if (y + rowHeight > at + height) setScroll(y + rowHeight - height);
    };
    // A node that is chosen in another pane is scrolled into view.
    useEffect(() => {
        if (selected < 0 || height === 0) return;
        const y = (tree.depth[selected] - (zoom < 0 ? 0 : tree.depth[zoom]) + (zoom < 0 ? 0 : pathOf(tree, zoom).length - 1)) * rowHeight;
        if (y < at || y + rowHeight > at + height) setScroll(Math.max(0, y < at ? y : y + rowHeight - height));
    }, [tree, selected, zoom, height]);
    const onKey = (event) => {
        const node = selected;
        const siblings = () => childrenOf(tree, node < 0 ? -1 : tree.parent[node]);
        const steps = {
            ArrowDown: () => show(node < 0 ? (zoom < 0 ? 0 : zoom) : (childrenOf(tree, node)[0] ?? node)),
            ArrowUp: () => show(node < 0 ? 0 : Math.max(tree.parent[node], 0)),
            ArrowLeft: () => show(siblings()[siblings().indexOf(node) - 1] ?? node),
            ArrowRight: () => show(siblings()[siblings().indexOf(node) + 1] ?? node),
            Enter: () => node >= 0 && onZoom?.(node),
            Escape: () => onZoom?.(zoom < 0 ? -1 : tree.parent[zoom]),
            Home: () => onZoom?.(-1),
        };
        const step = steps[event.key];
        if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        event.stopPropagation();
        step();
    };
    const said = hover >= 0 && hover < tree.count ? hover : selected;
    const unit = tree.metric?.title ?? "";
    return html`<div class="flame">
        <div class="flame-frame" ref=${frame}>
            <canvas
                ref=${canvas}
                tabindex="0"
                role="application"
                aria-roledescription="flame graph"
                aria-label="Flame graph of ${unit}: ${plural(tree.count, "call path")}. Arrows move, Enter zooms in, Escape zooms out. The tab Tree says the same as a table."
                onClick=${(event) => show(nodeAt(event))}
                onDblClick=${(event) => onZoom?.(nodeAt(event))}
                onMouseMove=${(event) => setHover(nodeAt(event))}
                onMouseLeave=${() => setHover(-1)}
                onKeyDown=${onKey}
            ></canvas>
        </div>
        <div class="flame-said" aria-live="polite">
            ${say && said >= 0
                ? say(said)
                : whole && said < 0
                ? whole
                : said >= 0
                ? html`<strong data-brief title=${labelOf(tree, said)}>${shortOf(tree, said)}</strong> ${integer(tree.total[said])} ${unit.toLowerCase()} (${fixed(share(tree, tree.total[said]))} %), itself ${integer(tree.self[said])}`
                : html`${plural(tree.count, "call path")}, ${integer(tree.sum)} ${unit.toLowerCase()}`}
            ${matches && html` · <span class="found">found: ${fixed(share(tree, found), 1)} %, ${integer(frames)} ${frames === 1 ? "frame" : "frames"}</span>`}
            ${zoom >= 0 && html` · <button class="plain" onClick=${() => onZoom(-1)}>show all</button>`}
            <span class="muted keys"> · double click or Enter: zoom</span><span class="muted exact"> · exact counts, no sampling</span>
        </div>
    </div>`;
}
