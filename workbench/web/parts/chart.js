// chart.js: a table as a picture. Its kind is that of its report (display), or the kind that suits its columns
// (runs/results/display.c), or a kind that the user has chosen. For a large table, the rows with the greatest values
// are drawn, and a note in the picture reports this.
//     Chart({ table, merged, metric, where, find, kind, by, change({ chart, chartby }), active, onRow(row), onName(name) })
// metric: the column that was chosen, -1: that of the report; kind, by: as the address has them, "": those of the report.
import { query, useGet } from "../api.js";
import { warmth } from "./code_rows.js";
import { brief, fixed, integer } from "./format.js";
import { shortened, widthOf } from "./label.js";
import { namesTurn, shortName } from "./names.js";
import { Network, networkOf } from "./network.js";
import { ErrorNotice, Notice, Waiting } from "./notice.js";
import { baseName, isLine, isMeasure, isNumber, wholeOf } from "./table.js";
import { areas } from "./treemap.js";
import { html, useEffect, useMemo, useRef, useState } from "../lib/preact.js";

const mostBars = 25;
const mostPoints = 5000;
const leastHeight = 220;

const titles = { bars: "Bars", treemap: "Treemap", line: "Line", scatter: "Points", histogram: "Histogram", heat: "Heat", graph: "Graph" };
const numbersOf = (columns, test) => columns.flatMap((column, number) => (!column.hidden && test(column) ? [number] : []));
const ends = (column, tail) => (column.attribute ?? "").endsWith(tail);

/** Columns that identify a row's place in the program: numbers, -1: there is none. */
function placeOf({ columns }) {
    const first = (test) => columns.findIndex(test);
    const shown = first((column) => column.type === "text" && (ends(column, "proc.name") || column.title === "Procedure"));
    return {
        name: shown >= 0 ? shown : first((column) => ends(column, "proc.name")),
        file: first((column) => column.type === "text" && (ends(column, ".file") || column.title === "File")),
        line: first(isLine),
        address: first((column) => column.type === "address" && (column.role === "key" || column.hidden)),
    };
}

/** The columns by which a kind of picture can be made; none: the table cannot be drawn in this kind. */
function keysFor(kind, table, value) {
    const { columns } = table;
    const texts = numbersOf(columns, (column) => column.type === "text");
    if (kind === "bars") return [...texts, ...numbersOf(columns, (column) => column.type !== "text" && !isMeasure(column))];
    if (kind === "treemap") return texts;
    if (kind === "line" || kind === "scatter") return numbersOf(columns, isNumber).filter((number) => number !== value);
    return [];
}

/**
 * The way to draw a table: { kind, value, by, to }, numbers of columns. The report's own display, unless a kind, a key
 * or a metric is chosen.
 * @returns {{ kind: string, value?: number, by?: number, to?: number }}
 */
export function displayOf(table, metric, kind = "", by = "") {
    const { columns, display } = table;
    const own = { kind: display.kind, value: display.columns[0], by: display.columns[1], to: display.columns[2] };
    const value = metric >= 0 ? metric : (own.value ?? numbersOf(columns, isMeasure)[0]);
    const wanted = kind || own.kind;
    const keys = keysFor(wanted, table, value);
    const key = keys.includes(Number(by)) && by !== "" ? Number(by) : undefined;
    if (!kind || kind === own.kind) return { ...own, value, by: key ?? own.by };
    const named = keys.find((number) => ends(columns[number], "proc.name") || columns[number].title === "Procedure");
    if (keys.length > 0) return { kind, value, by: key ?? (wanted === "treemap" ? keys.find((number) => ends(columns[number], ".file")) : undefined) ?? named ?? keys[0] };
    return { kind, value };
}

/** The kinds that this table can be drawn as; the report's own is the first. */
export function kindsOf(table, value) {
    const place = placeOf(table);
    const own = table.display.kind;
    const fitting = Object.keys(titles).filter((kind) => keysFor(kind, table, value).length > 0 || (kind === "heat" && (place.address >= 0 || (place.file >= 0 && place.line >= 0))));
    const drawable = table.rows > 1 && value !== undefined ? fitting.filter((kind) => kind !== own) : [];
    return titles[own] ? [own, ...drawable] : drawable;
}

