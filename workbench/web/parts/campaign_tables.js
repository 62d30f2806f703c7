// campaign_tables.js: the collected results of a campaign, as tables and charts. Rows, columns and panels are the
// dimensions in which runs differ. The numbers are the output of `atomc campaign table`.
import { base, query, useGet } from "../api.js";
import { FooterLine, quoteAll } from "./command.js";
import { brief, integer, plural } from "./format.js";
import { ErrorNotice, Notice, Waiting } from "./notice.js";
import { Save } from "./table.js";
import { html, useEffect, useId, useMemo, useRef, useState } from "../lib/preact.js";

export const mostPanels = 24;
const mostSeries = 8;
const symbols = ["circle", "square", "triangle", "diamond", "star", "cross", "wye", "asterisk"];
const ways = { sum: "sum", mean: "mean", geometric: "geometric mean", least: "least", greatest: "greatest" };

export const options = ["value", "where", "report", "rows", "columns", "panels", "over", "summary"];
const titleOf = (entry) => entry.map((text) => (text === "" ? "–" : text)).join(", ");
const panelTitle = ({ dimensions }, entry) => dimensions.map((name, at) => `${name} ${entry[at] === "" ? "–" : entry[at]}`).join(", ");
const inFormula = (column) => (/^[A-Za-z_][A-Za-z0-9_ ]*$/.test(column) ? column : `"${column}"`);

/** The default value: a rate of misses if there is one, else the first column. */
export function usualValue(columns) {
    const has = (title) => columns.some((one) => one.column === title);
    if (has("Misses") && has("References")) return "100 * Misses / References";
    return columns.length ? inFormula(columns[0].column) : "";
}

const number = (value) => (Number.isInteger(value) ? integer(value) : String(Number(value.toPrecision(5))));

function Cell({ cell }) {
    if (cell.runs === 0) return html`<td class="number out" title="left out by the definition"></td>`;
    if (cell.missing > 0) return html`<td class="number missing" title="${cell.missing} of ${cell.runs} ${cell.runs === 1 ? "run is" : "runs are"} not collected">${cell.text}</td>`;
    if (cell.value === null) return html`<td class="number" title="a run has no such value, a division by zero, or a geometric mean of what is not positive">${cell.text}</td>`;
    const spread = cell.spread ? `from ${number(cell.spread[0])} to ${number(cell.spread[1])} in ${plural(cell.runs, "run")}` : undefined;
    if (cell.cut_short > 0) return html`<td class="number" title="${cell.cut_short} of ${cell.runs} ${cell.runs === 1 ? "run" : "runs"} were stopped">${/^-?\d+\*$/.test(cell.text) ? `${integer(cell.text.slice(0, -1))}*` : cell.text}</td>`;
    return html`<td class="number ${spread ? "spread" : ""}" title=${spread}>${/^-?\d+$/.test(cell.text) ? integer(cell.text) : cell.text}</td>`;
}

function PivotTable({ pivot, panel }) {
    const { rows, columns } = pivot;
    const heads = rows.dimensions.length ? rows.dimensions : [""];
    return html`<table class="plain pivot">
        ${pivot.panels.dimensions.length > 0 && html`<caption>${panelTitle(pivot.panels, pivot.panels.entries[panel])}</caption>`}
        <thead>
            <tr>
                ${heads.map((name) => html`<th scope="col">${name || html`<span class="hidden">all</span>`}</th>`)}
                ${columns.entries.map((entry) => html`<th scope="col" class="number">${columns.dimensions.length ? entry.join("/") : "value"}</th>`)}
            </tr>
        </thead>
        <tbody>
            ${rows.entries.map((entry, at) => html`<tr>
                ${(rows.dimensions.length ? entry : ["all"]).map((text) => html`<th scope="row">${text === "" ? html`<span class="muted">–</span>` : text}</th>`)}
                ${pivot.cells[panel][at].map((cell) => html`<${Cell} cell=${cell} />`)}
            </tr>`)}
        </tbody>
        ${pivot.summaries &&
        html`<tfoot>
            <tr>
                <th scope="row" colspan=${heads.length}>${ways[pivot.summary]}</th>
                ${pivot.summaries[panel].map((cell) => html`<${Cell} cell=${cell} />`)}
            </tr>
        </tfoot>`}
    </table>`;
}

