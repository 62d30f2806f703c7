// chart.js: a table as a picture, as its page asks for (display), or as what its columns mean asks for. Of a large table the rows that
// count most are drawn, and the picture says so.
//     Chart({ table, merged, metric, where, find })
import { query, useGet } from "../api.js";
import { fixed, integer } from "./format.js";
import { ErrorNotice, Notice, Waiting } from "./notice.js";
import { baseName, isMeasure, isNumber } from "./table.js";
import { html, useEffect, useMemo, useRef, useState } from "../lib/preact.js";

const mostBars = 25;
const mostPoints = 5000;

const find = (columns, test) => columns.findIndex((column) => !column.hidden && test(column));
const titled = (columns, title) => find(columns, (column) => column.title.toLowerCase() === title);

/**
 * How a table is shown, the first rule that fits: { kind, value, by, to }, numbers of columns. The kinds "flame", "heat" and "table" are
 * other panes'.
 */
export function displayOf(table, metric) {
    const { columns, display } = table;
    if (display) return { kind: display.kind, value: display.columns[0], by: display.columns[1], to: display.columns[2] };
    const value = metric >= 0 ? metric : find(columns, (column) => isMeasure(column) && column.merge === "sum");
    const text = find(columns, (column) => column.type === "text" && column.title === "Procedure");
    const label = text >= 0 ? text : find(columns, (column) => column.type === "text");
    const from = titled(columns, "from");
    const to = titled(columns, "to");
    if (table.tree) return { kind: "flame" };
    if (value < 0) return { kind: "table" };
    if (from >= 0 && to >= 0 && columns[from].type === "integer" && columns[to].type === "integer") return { kind: "histogram", value, by: from, to };
    if (table.rows === 1) return { kind: "facts" };
    if (label >= 0) return { kind: "bars", value, by: label };
    const key = find(columns, (column) => column.role === "key" || column.role === "label");
    return key >= 0 ? { kind: isNumber(columns[key]) ? "line" : "bars", value, by: key } : { kind: "table" };
}

/** Rows of equal texts are one bar: exact, by adding. */
function addUp(rows, by, value) {
    const sums = new Map();
    for (const row of rows) {
        const key = row[by] === null || row[by] === "" ? "(none)" : String(row[by]);
        sums.set(key, (sums.get(key) ?? 0) + Number(row[value] ?? 0));
    }
    return [...sums].map(([name, amount]) => ({ name, amount })).sort((left, right) => right.amount - left.amount);
}

function marks(Plot, display, columns, rows, width) {
    const value = columns[display.value];
    const common = { width, style: { background: "transparent", color: "var(--ink)", fontFamily: "var(--sans)", fontSize: "11px" } };
    const grid = { grid: true };
    const fill = "var(--more)";
    const number = (row, at) => Number(row[at] ?? 0);
    if (display.kind === "histogram") {
        const bins = rows.map((row, index) => ({ index, from: number(row, display.by), to: number(row, display.to), amount: number(row, display.value) })).sort((left, right) => left.from - right.from);
        const label = (bin) => (bin.from === bin.to ? integer(bin.from) : `${integer(bin.from)}–${integer(bin.to)}`);
        return {
            options: { ...common, height: 260, marginBottom: 60, x: { label: null, tickRotate: -30, domain: bins.map(label) }, y: { label: value.title, tickFormat: "s", ...grid }, marks: [Plot.barY(bins, { x: label, y: "amount", fill, title: (bin) => `${label(bin)}: ${integer(bin.amount)}` }), Plot.ruleY([0])] },
            words: bins.map((bin) => [label(bin), integer(bin.amount)]),
        };
    }
    if (display.kind === "scatter" || display.kind === "line") {
        const points = rows.map((row) => ({ x: number(row, display.by), y: number(row, display.value) })).sort((left, right) => left.x - right.x);
        const x = columns[display.by];
        return {
            options: { ...common, height: 260, marginLeft: 60, x: { label: x.title, tickFormat: "s", ...grid }, y: { label: value.title, tickFormat: "s", ...grid }, marks: [display.kind === "line" ? Plot.lineY(points, { x: "x", y: "y", stroke: fill }) : Plot.dot(points, { x: "x", y: "y", r: 2.5, fill, fillOpacity: 0.6 })] },
            words: points.slice(0, 100).map((point) => [integer(point.x), integer(point.y)]),
        };
    }
    const all = columns[display.by].type === "text" ? addUp(rows, display.by, display.value) : rows.map((row) => ({ name: String(row[display.by]), amount: number(row, display.value) }));
    const bars = all.slice(0, mostBars);
    const short = (name) => (name.length > 34 ? `${name.slice(0, 32)}…` : name);
    const file = columns[display.by].attribute?.endsWith(".file");
    const label = (bar) => (file ? baseName(bar.name) : bar.name);
    return {
        options: { ...common, height: 26 + 18 * bars.length + 24, marginLeft: 190, marginRight: 70, x: { label: value.title, axis: "top", tickFormat: "s", ...grid }, y: { label: null, domain: bars.map((bar) => bar.name), tickFormat: (name) => short(label({ name })) }, marks: [Plot.barX(bars, { x: "amount", y: "name", fill, title: (bar) => `${bar.name}: ${integer(bar.amount)}` }), Plot.text(bars, { x: "amount", y: "name", text: (bar) => integer(bar.amount), textAnchor: "start", dx: 4, fill: "var(--ink)" })] },
        words: bars.map((bar) => [label(bar), integer(bar.amount)]),
        left: all.length - bars.length,
    };
}