/** Rows of equal names are combined: counts are added, the greatest or least value is kept; other rows remain
    separate. */
function together(rows, nameOf, column, value) {
    const all = new Map();
    rows.forEach((row, index) => {
        const name = nameOf(row);
        const amount = Number(row[value] ?? 0);
        const key = ["sum", "max", "min", "share"].includes(column.merge) ? name : `${index} ${name}`;
        const known = all.get(key);
        if (!known) all.set(key, { key, name, amount, row });
        else known.amount = column.merge === "max" ? Math.max(known.amount, amount) : column.merge === "min" ? Math.min(known.amount, amount) : known.amount + amount;
    });
    return [...all.values()].sort((left, right) => right.amount - left.amount);
}

const textAt = (row, at) => (row[at] === null || row[at] === "" ? "(none)" : shortName(String(row[at])));

/** The same label as in runs/results/chart.c: the procedure, and the line or the address. */
function placeLabel(table) {
    const { name, file, line, address } = placeOf(table);
    const label = numbersOf(table.columns, (column) => !isMeasure(column))[0];
    return (row) => {
        const procedure = name >= 0 ? shortName(row[name] ?? "") : "";
        if (file >= 0 && row[file] && line >= 0 && row[line] > 0) return `${procedure} ${baseName(row[file])}:${row[line]}`.trim();
        if (address >= 0 && row[address]) return `${procedure} ${row[address]}`.trim();
        return procedure || textAt(row, label);
    };
}

/** Rows of several times are apart: "NAME at TIME". */
function apartByTime({ columns }, rows, nameOf) {
    const time = columns.findIndex((column) => column.attribute === "$every");
    return time < 0 || rows.every((row) => row[time] === rows[0][time]) ? nameOf : (row) => `${nameOf(row)} at ${integer(row[time])}`;
}

/** For pictures that add up: of several times, the rows of the last one. */
function ofLastTime({ columns }, rows) {
    const time = columns.findIndex((column) => column.attribute === "$every");
    const last = time < 0 ? 0 : rows.reduce((greatest, row) => Math.max(greatest, Number(row[time])), -Infinity);
    return time < 0 ? rows : rows.filter((row) => Number(row[time]) === last);
}

const shownAmount = (column, amount) => (column.type === "real" ? fixed(amount) : integer(amount));

function axes(Plot, display, columns, rows, common, height) {
    const value = columns[display.value];
    const number = (row, at) => Number(row[at] ?? 0);
    const grid = { grid: true };
    if (display.kind === "histogram") {
        const bins = rows.map((row, index) => ({ index, from: number(row, display.by), to: number(row, display.to), amount: number(row, display.value) })).sort((left, right) => left.from - right.from);
        const label = (bin) => (bin.from === bin.to ? integer(bin.from) : `${integer(bin.from)}–${integer(bin.to)}`);
        return {
            options: { ...common, height, marginBottom: 60, x: { label: null, tickRotate: -30, domain: bins.map(label) }, y: { label: value.title, tickFormat: brief, ...grid }, marks: [Plot.barY(bins, { x: label, y: "amount", fill: "var(--more)", title: (bin) => `${label(bin)}: ${integer(bin.amount)}` }), Plot.ruleY([0])] },
            words: bins.map((bin) => [label(bin), integer(bin.amount)]),
        };
    }
    const x = columns[display.by];
    const points = rows.map((row) => ({ x: number(row, display.by), y: number(row, display.value), row })).sort((left, right) => left.x - right.x);
    const name = numbersOf(columns, (column) => column.type === "text")[0];
    const title = ({ x: across, y: up, row }) => `${name === undefined ? "" : `${textAt(row, name)}: `}${x.title} ${shownAmount(x, across)}, ${value.title} ${shownAmount(value, up)}`;
    return {
        options: {
            ...common,
            height,
            marginLeft: 60,
            marginBottom: 40,
            x: { label: x.title, labelAnchor: "center", tickFormat: brief, ...grid },
            y: { label: value.title, tickFormat: brief, ...grid },
            marks:
                display.kind === "line"
                    ? [Plot.lineY(points, { x: "x", y: "y", stroke: "var(--more)" }), ...(points.length <= 60 ? [Plot.dot(points, { x: "x", y: "y", r: 2.5, fill: "var(--more)" })] : []), Plot.tip(points, Plot.pointerX({ x: "x", y: "y", title }))]
                    : [Plot.dot(points, { x: "x", y: "y", r: 3, fill: "var(--more)", fillOpacity: 0.6, title })],
        },
        words: points.slice(0, 100).map((point) => [shownAmount(x, point.x), shownAmount(value, point.y)]),
    };
}