// ---- charts ----

/** Places of the columns: numbers if all are, in powers if they span much. */
function axisOf({ dimensions, entries }) {
    const numbers = entries.map((entry) => (dimensions.length === 1 && /^-?\d+(\.\d+)?$/.test(entry[0]) ? Number(entry[0]) : NaN));
    if (entries.length > 1 && numbers.every((number) => Number.isFinite(number))) {
        const [least, greatest] = [Math.min(...numbers), Math.max(...numbers)];
        return { numbers, type: least > 0 && greatest >= 4 * least ? "log" : "linear" };
    }
    return { type: "point" };
}

/** Rows of the table are lines, or bars, of one colour and mark. `against`: the table with the other value: the place of a dot. */
function pointsOf(pivot, panel, axis, against) {
    return pivot.rows.entries.slice(0, mostSeries).flatMap((entry, row) =>
        pivot.columns.entries.flatMap((column, at) => {
            const cell = pivot.cells[panel][row][at];
            const other = against?.cells[panel]?.[row]?.[at];
            if (cell.value === null || (against && (other?.value ?? null) === null)) return [];
            const x = against ? other.value : axis.numbers ? axis.numbers[at] : titleOf(column);
            const place = `${pivot.columns.dimensions.length ? `, ${pivot.columns.dimensions.join(", ")} ${titleOf(column)}` : ""}`;
            const range = cell.spread ? ` (${number(cell.spread[0])} to ${number(cell.spread[1])} in ${plural(cell.runs, "run")})` : "";
            const stopped = cell.cut_short > 0 ? `; ${cell.cut_short} of ${plural(cell.runs, "run")} ${cell.cut_short === 1 ? "was" : "were"} stopped` : "";
            return [{ series: row, name: titleOf(entry), x, y: cell.value, low: cell.spread?.[0], high: cell.spread?.[1], stopped: cell.cut_short > 0,
                text: `${titleOf(entry)}${place}: ${against ? `${other.text}, ` : ""}${cell.text}${range}${stopped}` }];
        }),
    );
}

const short = (number) => (number >= 1024 && number % 1024 === 0 ? `${number / 1024}Ki` : String(number));

/** `logarithmic`: the axis of values has powers of ten, if all values are positive. */
function valueAxis(points, logarithmic) {
    const low = points.map((point) => point.low ?? point.y);
    const high = points.map((point) => point.high ?? point.y);
    const greatest = Math.max(0, ...high);
    const common = { nice: true, grid: true, ticks: 5, tickFormat: greatest >= 1e5 ? brief : undefined };
    if (logarithmic && points.length > 0 && low.every((value) => value > 0)) return { ...common, type: "log", domain: [Math.min(...low), greatest] };
    return { ...common, type: "linear", domain: [Math.min(0, ...low), greatest || 1] };
}