/** A table of one row: what it says. */
export function Facts({ table, row }) {
    return html`<dl class="facts">
        ${table.columns.map((column, number) => !column.hidden && html`<dt>${column.title}</dt>
            <dd>${column.type === "real" ? fixed(row[number]) : column.type === "integer" ? integer(row[number]) : String(row[number] ?? "–")}</dd>`)}
    </dl>`;
}

export function Chart({ table, merged, metric, where, find: wanted }) {
    const display = displayOf(table, metric);
    const frame = useRef();
    const holder = useRef();
    const [width, setWidth] = useState(0);
    const [Plot, setPlot] = useState(null);
    const drawn = !["flame", "heat", "table", "graph", "treemap"].includes(display.kind);
    const kind = display.kind === "graph" || display.kind === "treemap" ? { ...display, kind: "bars" } : display;
    const draws = drawn || kind !== display;
    const path = draws ? `/tables/${table.id}/rows${query({ sort: kind.kind === "bars" ? `-${kind.value}` : "", where, find: wanted, merged: merged ? 1 : "", limit: mostPoints })}` : null;
    const answer = useGet(path);
    useEffect(() => {
        import("../lib/plot.js").then((module) => setPlot(() => module));
    }, []);
    useEffect(() => {
        if (!frame.current) return undefined;
        const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry.contentRect.width)));
        watch.observe(frame.current);
        return () => watch.disconnect();
    }, [draws]);
    const rows = answer.value?.rows ?? [];
    const picture = useMemo(() => (Plot && rows.length > 0 && width > 0 && kind.kind !== "facts" && draws ? marks(Plot, kind, table.columns, rows, width) : null), [Plot, rows, width, kind.kind, kind.value, kind.by]);
    useEffect(() => {
        if (!picture || !holder.current) return undefined;
        const svg = Plot.plot(picture.options);
        svg.setAttribute("aria-hidden", "true");
        holder.current.replaceChildren(svg);
        return () => svg.remove();
    }, [picture]);
    if (!draws) {
        const where_it_is = { flame: "The table is a tree: the tabs Flame graph, Tree and Sandwich show it.", heat: "The counts stand beside the source and the disassembly, on the right." };
        return html`<${Notice}>${where_it_is[display.kind] ?? "Nothing in this table can be drawn: it has no numbers that were counted."}<//>`;
    }
    const title = kind.kind === "facts" ? table.report : `${table.columns[kind.value].title} by ${table.columns[kind.by].title}`;
    return html`<div class="chart" ref=${frame}>
        <${ErrorNotice} error=${answer.error} again=${answer.reload} />
        ${!answer.value && answer.loading && html`<${Waiting} />`}
        ${answer.value && rows.length === 0 && html`<${Notice}>No row fits the filter: there is nothing to draw.<//>`}
        ${kind.kind === "facts" && rows.length > 0 && html`<${Facts} table=${table} row=${rows[0]} />`}
        ${picture &&
        html`<h3>${title}</h3>
            <div ref=${holder}></div>
            <table class="hidden">
                <caption>${title}</caption>
                <tbody>${picture.words.map(([name, amount]) => html`<tr><th scope="row">${name}</th><td>${amount}</td></tr>`)}</tbody>
            </table>`}
        ${picture?.left > 0 && html`<p class="muted">${integer(picture.left)} smaller ones are not drawn.</p>`}
        ${answer.value?.shown > rows.length && html`<p class="muted">Drawn from the ${integer(rows.length)} rows that come first of ${integer(answer.value.shown)}.</p>`}
    </div>`;
}