function marks(Plot, display, table, rows, { width, height }) {
    const { columns } = table;
    const value = columns[display.value];
    const common = { width, style: { background: "transparent", color: "var(--ink)", fontFamily: "var(--sans)", fontSize: "11px" } };
    if (["histogram", "line", "scatter"].includes(display.kind)) return axes(Plot, display, columns, rows, common, height);
    const heat = display.kind === "heat";
    const plain = heat ? placeLabel(table) : (row) => textAt(row, display.by);
    const nameOf = apartByTime(table, rows, plain);
    const all = together(rows, nameOf, value, display.value);
    const bars = all.slice(0, mostBars);
    const greatest = bars[0]?.amount ?? 0;
    const most = Math.floor(0.38 * width);
    // For a place, the file and the line are kept; the rest of the label is shortened.
    const short = (name) => shortened(name, most, heat || nameOf !== plain ? name.length - name.lastIndexOf(" ") - 1 : 0);
    const isFile = !heat && ends(columns[display.by], ".file");
    const label = (bar) => (isFile ? baseName(bar.name) : bar.name);
    const names = new Map(bars.map((bar) => [bar.key, short(label(bar))]));
    const longest = Math.max(...[...names.values()].map(widthOf));
    const fill = heat ? ({ amount }) => `color-mix(in srgb, var(--heat) ${Math.round(20 + 80 * warmth(amount, greatest))}%, var(--paper))` : "var(--more)";
    return {
        options: {
            ...common,
            height: 26 + 18 * bars.length + 24,
            marginLeft: 18 + longest,
            marginRight: 90,
            x: { label: value.title, axis: "top", tickFormat: brief, grid: true },
            y: { label: null, domain: bars.map((bar) => bar.key), tickFormat: (key) => names.get(key) },
            color: { type: "identity" },
            marks: [
                Plot.barX(bars, { x: "amount", y: "key", fill, title: (bar) => `${bar.name}: ${shownAmount(value, bar.amount)}` }),
                Plot.text(bars, { x: "amount", y: "key", text: (bar) => shownAmount(value, bar.amount), textAnchor: "start", dx: 4, fill: "var(--ink)" }),
            ],
        },
        words: bars.map((bar) => [label(bar), shownAmount(value, bar.amount)]),
        rows: bars.map((bar) => bar.row),
        left: all.length - bars.length,
    };
}

/** Areas: drawn here, so that they fit the pane. */
function Areas({ bars, value, width, height, onRow }) {
    const picture = useMemo(() => areas(bars, width, height), [bars, width, height]);
    const sum = bars.reduce((all, { amount }) => all + amount, 0);
    const greatest = bars[0]?.amount ?? 0;
    const fitted = (name, room) => (room > 26 || widthOf(name) <= room ? shortened(name, room) : "");
    return html`<svg class="treemap" width=${width} height=${height} aria-hidden="true">
            ${picture.boxes.map(({ name, amount, bar, head, depth, x, y, width: wide, height: high }) =>
                bar
                    ? html`<g class="treemap-area" onClick=${() => onRow?.(bar.row)}>
                          <title>${bar.name}: ${shownAmount(value, amount)}, ${fixed((100 * amount) / sum, 1)} %</title>
                          <rect x=${x + 0.5} y=${y + 0.5} width=${Math.max(1, wide - 1)} height=${Math.max(1, high - 1)} style="--warm: ${Math.round(10 + 68 * warmth(amount, greatest))}%" />
                          ${high > 15 && html`<text x=${x + 4} y=${y + 13}>${fitted(name, wide - 6)}</text>`}
                          ${high > 30 && wide > 60 && html`<text class="muted" x=${x + 4} y=${y + 27}>${fitted(`${shownAmount(value, amount)} · ${fixed((100 * amount) / sum, 1)} %`, wide - 6)}</text>`}
                      </g>`
                    : html`<g class="treemap-folder level-${Math.min(3, depth)}">
                          <rect x=${x + 0.5} y=${y + 0.5} width=${Math.max(1, wide - 1)} height=${Math.max(1, high - 1)} />
                          ${head && html`<text x=${x + 4} y=${y + 13}>${fitted(name, wide - 6)}</text>`}
                      </g>`,
            )}
        </svg>
        ${picture.left > 0 && html`<p class="muted">${integer(picture.left)} too small to be seen.</p>`}`;
}