function plotOptions(Plot, { pivot, panel, kind, scale, logarithmic, against, width, colours, style }) {
    const axis = axisOf(pivot.columns);
    const scatter = kind === "scatter";
    const points = pointsOf(pivot, panel, axis, scatter ? against : undefined);
    const all = scale === "own" ? points : pivot.cells.slice(0, mostPanels).flatMap((_, other) => pointsOf(pivot, other, axis, scatter ? against : undefined));
    const label = pivot.columns.dimensions.join(", ") || null;
    const colour = (point) => colours[point.series];
    const tip = (point) => point.text;
    const y = { label: scatter ? pivot.value : null, ...valueAxis(all, logarithmic) };
    const common = { width, height: Math.round(Math.min(360, Math.max(170, width * 0.56))), marginLeft: 52, marginBottom: 36, style };
    const ranges = (options) => Plot.ruleX(points.filter((point) => point.low !== undefined), { y1: "low", y2: "high", stroke: colour, marker: "tick", ...options });
    const zero = y.type === "log" ? [] : [Plot.ruleY([0])];
    if (kind === "bars") {
        const names = pivot.columns.entries.map(titleOf);
        const marks = points.map((point) => ({ ...point, x: axis.numbers ? names[axis.numbers.indexOf(point.x)] : point.x }));
        const bar = { fx: "x", x: "series", y1: y.domain[0] > 0 ? y.domain[0] : 0, y2: "y", title: tip };
        const limits = Plot.ruleX(marks.filter((point) => point.low !== undefined), { fx: "x", x: "series", y1: "low", y2: "high", stroke: "currentColor", marker: "tick" });
        return { ...common, marginBottom: 44, y, x: { axis: null, domain: pivot.rows.entries.slice(0, mostSeries).map((_, at) => at), padding: 0.1 }, fx: { label, domain: names, padding: 0.15 }, marks: [Plot.barY(marks, { ...bar, fill: colour, fillOpacity: (point) => (point.stopped ? 0.4 : 1) }), limits, ...zero] };
    }
    const dots = Plot.dot(points, { x: "x", y: "y", symbol: "series", stroke: colour, fill: (point) => (point.stopped ? "none" : colour(point)), r: 3, title: tip });
    const symbol = { range: symbols.slice(0, mostSeries), domain: symbols.map((_, at) => at), legend: false };
    if (scatter) {
        const spread = all.map((point) => ({ y: point.x }));
        return { ...common, symbol, x: { label: against?.value ?? null, ...valueAxis(spread, logarithmic) }, y, marks: [...zero, ranges({ x: "x" }), dots] };
    }
    const x = axis.numbers ? { label, type: axis.type, base: 2, domain: [Math.min(...axis.numbers), Math.max(...axis.numbers)], inset: 8, ticks: axis.numbers.length > 8 ? 6 : [...new Set(axis.numbers)], tickFormat: short } : { label, type: "point", domain: pivot.columns.entries.map(titleOf) };
    return { ...common, x, y, symbol, marks: [...zero, Plot.line(points, { x: "x", y: "y", z: "series", stroke: colour, strokeWidth: 1.5 }), ranges({ x: "x" }), dots] };
}

const seriesColours = () => symbols.map((_, at) => getComputedStyle(document.documentElement).getPropertyValue(`--series-${at + 1}`).trim());

function usePlot() {
    const [Plot, setPlot] = useState(null);
    useEffect(() => {
        import("../lib/plot.js").then((module) => setPlot(() => module));
    }, []);
    return Plot;
}

function Panel({ Plot, pivot, panel, look, title }) {
    const holder = useRef();
    const [width, setWidth] = useState(0);
    useEffect(() => {
        const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry.contentRect.width)));
        watch.observe(holder.current);
        return () => watch.disconnect();
    }, []);
    useEffect(() => {
        if (!Plot || width < 100) return undefined;
        const colours = symbols.map((_, at) => `var(--series-${at + 1})`);
        const style = { background: "transparent", color: "var(--ink)", fontFamily: "var(--sans)", fontSize: "11px" };
        const svg = Plot.plot(plotOptions(Plot, { ...look, pivot, panel, width, colours, style }));
        svg.setAttribute("aria-hidden", "true");
        holder.current.replaceChildren(svg);
        return () => svg.remove();
    }, [Plot, pivot, panel, look, width]);
    return html`<figure class="panel">
        ${title && html`<figcaption>${title}</figcaption>`}
        <div ref=${holder}></div>
    </figure>`;
}

function Series({ pivot }) {
    const { entries, dimensions } = pivot.rows;
    if (dimensions.length === 0 || entries.length < 2) return null;
    return html`<ul class="legend series" aria-label="Lines by ${dimensions.join(", ")}">
        ${entries.slice(0, mostSeries).map((entry, at) => html`<li><span class="mark" style="background: var(--series-${at + 1})" aria-hidden="true"></span> ${titleOf(entry)}</li>`)}
        ${entries.length > mostSeries && html`<li class="muted">and ${entries.length - mostSeries} more, in the table only</li>`}
    </ul>`;
}

