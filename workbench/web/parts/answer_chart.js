// answer_chart.js: the answer to a query in SQL as a picture: bars, a line or points of two columns, with a third
// column for several series.
import { brief, integer, fixed } from "./format.js";
import { shortened, widthOf } from "./label.js";
import { Notice } from "./notice.js";
import { html, useEffect, useMemo, useRef, useState } from "../lib/preact.js";

const mostBars = 50;
const mostPoints = 5000;
const kinds = { bars: "bars", line: "line", dots: "points" };

const text = (value) => (value === null || value === undefined || value === "" ? "(none)" : String(value));
const shown = (value) => (Number.isInteger(value) ? integer(value) : fixed(value, 4));

/** The default picture: the last number by the first text, or by the first other number. */
function usual(numbers) {
    const y = numbers.lastIndexOf(true);
    const word = numbers.indexOf(false);
    const x = word >= 0 ? word : numbers.findIndex((_, column) => column !== y);
    return { y, x, kind: word >= 0 ? "bars" : "line" };
}

function draw(Plot, { answer, kind, x, y, series, numeric, width }) {
    const amount = (row) => Number(row[y] ?? 0);
    const style = { background: "transparent", color: "var(--ink)", fontFamily: "var(--sans)", fontSize: "11px" };
    const [horizontal, vertical] = [answer.columns[x], answer.columns[y]];
    const color = series >= 0 ? { color: { legend: true, scheme: "Observable10" } } : {};
    const stroke = series >= 0 ? (row) => text(row[series]) : "var(--more)";
    if (kind === "bars") {
        const rows = answer.rows.slice(0, mostBars);
        const name = (row) => text(row[x]);
        const short = (words) => shortened(words, 0.38 * width);
        return {
            ...color,
            width,
            style,
            height: 26 + 20 * new Set(rows.map(name)).size + 24,
            marginLeft: 18 + Math.max(...rows.map((row) => widthOf(short(name(row))))),
            marginRight: 70,
            x: { label: vertical, axis: "top", tickFormat: brief, grid: true },
            y: { label: null, domain: [...new Set(rows.map(name))], tickFormat: short },
            marks: [Plot.barX(rows, { x: amount, y: name, fill: stroke, title: (row) => `${name(row)}: ${shown(amount(row))}` }), Plot.ruleX([0])],
        };
    }
    const rows = answer.rows.slice(0, mostPoints).filter((row) => row[x] !== null && row[y] !== null);
    const place = numeric ? (row) => Number(row[x]) : (row) => text(row[x]);
    const points = numeric ? [...rows].sort((left, right) => Number(place(left)) - Number(place(right))) : rows;
    // If there are few values of x, all are labelled; no label is between them.
    const few = [...new Set(points.map(place))];
    const common = { x: place, y: amount, title: (row) => `${text(row[x])}: ${shown(amount(row))}` };
    return {
        ...color,
        width,
        style,
        height: 320,
        marginLeft: 60,
        marginBottom: 40,
        x: { label: horizontal, ...(numeric ? { tickFormat: few.length <= 12 ? shown : brief, ticks: few.length <= 12 ? few : undefined, grid: true } : { type: "point" }) },
        y: { label: vertical, tickFormat: brief, grid: true },
        marks: kind === "line" ? [Plot.lineY(points, { ...common, stroke, z: series >= 0 ? stroke : null }), Plot.dot(points, { ...common, r: 2, fill: stroke })] : [Plot.dot(points, { ...common, r: 2.5, fill: stroke, fillOpacity: 0.6 })],
    };
}

/** `state` has chart (bars, line, dots), x, y, series: numbers of columns; set(values) changes it. `numbers`: which columns are numbers. */
export function AnswerChart({ answer, numbers, state, set }) {
    const frame = useRef();
    const holder = useRef();
    const [width, setWidth] = useState(0);
    const [Plot, setPlot] = useState(null);
    const column = (key, otherwise) => (/^\d+$/.test(state[key] ?? "") && Number(state[key]) < answer.columns.length ? Number(state[key]) : otherwise);
    const first = usual(numbers);
    const y = numbers[column("y", first.y)] ? column("y", first.y) : first.y;
    const x = column("x", first.x);
    const series = column("series", -1);
    const kind = state.chart in kinds ? state.chart : first.kind;
    const drawable = y >= 0 && x >= 0 && answer.rows.length > 0;
    useEffect(() => {
        import("../lib/plot.js").then((module) => setPlot(() => module));
    }, []);
    useEffect(() => {
        if (!frame.current) return undefined;
        const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry.contentRect.width)));
        watch.observe(frame.current);
        return () => watch.disconnect();
    }, [drawable]);
    const options = useMemo(() => (Plot && drawable && width > 0 ? draw(Plot, { answer, kind, x, y, series, numeric: numbers[x], width }) : null), [Plot, answer, kind, x, y, series, width]);
    useEffect(() => {
        if (!options || !holder.current) return undefined;
        const picture = Plot.plot(options);
        picture.setAttribute("aria-hidden", "true");
        holder.current.replaceChildren(picture);
        return () => picture.remove();
    }, [options]);
    if (!drawable) return html`<${Notice} hint="A chart needs a column of numbers, and another column.">There is nothing to draw in this answer.<//>`;
    const choice = (label, key, value, list) => html`<label>${label} <select value=${value} onChange=${(event) => set({ [key]: event.target.value })}>${list}</select></label>`;
    const columns = (test) => answer.columns.map((title, at) => test(at) && html`<option value=${at}>${title}</option>`);
    const left = answer.rows.length - (kind === "bars" ? mostBars : mostPoints);
    return html`<div class="chart answer-chart" ref=${frame}>
        <div class="row">
            ${choice("Draw", "chart", kind, Object.entries(kinds).map(([value, title]) => html`<option value=${value}>${title}</option>`))}
            ${choice("of", "y", y, columns((at) => numbers[at]))} ${choice("by", "x", x, columns(() => true))}
            ${choice("series", "series", series < 0 ? "" : series, [html`<option value="">none</option>`, ...columns((at) => at !== x && at !== y)])}
        </div>
        <div ref=${holder}></div>
        ${left > 0 && html`<p class="muted">${integer(left)} more rows are not drawn.</p>`}
    </div>`;
}