/** For a table with a single row: its values as text. */
export function Facts({ table, row }) {
    return html`<dl class="facts">
        ${table.columns.map((column, number) => !column.hidden && html`<dt>${column.title}</dt>
            <dd>${column.type === "real" ? fixed(row[number]) : column.type === "integer" ? integer(row[number]) : String(row[number] ?? "–")}</dd>`)}
    </dl>`;
}

/** Choice of the picture, and of its column. */
function Choice({ table, display, change }) {
    const kinds = kindsOf(table, display.value);
    const keys = keysFor(display.kind, table, display.value);
    if (kinds.length < 2 && keys.length < 2) return null;
    return html`<span class="row chart-choice">
        ${kinds.length > 1 || !kinds.includes(display.kind)
            ? html`<select aria-label="Kind of picture" value=${display.kind} onChange=${(event) => change({ chart: event.target.value === table.display.kind ? "" : event.target.value, chartby: "" })}>
                  ${!kinds.includes(display.kind) && html`<option value=${display.kind}>${display.kind === "table" ? "none" : display.kind}</option>`}
                  ${kinds.map((kind) => html`<option value=${kind}>${titles[kind]}</option>`)}
              </select>`
            : null}
        ${keys.length > 1 && html`<label>${display.kind === "scatter" ? "against" : "by"} <select aria-label="Column of the picture" value=${display.by} onChange=${(event) => change({ chartby: event.target.value })}>${keys.map((number) => html`<option value=${number}>${table.columns[number].title}</option>`)}</select></label>`}
    </span>`;
}