/** All panels as one picture for a paper: black on white, in light and dark pages. */
export function chartSvg(Plot, pivot, look) {
    const name = "http://www.w3.org/2000/svg";
    const [width, across, gap, top] = [340, Math.min(3, Math.min(mostPanels, pivot.panels.entries.length)), 16, 44];
    const colours = seriesColours();
    const style = { background: "white", color: "black", fontFamily: "sans-serif", fontSize: "11px" };
    const whole = document.createElementNS(name, "svg");
    const put = (parent, tag, attributes, text) => {
        const element = parent.appendChild(document.createElementNS(name, tag));
        for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
        if (text !== undefined) element.textContent = text;
        return element;
    };
    const panels = pivot.panels.entries.slice(0, mostPanels);
    const plots = panels.map((_, panel) => Plot.plot(plotOptions(Plot, { ...look, pivot, panel, width, colours, style })));
    const height = Number(plots[0].getAttribute("height")) + 20;
    const lines = Math.ceil(panels.length / across);
    const size = { width: across * (width + gap), height: top + lines * (height + gap) };
    for (const [key, value] of Object.entries({ xmlns: name, ...size, viewBox: `0 0 ${size.width} ${size.height}`, "font-family": "sans-serif", "font-size": 11 })) whole.setAttribute(key, String(value));
    put(whole, "rect", { ...size, fill: "white" });
    put(whole, "text", { x: 4, y: 16, "font-size": 13, "font-weight": "bold" }, look.against ? `${headingOf(pivot)}; against ${look.against.value}` : headingOf(pivot));
    let x = 4;
    if (pivot.rows.dimensions.length && pivot.rows.entries.length > 1)
        pivot.rows.entries.slice(0, mostSeries).forEach((entry, at) => {
            put(whole, "rect", { x, y: 26, width: 10, height: 10, fill: colours[at] });
            put(whole, "text", { x: x + 14, y: 35 }, titleOf(entry));
            x += 30 + 7 * titleOf(entry).length;
        });
    plots.forEach((plot, panel) => {
        const place = put(whole, "g", { transform: `translate(${(panel % across) * (width + gap)}, ${top + Math.floor(panel / across) * (height + gap)})` });
        if (pivot.panels.dimensions.length) put(place, "text", { x: 4, y: 12, "font-weight": "bold" }, panelTitle(pivot.panels, panels[panel]));
        plot.setAttribute("y", "20");
        place.append(plot);
    });
    return new XMLSerializer().serializeToString(whole);
}

const headingOf = (pivot) => `${pivot.value}${pivot.columns.dimensions.length ? `, by ${pivot.columns.dimensions.join(", ")}` : ""}${pivot.over.length ? `; ${ways[pivot.way]} over ${pivot.over.join(", ")}` : ""}`;

function saveAs(text, name, type) {
    const url = URL.createObjectURL(new Blob([text], { type }));
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// ---- all of it ----

function Choice({ label, value, all, change }) {
    const id = useId();
    return html`<div class="field narrow">
        <label for=${id}>${label}</label>
        <select id=${id} value=${value} onChange=${(event) => change(event.target.value)}>
            ${all.map(([key, title]) => html`<option value=${key} selected=${key === value}>${title}</option>`)}
        </select>
    </div>`;
}

/** `runs`: the number of collected runs; `turn` changes when there may be more. */
export function CampaignTables({ name, state, set, dimensions, varying, turn }) {
    const path = `/campaigns/${encodeURIComponent(name)}`;
    const columns = useGet(`${path}/columns?${query({ turn }).slice(1)}`);
    const known = columns.value?.columns ?? [];
    const value = state.value ?? usualValue(known);
    const [typed, setTyped] = useState(value);
    const Plot = usePlot();
    const id = useId();
    useEffect(() => setTyped(value), [value]);
    const asked = query({ value, ...Object.fromEntries(options.slice(1).map((key) => [key, state[key]])) });
    const pivot = useGet(value && columns.value ? `${path}/pivot${asked}&turn=${turn}` : null);
    const shown = pivot.value;
    useEffect(() => {
        if (typed === value) return undefined;
        const timer = setTimeout(() => set({ value: typed }), 400);
        return () => clearTimeout(timer);
    }, [typed]);
    const sides = useMemo(() => dimensions.filter((one) => varying.includes(one) || ["program", "tool"].includes(one)).map((one) => [one, one]), [dimensions, varying]);
    const withOwn = (key) => (state[key] && !sides.some(([one]) => one === state[key]) && state[key] !== "none" ? [[state[key], state[key]], ...sides] : sides);
    const kind = state.chart ?? "lines";
    const otherValue = state.against ?? known.map((one) => inFormula(one.column)).find((one) => one !== value) ?? value;
    const against = useGet(kind === "scatter" && pivot.value ? `${path}/pivot${query({ value: otherValue, ...Object.fromEntries(options.slice(1).map((key) => [key, state[key]])) })}&turn=${turn}` : null);
    const look = useMemo(() => ({ kind, scale: state.scale, logarithmic: state.axis === "log", against: against.value }), [kind, state.scale, state.axis, against.value]);
    const notPositive = state.axis === "log" && shown?.cells.flat(2).some((cell) => cell.value !== null && (cell.spread?.[0] ?? cell.value) <= 0);
    const reports = [...new Set(known.filter((one) => one.report).map((one) => one.report))];
    const file = (form) => `${base}/export/campaigns/${encodeURIComponent(name)}.${form}${asked}`;
    const reportOfRows = state.report ?? known.find((one) => one.report && value.includes(one.column))?.report ?? reports[0];
    const rows = (form) => `${base}/export/campaigns/${encodeURIComponent(name)}.${form}${query({ report: reportOfRows })}`;
    const usual = (key) => shown?.[key]?.dimensions.join(",") || "none";
    const byProgram = () => set({ panels: "program", rows: [...varying].reverse().find((one) => !["program", "input", "repeat", usual("columns")].includes(one)) ?? "none", columns: state.columns });
    if (columns.error) return html`<${ErrorNotice} error=${columns.error} again=${columns.reload} />`;
    if (!columns.value) return html`<${Waiting} />`;
    if (known.every((one) => !one.report)) return html`<${Notice} hint="Runs are collected while they are made, and when they have ended.">No run of this campaign is collected yet: there is nothing to put into a table.<//>`;
    const panels = shown?.panels.entries ?? [];
    const drawn = Math.min(panels.length, mostPanels);
    const words = [["value", value], ...options.slice(1).map((key) => [key, state[key]])].filter(([, word]) => word);
    return html`<${FooterLine} command=${quoteAll(["atomc", "campaign", "table", `campaigns/${name}.json`, ...words.map(([key, word]) => `--${key}=${word}`)])} />
    <div class="campaign-tables stack">
        <div class="row controls">
            <div class="field wide">
                <label for="${id}-value">Value</label>
                <input id="${id}-value" class="mono" list="${id}-columns" autocomplete="off" spellcheck="false" value=${typed} aria-invalid=${pivot.error ? "true" : undefined} aria-describedby="${id}-wrong" onInput=${(event) => setTyped(event.target.value)} />
                <datalist id="${id}-columns">${known.map((one) => html`<option value=${inFormula(one.column)}>${one.report ?? "of each run"}</option>`)}</datalist>
            </div>
            ${reports.length > 1 && html`<${Choice} label="Report" value=${state.report ?? ""} all=${[["", "any"], ...reports.map((one) => [one, one])]} change=${(report) => set({ report })} />`}
            <div class="field">
                <label for="${id}-where">Only rows with</label>
                <input id="${id}-where" class="mono" size="14" autocomplete="off" spellcheck="false" placeholder="COLUMN=VALUE" value=${state.where ?? ""} onChange=${(event) => set({ where: event.target.value.trim() || undefined })} />
            </div>
            <${Choice} label="Rows" value=${state.rows ?? usual("rows")} all=${[...withOwn("rows"), ["none", "none"]]} change=${(rows) => set({ rows })} />
            <${Choice} label="Columns" value=${state.columns ?? usual("columns")} all=${[...withOwn("columns"), ["none", "none"]]} change=${(next) => set({ columns: next })} />
            <${Choice} label="Panels" value=${state.panels ?? "none"} all=${[...withOwn("panels"), ["none", "none"]]} change=${(next) => set({ panels: next === "none" ? undefined : next })} />
            <${Choice} label="Over the rest" value=${state.over ?? "mean"} all=${Object.entries(ways)} change=${(over) => set({ over: over === "mean" ? undefined : over })} />
            <${Choice} label="Last row" value=${state.summary ?? ""} all=${[["", "none"], ...Object.entries(ways)]} change=${(summary) => set({ summary })} />
            <${Choice} label="Chart" value=${kind} all=${[["lines", "lines"], ["bars", "bars"], ["scatter", "two values"], ["none", "none"]]} change=${(chart) => set({ chart: chart === "lines" ? undefined : chart })} />
            ${kind === "scatter" &&
            html`<div class="field">
                <label for="${id}-against">Against</label>
                <input id="${id}-against" class="mono" size="16" list="${id}-columns" autocomplete="off" spellcheck="false" value=${otherValue} onChange=${(event) => set({ against: event.target.value.trim() || undefined })} />
            </div>`}
        </div>
        <div class="row">
            ${varying.includes("program") && state.panels !== "program" && html`<button type="button" class="small" onClick=${byProgram}>One panel a program</button>`}
            ${panels.length > 1 && kind !== "none" && html`<label class="check"><input type="checkbox" checked=${state.scale !== "own"} onChange=${(event) => set({ scale: event.target.checked ? undefined : "own" })} /> one scale for all panels</label>`}
            ${kind !== "none" && html`<label class="check"><input type="checkbox" checked=${state.axis === "log"} onChange=${(event) => set({ axis: event.target.checked ? "log" : undefined })} /> logarithmic axis</label>`}
            <span class="spacer"></span>
            <${Save} list=${[["CSV", file("csv")], ["LaTeX", file("tex")], ["text", file("txt")], ["JSON", file("json")], [`all rows of ${reportOfRows} (CSV)`, rows("rows")], [`all rows of ${reportOfRows} (Parquet)`, rows("parquet")]]} />
            <button type="button" class="small" disabled=${!Plot || !shown || kind === "none" || (kind === "scatter" && !against.value)} onClick=${() => saveAs(chartSvg(Plot, shown, look), `${name}.svg`, "image/svg+xml")}>Save the chart as SVG</button>
        </div>
        <div id="${id}-wrong"><${ErrorNotice} error=${pivot.error ?? against.error} again=${pivot.error ? pivot.reload : against.reload} /></div>
        ${notPositive && kind !== "none" && html`<${Notice}>The axis is not logarithmic, because some values are not positive.<//>`}
        ${!shown && pivot.loading && html`<${Waiting} />`}
        ${shown?.missing > 0 && html`<${Notice} kind="warning">${integer(shown.incomplete)} cells are hatched: ${integer(shown.missing)} of their runs are not collected, and nothing is guessed.<//>`}
        ${shown?.cut_short > 0 && html`<${Notice} kind="warning">Cells with * include stopped runs: a limit or a signal stopped ${integer(shown.cut_short)} of them, and their counts cover only the time before.<//>`}
        ${shown?.absent > 0 && html`<${Notice} kind="warning">${integer(shown.absent)} cells have no value, because one of their runs has none: it has no such row, or was stopped.<//>`}
        ${shown?.undefined > 0 && html`<${Notice} kind="warning">${integer(shown.undefined)} cells have no value: a division by zero, or a geometric mean of values that are not positive.<//>`}
        ${shown &&
        html`<h3 class="heading-of-table">${headingOf(shown)}</h3>
            ${kind !== "none" &&
            html`<${Series} pivot=${shown} />
                <div class="panels ${drawn === 1 ? "one" : ""}">${panels.slice(0, mostPanels).map((entry, panel) => html`<${Panel} key=${entry.join("\n")} Plot=${Plot} pivot=${shown} panel=${panel} look=${look} title=${panelTitle(shown.panels, entry)} />`)}</div>
                ${panels.length > mostPanels && html`<${Notice}>The first ${mostPanels} of ${integer(panels.length)} panels are drawn; the tables have all.<//>`}`}
            <div class="tables-of-panels">${panels.map((entry, panel) => html`<${PivotTable} key=${entry.join("\n")} pivot=${shown} panel=${panel} />`)}</div>`}
    </div>`;
}