export function Chart({ table, merged, metric, where, find: wanted, kind, by, change, active, onRow, onName }) {
    const display = displayOf(table, metric, kind, by);
    const frame = useRef();
    const holder = useRef();
    const [{ width, height }, setSize] = useState({ width: 0, height: leastHeight });
    const [Plot, setPlot] = useState(null);
    const draws = !["flame", "table"].includes(display.kind) && (display.kind === "facts" || display.value !== undefined);
    const sort = draws && display.kind !== "facts" ? (["line", "histogram"].includes(display.kind) ? `${display.by}` : `-${display.value}`) : "";
    const path = draws ? `/tables/${table.id}/rows${query({ sort, where, find: wanted, merged: merged ? 1 : "", limit: mostPoints })}` : null;
    const answer = useGet(path);
    useEffect(() => {
        import("../lib/plot.js").then((module) => setPlot(() => module));
    }, []);
    useEffect(() => {
        if (!frame.current) return undefined;
        // The pane's size: the picture fills the pane below its heading.
        const pane = frame.current.parentElement;
        const watch = new ResizeObserver(() => {
            if (!frame.current) return;
            const next = { width: frame.current.clientWidth, height: Math.max(leastHeight, pane.clientHeight - 75) };
            setSize((before) => (before.width === next.width && before.height === next.height ? before : next));
        });
        watch.observe(pane);
        return () => watch.disconnect();
    }, [draws]);
    const rows = useMemo(() => (answer.value?.rows ?? []).filter((row) => !wholeOf(table)?.test(row)), [answer.value, table]);
    const plotted = !["facts", "treemap", "graph"].includes(display.kind);
    const picture = useMemo(() => (Plot && rows.length > 0 && width > 0 && plotted && draws ? marks(Plot, display, table, rows, { width, height }) : null), [Plot, rows, width, height, display.kind, display.value, display.by, namesTurn()]);
    const bars = useMemo(() => (display.kind === "treemap" ? together(ofLastTime(table, rows), (row) => textAt(row, display.by), table.columns[display.value], display.value) : []), [rows, display.kind, display.value, display.by, namesTurn()]);
    const network = useMemo(() => (display.kind === "graph" ? networkOf(ofLastTime(table, rows), display.by, display.to, display.value) : null), [rows, display.kind, display.value, display.by, namesTurn()]);
    useEffect(() => {
        if (!picture || !holder.current) return undefined;
        const svg = Plot.plot(picture.options);
        svg.setAttribute("aria-hidden", "true");
        if (picture.rows && onRow)
            svg.querySelectorAll('g[aria-label="bar"] rect').forEach((rect, index) => {
                rect.style.cursor = "pointer";
                rect.addEventListener("click", () => onRow(picture.rows[index]));
            });
        holder.current.replaceChildren(svg);
        return () => svg.remove();
    }, [picture]);
    const choice = html`<${Choice} table=${table} display=${display} change=${change} />`;
    if (!draws)
        return html`<div class="row">${choice}</div>
            <${Notice}>${display.kind === "flame" ? "The table is a tree: the tabs Flame graph, Tree and Sandwich show it." : "No picture of this table was asked for, or it has no numbers that were counted."}<//>`;
    const key = display.kind === "graph" ? `from ${table.columns[display.by].title} to ${table.columns[display.to].title}` : display.kind === "heat" ? "by place" : `${display.kind === "scatter" ? "against" : "by"} ${table.columns[display.by]?.title}`;
    const title = display.kind === "facts" ? table.report : `${table.columns[display.value].title} ${key}`;
    const value = table.columns[display.value];
    const words = picture?.words ?? (network ? network.edges.map((edge) => [`${edge.from} → ${edge.to}`, integer(edge.amount)]) : bars.slice(0, 100).map((bar) => [bar.name, shownAmount(value, bar.amount)]));
    const left = picture?.left ?? network?.left ?? 0;
    return html`<div class="chart" ref=${frame}>
        <${ErrorNotice} error=${answer.error} again=${answer.reload} />
        <div class="row chart-head"><h3>${title}</h3>${choice}</div>
        ${!answer.value && answer.loading && html`<${Waiting} />`}
        ${answer.value && rows.length === 0 && html`<${Notice}>${table.rows === 0 ? "Nothing was executed that this report shows: there is nothing to draw." : "No row fits the filter: there is nothing to draw."}<//>`}
        ${display.kind === "facts" && rows.length > 0 && html`<${Facts} table=${table} row=${rows[0]} />`}
        ${picture && html`<div ref=${holder}></div>`}
        ${display.kind === "treemap" && bars.length > 0 && width > 0 && html`<${Areas} bars=${bars} value=${value} width=${width} height=${height} onRow=${onRow} />`}
        ${network && rows.length > 0 && html`<${Network} network=${network} width=${width} active=${active} onChoose=${(name) => name !== "?" && onName?.(name)} />`}
        ${rows.length > 0 &&
        display.kind !== "facts" &&
        html`<div class="hidden"><table>
            <caption>${title}</caption>
            <tbody>${words.map(([name, amount]) => html`<tr><th scope="row">${name}</th><td>${amount}</td></tr>`)}</tbody>
        </table></div>`}
        ${["treemap", "graph"].includes(display.kind) && ofLastTime(table, rows).length < rows.length && html`<p class="muted">Drawn at the last of these times.</p>`}
        ${left > 0 && html`<p class="muted">${integer(left)} smaller ones are not drawn.</p>`}
        ${answer.value?.shown > answer.value?.rows.length && html`<p class="muted">Drawn from the ${integer(rows.length)} rows that come first of ${integer(answer.value.shown)}.</p>`}
    </div>`;
}
