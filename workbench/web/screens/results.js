// results.js: the reports of a run's tools: tables, source and disassembly with counts, call tree, flame graph,
// sandwich, charts. One metric and one procedure are active in all panes. State: run; process (a number; all processes
// together otherwise); table, and of it filter, where, sort, offset; metric (TABLE.COLUMN; or, without it and table, column: the
// title of one); procedure (an address),
// name (its), at (an instruction), line (FILE:LINE, of a row without an address); code (both, mixed, code); view (flame, tree, sandwich, chart, coverage, timeline, facts,
// files); file, as (a file that the run left; as text); chart, chartby (another picture than the report's, and by which
// column); tree (a table); treemetric; node; zoom; search; arranged
// (merged, inverted: of the flame graph), order (in: callees in the order of their first execution), changed (functions in focus, hidden or
// collapsed, of flame graph and tree), around (callers, map, graph: of the sandwich); of the timeline: time (a table, or bbv), range
// (FROM-LAST: times of the table, which also select its rows, or numbers of bbv's intervals); wide, high (of the panes, in per cent).
import { address, go } from "../address.js";
import { base, get, post, query, useGet, useList } from "../api.js";
import { Artifact } from "../parts/artifact.js";
import { Chart } from "../parts/chart.js";
import { Code } from "../parts/code.js";
import { useCommand } from "../parts/command.js";
import { Coverage, firstCovered, traceFiles, useCoverage } from "../parts/coverage.js";
import { Difference, checkedOutput } from "../parts/difference.js";
import { Flame } from "../parts/flame.js";
import { bytes, fixed, integer, moment, plural, seconds, sentence } from "../parts/format.js";
import { bothNames, readable, shortName, useNames } from "../parts/names.js";
import { ErrorNotice, Notice, Waiting } from "../parts/notice.js";
import { RunsTable, stateKind } from "../parts/runs.js";
import { Sandwich } from "../parts/sandwich.js";
import { useWhileShown } from "../parts/shown.js";
import { isMeasure, joined, Save, Table } from "../parts/table.js";
import { Tabs } from "../parts/tabs.js";
import { TableTimeline, Timeline, rangeOf, timeOf, vectorFiles } from "../parts/timeline.js";
import { Tree } from "../parts/tree.js";
import { arranged, hasOrder } from "../parts/tree_arranged.js";
import { changed, changesOf, libraryOf, textOf } from "../parts/tree_changed.js";
import { TreeChanges, changeOfKey, withChange } from "../parts/tree_changes.js";
import { callCosts, labelOf, nameOf, nodeOfName, share, shortOf, treeOf } from "../parts/tree_data.js";
import { NoStacks, RangeSaid, useRangeTree } from "../parts/tree_series.js";
import { seriesOf } from "../parts/tree_stacks.js";
import { html, useEffect, useMemo, useRef, useState } from "../lib/preact.js";
import { stateOfRun } from "./run.js";

// ---- which run ----

function Runs() {
    const runs = useList("/runs?limit=200");
    if (runs.error) return html`<${ErrorNotice} error=${runs.error} again=${runs.reload} />`;
    if (!runs.value) return html`<${Waiting} />`;
    const over = runs.value.runs.filter((run) => run.state === "finished" || run.state === "stopped");
    if (over.length === 0) return html`<${Notice} hint="Project: open a program. Run: choose a tool for it.">There are no results yet.<//>`;
    return html`<section class="pane" aria-label="Runs">
        <div class="head"><h2>Which run?</h2></div>
        <div class="body">
            <${RunsTable} runs=${over} />
        </div>
    </section>`;
}

// ---- panes whose borders are moved ----

/** A border between two panes: dragged, or moved by arrow keys. value: per cent. */
export function Border({ label, upright, value, onChange }) {
    const element = useRef();
    const limited = (percent) => Math.round(Math.min(85, Math.max(15, percent)) * 10) / 10;
    const onDown = (event) => {
        event.preventDefault();
        element.current.setPointerCapture(event.pointerId);
    };
    const onMove = (event) => {
        if (!element.current.hasPointerCapture(event.pointerId)) return;
        const box = element.current.parentElement.getBoundingClientRect();
        onChange(limited(upright ? (100 * (event.clientX - box.left)) / box.width : (100 * (event.clientY - box.top)) / box.height));
    };
    const onKey = (event) => {
        const step = { ArrowLeft: -2, ArrowUp: -2, ArrowRight: 2, ArrowDown: 2 }[event.key];
        if (!step) return;
        event.preventDefault();
        onChange(limited(value + step));
    };
    return html`<div
        class="border ${upright ? "upright" : "level"}"
        ref=${element}
        role="separator"
        tabindex="0"
        aria-label=${label}
        aria-orientation=${upright ? "vertical" : "horizontal"}
        aria-valuenow=${Math.round(value)}
        aria-valuemin="15"
        aria-valuemax="85"
        onPointerDown=${onDown}
        onPointerMove=${onMove}
        onKeyDown=${onKey}
    ></div>`;
}

// ---- what rows say of places ----

const columnWith = (table, test) => table.columns.findIndex(test);
const addressOf = (table) => columnWith(table, (column) => column.type === "address" && (column.role === "key" || column.hidden));
const procedureOf = (table) => ["Procedure", "Caller", "Name"].map((title) => columnWith(table, (column) => column.type === "text" && column.title === title)).find((number) => number >= 0) ?? -1;
const withAttribute = (table, end) => columnWith(table, (column) => column.role !== "measure" && Boolean(column.attribute?.endsWith(end)));
/** The source line of a row: "FILE:LINE"; undefined: it has none. */
function lineOf(table, row) {
    const [file, line] = [withAttribute(table, ".file"), withAttribute(table, ".line")];
    return file >= 0 && line >= 0 && row[file] && row[line] > 0 ? `${row[file]}:${row[line]}` : undefined;
}
const isOfProcedures = (table) => procedureOf(table) >= 0 && !table.tree && table.columns.some((column) => isMeasure(column) && column.merge === "sum");

const countTitled = (table, title) => table.columns.findIndex((column) => isMeasure(column) && !column.hidden && column.title === title);

/** The table that is shown first: the shortest table by procedure, of those with a count of that title if there are such. */
function firstTable(tables, title) {
    const all = tables.filter((table) => !table.tree && table.rows > 0);
    const titled = all.filter((table) => countTitled(table, title) >= 0);
    const rows = titled.length > 0 ? titled : all;
    const byProcedure = rows.filter((table) => isOfProcedures(table) && table.rows > 1).sort((left, right) => left.rows - right.rows);
    return byProcedure[0] ?? rows[0] ?? tables.find((table) => !table.tree) ?? tables[0];
}

/** The count of that title; else counts that add up: the active metric of a table unless another is chosen. */
function firstMetric(table, title) {
    if (countTitled(table, title) >= 0) return countTitled(table, title);
    const sorted = table.columns.findIndex((column) => isMeasure(column) && column.merge === "sum" && !column.hidden);
    return sorted >= 0 ? sorted : table.columns.findIndex((column) => isMeasure(column) && !column.hidden);
}

/** One name for each tab: the report's, and the tool's where reports are called alike. */
function tabTitle(table, tables) {
    const plain = table.report === "-" || table.report === "stderr" ? table.tool : table.report.replace(/\.out\b/, "").replace(/^([^.]*)\.([^.]+)$/, "$1 $2");
    return tables.filter((other) => other.report === table.report && other.tool !== table.tool).length > 0 ? `${table.tool}: ${plain}` : plain;
}

// ---- source and disassembly ----

/** The coverage of lines, as a metric beside the metrics of tables. */
function withCoverage(annotation, coverage) {
    if (!annotation || !coverage?.lines) return annotation;
    const lines = { ...annotation.lines };
    for (const [key, value] of Object.entries(coverage.lines)) lines[key] = { ...lines[key], ...value };
    return { ...annotation, lines, metrics: [...annotation.metrics, coverageMetric] };
}
const coverageMetric = { id: "coverage", tool: "coverage", title: "Executed", unit: "count", merge: "max", total: null, never: true };

/** A job that counts at lines: a tool of the run with its parameter `lines`, else pixie, too. */
function jobWithLines(run) {
    const { program, objects, arguments: words, input, environment, files, isolation, limits, tools } = run.job;
    const off = (tool) => (run.tools ?? []).find((one) => one.name === tool.name)?.parameters?.some((one) => one.name === "lines" && /^(false|0)$/.test(String(one.value)));
    const able = tools.find(off);
    const pixie = { name: "pixie", parameters: { instructions: true } };
    const plain = ({ name, path, parameters }) => ({ ...(path ? { path } : { name }), parameters: name === able?.name ? { ...parameters, lines: true } : parameters });
    return {
        title: able ? `${able.name} with lines` : "pixie, too",
        job: {
            program: { path: program.path, name: program.name },
            objects: objects ?? undefined,
            tools: able ? tools.map(plain) : [...tools.filter((tool) => tool.name !== "pixie").map(plain), pixie],
            arguments: words,
            input: input ? { path: input.path } : undefined,
            environment,
            files: files?.map(({ as, path }) => ({ as, path })),
            isolation,
            limits,
        },
    };
}

function CountAtLines({ run }) {
    const [error, setError] = useState(null);
    const [busy, setBusy] = useState(false);
    if (!run.job?.tools || run.state === "failed") return null;
    const { title, job } = jobWithLines(run);
    const start = async () => {
        setBusy(true);
        try {
            const { id } = await post("/runs", job);
            go("results", { run: id });
        } catch (failed) {
            setError(failed);
            setBusy(false);
        }
    };
    return html`<div class="row actions"><button class="primary count-at-lines" disabled=${busy} onClick=${start}>Count at lines: run ${title}</button></div><${ErrorNotice} error=${error} />`;
}

/** The metric of that id, or that of its report's other table: of the end, or of all times. */
function metricAs(metrics, id, tables) {
    const [, number, column] = /^(\d+)\.(\d+)$/.exec(id ?? "") ?? [];
    const reportOf = (table) => (table?.columns[0]?.attribute === "$every" ? table.report.slice(0, -` by ${table.columns[0].title}`.length) : table?.report);
    const tableAt = (wanted) => tables.find((one) => String(one.id) === String(wanted));
    const table = tableAt(number);
    return metrics.find((one) => one.id === id) ?? metrics.find((one) => table && one.tool === table.tool && one.title === table.columns[column]?.title && reportOf(tableAt(one.table)) === reportOf(table));
}

/** What the chosen range of time means for the counts beside the code. */
function CodeRange({ run, used, table, all }) {
    if (used.range) {
        const { title, begin, end, is_level } = used.range;
        const sum = used.total === null ? "" : `: ${integer(used.total)} ${used.title.toLowerCase()} in all procedures`;
        return html`<div class="row tree-range code-range" role="status">
            <span>${end === null ? `Nothing was counted up to this ${title}.` : is_level ? `At ${title} ${integer(end)}${sum}. Counts of this report become less, so the range has no sum.` : `${title} ${integer(begin)} to ${integer(end)}${sum}`}</span>
            <button class="small" onClick=${all}>All</button>
        </div>`;
    }
    return table
        ? html`<${Notice} kind="warning">These counts are of the whole run, not of the chosen range: processes have times of their own. Choose a process.<//>`
        : html`<${NoStacks} run=${run} small=${true} start=${(text) => runWithStacks(run, text)}>These counts are of the whole run, not of the chosen range: ${used.tool} has no counts at places of these times.<//>`;
}

function CodePane({ run, state, set, metric, calls, coverage, hasPlaces, tables, times, merged }) {
    const pc = state.procedure;
    const procedure = useGet(pc ? `/programs/${run.program}/procedures/${pc}` : null);
    const known = procedure.value && !procedure.loading ? procedure.value.pc : null;
    const timed = state.range && times.table?.columns[timeOf(times.table)].attribute === "$every" ? times.table : undefined;
    const annotation = useGet(known ? `/runs/${run.id}/annotation${query({ procedure: known, process: state.process, ...(timed ? { times: timed.id, range: state.range } : {}) })}` : null);
    const counted = useMemo(() => withCoverage(annotation.value, coverage), [annotation.value, coverage?.lines]);
    const metrics = counted?.metrics ?? [];
    // The column that is active in the tables, if it belongs to instructions; else the metric with the greatest counts.
    const ranged = metrics.filter((one) => one.range);
    const sums = (ranged.length > 0 ? ranged : metrics).filter((one) => one.merge === "sum");
    const busiest = [...sums].sort((left, right) => Number(right.place === "inst") - Number(left.place === "inst") || Number(right.total ?? 0) - Number(left.total ?? 0))[0];
    const active = metricAs(metrics, metric, tables);
    const used = metricAs(metrics, state.codemetric, tables) ?? (coverage?.lines ? coverageMetric : undefined) ?? (ranged.length === 0 || active?.range ? active : undefined) ?? busiest ?? active ?? metrics[0];
    const mode = state.code ?? "both";
    const at = state.at || (state.line ? procedure.value?.instructions.find((one) => `${one.file}:${one.line}` === state.line)?.pc : undefined);
    const modes = [
        { id: "both", title: "Side by side" },
        { id: "mixed", title: "Interleaved" },
        { id: "code", title: "Disassembly" },
    ];
    const follow = (to) => set({ procedure: to, at: "", line: "", name: "" });
    const document = procedure.value;
    const costs = useMemo(() => {
        // Costs of the whole run are not beside counts of a range.
        if (!calls.tree || !document || Boolean(calls.ranged) !== Boolean(used?.range)) return undefined;
        const { tree } = calls;
        const isCaller = tree.address?.length ? (node) => tree.address[node] === document.pc : (node) => nameOf(tree, node) === document.name;
        return callCosts(tree, isCaller, calls.counts);
    }, [calls.tree, document, used?.range]);
    return html`<section class="pane results-code" aria-label="Source and disassembly">
        <div class="head">
            <${Tabs} label="Code" list=${modes} chosen=${mode} choose=${(code) => set({ code: code === "both" ? "" : code })} panel="code-panel" />
            <span class="spacer"></span>
            ${metrics.length > 0 &&
            html`<select aria-label="Counts beside the code" value=${used?.id} onChange=${(event) => set({ codemetric: event.target.value })}>
                ${metrics.map((one) => html`<option value=${one.id}>${one.tool}: ${one.title}</option>`)}
            </select>`}
            ${document && pc && html`<span class="procedure-head"><strong class="procedure-name" data-brief title=${bothNames(document.name)}>${shortName(document.name)}</strong> <span class="muted">${plural(document.instructions.length, "instruction")} · <span class="mono">${document.pc}</span></span></span>`}
        </div>
        ${state.range && pc && known && annotation.value && !annotation.loading && used && html`<${CodeRange} run=${run} used=${used} table=${timed && merged(timed) ? timed : undefined} all=${() => set({ range: "", offset: "" })} />`}
        <div class="body flush" id="code-panel" role="tabpanel" aria-label="Code">
            <${ErrorNotice} error=${procedure.error} again=${procedure.reload} />
            ${annotation.error && !procedure.error && html`<${ErrorNotice} error=${annotation.error} again=${annotation.reload} />`}
            ${!pc &&
            (hasPlaces
                ? html`<${Notice} hint="Choose a row of a table, or a box of the flame graph: arrow keys or a click.">No procedure is chosen.<//>`
                : html`<${Notice} action=${html`<${CountAtLines} run=${run} />`}>No table of this run has procedures or lines.<//>`)}
            ${pc && !document && !procedure.error && html`<${Waiting}>Reading the procedure …<//>`}
            ${pc && known && annotation.value && metrics.length === 0 &&
            html`<${Notice} action=${html`<${CountAtLines} run=${run} />`}>No report of this run counts at places of this procedure: source and disassembly are without counts.<//>`}
            ${pc && document && html`<${Code} program=${run.program} procedure=${document} annotation=${known ? counted : undefined} costs=${costs} metric=${used?.id} mode=${mode} selected=${at} onSelect=${(next) => set({ at: next, line: "" }, true)} onFollow=${follow} />`}
        </div>
    </section>`;
}

// ---- the lower pane ----

function RunFacts({ run }) {
    const fact = (name, value) => value !== null && value !== undefined && value !== "" && html`<dt>${name}</dt><dd>${value}</dd>`;
    // atomc's messages are shown first, because a table may be missing.
    return html`${(run.diagnostics ?? []).map((one) => html`<${Notice} kind=${one.severity === "error" ? "error" : one.severity === "warning" ? "warning" : "note"} hint=${one.hint}>${one.message}<//>`)}
        <dl class="facts">
            ${fact("Program", html`<span class="mono">${run.program_path}</span>`)} ${fact("Arguments", html`<span class="mono">${(run.arguments ?? []).join(" ") || "none"}</span>`)}
            ${fact("Input", html`<span class="mono">${run.input || "none"}</span>`)} ${fact("State", `${run.state}${run.reason ? `: ${run.reason}` : ""}`)}
            ${fact("Exit status", run.exit_status)} ${fact("Signal", run.signal)} ${fact("Instrumented in", seconds(run.instrument_seconds))}
            ${fact("Run in", run.seconds === null ? "" : `${seconds(run.seconds)} (${seconds(run.cpu_seconds)} of CPU)`)} ${fact("Memory", run.peak_kb ? bytes(1024 * run.peak_kb) : "")}
            ${fact("When", moment(Date.parse(run.started)))} ${fact("Isolation", run.isolation === "plain" ? "none: counts can depend on the folder's name" : run.isolation)}
            ${fact("Output", checkedOutput(run))}
            ${fact("Repeatable", run.repeatable === null ? "not tried" : run.repeatable ? "yes" : `no: ${(run.differs ?? []).join(", ")}`)} ${fact("Emulator", run.emulator)} ${fact("atomc", run.atomc)}
        </dl>
        ${(run.notes ?? []).map((note) => html`<${Notice}>${note}<//>`)}
        ${(run.tools ?? []).map((tool) => html`<h3>${tool.name}</h3>
            <dl class="facts">${(tool.parameters ?? []).map((one) => fact(`${one.name}${one.given ? "" : " (default)"}`, String(one.value) === "" ? "(empty)" : String(one.value)))}</dl>`)}`;
}

function Files({ run, state, set }) {
    const files = run.artifacts ?? [];
    const chosen = files.find((file) => file.path === state.file);
    if (chosen) return html`<${Artifact} key=${chosen.path} run=${run} file=${chosen} as=${state.as} set=${set} />`;
    const all = html`<p><a class="button small" href="${base}/export/runs/${run.id}.tar.zst" download>Save the whole run</a> <span class="muted">its folder with all tables and files, as .tar.zst: for a colleague's <em>Import result</em></span></p>`;
    if (files.length === 0) return html`<${Notice}>The run left no files beside its tables.<//>${all}`;
    return html`${all}<table class="plain">
        <thead>
            <tr>
                <th scope="col">File</th>
                <th scope="col">What it is</th>
                <th scope="col" class="number">Process</th>
                <th scope="col" class="number">Size</th>
                <th scope="col"><span class="hidden">What to do</span></th>
            </tr>
        </thead>
        <tbody>
            ${files.map((file) => html`<tr>
                <td class="mono" title="${run.folder}/${file.path}"><button class="plain" onClick=${() => set({ file: file.path, as: "" })}>${file.name.trim()}</button></td>
                <td>${file.format === "output" ? `what the program wrote to ${file.name.trim()}` : file.format}</td>
                <td class="number">${file.process || ""}</td>
                <td class="number">${bytes(file.bytes)}</td>
                <td><a class="button small" href="${base}/runs/${run.id}/files/${encodeURIComponent(file.path)}" download aria-label="Save ${file.name.trim()}">Save</a></td>
            </tr>`)}
        </tbody>
    </table>`;
}

/** Other orders of the flame graph. */
const arrangements = [
    { id: "inverted", title: "Inverted", help: "The procedures that have the counts are on top, their callers below them" },
    { id: "merged", title: "Merge recursion", help: "A call of a procedure that is active already belongs to its first activation" },
];

const noTree = html`<${Notice} hint="hiprof writes one, and so do tools that count by $stack."
    >No report of this run is a tree of calls.<//
>`;

const noMetrics = [];

/** The tree of calls that is shown, for all panes: { trees, table, answer, metrics, at, tree, counts, series, ranged }; counts: calls of
    each node; series: the same tree at all times; ranged: what the chosen range made of it; whole: its sum without the range. */
function useCalls(tables, merged, times, state, known) {
    const trees = tables.filter((one) => one.tree);
    const table = trees.find((one) => String(one.id) === state.tree) ?? trees[0];
    const whole = useGet(table ? `/tables/${table.id}/tree${query({ merged: merged(table) ? 1 : "" })}` : null);
    // While another tree is loading, the value is that of the one before.
    const metrics = (!whole.loading && whole.value?.metrics) || noMetrics;
    const at = Math.max(0, metrics.findIndex((one) => String(one.column) === state.treemetric));
    // A range is one of times of this table, or of another table of the same tool that was written at the same times.
    const series = useMemo(() => seriesOf(tables, table), [tables, table]);
    const timed = times.table;
    const is_of_series = Boolean(series && timed && timed.tool === series.table.tool && timed.columns[timeOf(timed)].attribute === "$every" && timed.columns[timeOf(timed)].title === series.table.columns[series.time].title && !merged(series.table));
    const ranged = useRangeTree(is_of_series ? series : undefined, metrics, state.range);
    const answer = ranged ? { value: ranged.answer, error: ranged.error, loading: ranged.loading, reload: whole.reload } : whole;
    const tree = useMemo(() => (answer.value && metrics.length > 0 ? treeOf(answer.value, at, readable, shortName) : null), [answer.value, at, known]);
    const sum = useMemo(() => (metrics[at]?.values ?? []).reduce((all, value) => all + Number(value ?? 0), 0), [metrics, at]);
    return { trees, table, answer, metrics, at, tree, series, ranged, whole: sum, counts: answer.value?.metrics.find((one) => one.title === "Calls")?.values };
}

/** The same run with a page that writes stacks by time. */
async function runWithStacks(run, text) {
    const { program, objects, arguments: words, input, environment, files, isolation, limits } = run.job;
    const { path } = await post("/drafts", { name: "stacks.atd", text, c: {} });
    const { id } = await post("/runs", {
        program: { path: program.path, name: program.name },
        objects: objects ?? undefined,
        tools: [{ path }],
        arguments: words,
        input: input ? { path: input.path } : undefined,
        environment,
        files: files?.map(({ as, path: from }) => ({ as, path: from })),
        isolation,
        limits,
    });
    go("results", { run: id, view: "timeline" });
}

/** What was written by intervals: { vectors (bbv's files), tables, table }; table: the one whose times are shown; undefined: bbv's are. */
function timesOf(run, rows, table, state) {
    const vectors = run.program ? vectorFiles(run, state.process) : [];
    const tables = rows.filter((one) => timeOf(one) >= 0);
    const chosen = tables.find((one) => String(one.id) === state.time);
    const is_of_bbv = vectors.length > 0 && (!state.time || state.time === "bbv" || !chosen);
    return { vectors, tables, table: is_of_bbv ? undefined : (chosen ?? tables.find((one) => one === table) ?? tables[0]) };
}

/** The state of another table has none of this one's. */
const ofTable = (id) => ({ table: String(id), sort: "", where: "", filter: "", offset: "", metric: "", chart: "", chartby: "" });

function Times({ times, run, table, merged, metric, state, set, active, chooseProcedure, chart }) {
    const { vectors, tables, table: timed } = times;
    if (!timed && vectors.length === 0) return html`<${NoStacks} run=${run} start=${(text) => runWithStacks(run, text)}>Nothing of this run was written by intervals.<//>`;
    const choose = (id) => set({ time: id, range: "", ...(id === "bbv" ? {} : ofTable(id)) });
    const onRange = (range) => set({ range, offset: "", time: timed ? String(timed.id) : state.time, ...(timed && timed !== table ? ofTable(timed.id) : {}) }, true);
    return html`${vectors.length + tables.length > 1 &&
        tables.length > 0 &&
        html`<div class="row timeline-choice"><label>Intervals of <select aria-label="Intervals of" value=${timed ? String(timed.id) : "bbv"} onChange=${(event) => choose(event.target.value)}>
                  ${vectors.length > 0 && html`<option value="bbv">bbv: instructions by procedure</option>`}
                  ${tables.map((one) => html`<option value=${String(one.id)}>${one.tool}: ${one.report}</option>`)}
              </select></label></div>`}
        ${timed
            ? html`<${TableTimeline} key=${timed.id} table=${timed} merged=${merged(timed)} metric=${timed === table ? metric : -1} range=${state.range} onRange=${onRange} />
                  ${timed === table && html`<div class="timeline-chart">${chart}</div>`}`
            : html`<${Timeline} key=${state.process} run=${run} files=${vectors} range=${state.range} active=${active} onRange=${onRange} onChoose=${(next, pc) => chooseProcedure({ name: next, pc })} />`}`;
}

function Lower({ run, view, calls, coverage, merged, table, metric, times, range, state, set, chooseProcedure, chooseRow }) {
    const { trees, table: treeTable, answer, metrics, at, tree, ranged } = calls;
    const views = [
        { id: "flame", title: "Flame graph" },
        { id: "tree", title: "Tree" },
        { id: "sandwich", title: "Sandwich" },
        { id: "chart", title: "Chart" },
        ...(coverage ? [{ id: "coverage", title: "Coverage" }] : []),
        { id: "timeline", title: "Timeline" },
        { id: "facts", title: "Facts" },
        { id: "files", title: "Files", count: (run.artifacts ?? []).length },
    ];
    const [search, setSearch] = useState(state.search ?? "");
    useEffect(() => setSearch(state.search ?? ""), [state.search]);
    useEffect(() => {
        if (search === (state.search ?? "")) return undefined;
        const timer = setTimeout(() => set({ search }, true), 250);
        return () => clearTimeout(timer);
    }, [search]);
    const name = state.name;
    const save = (form) => `${base}/export/tables/${treeTable.id}.${form}${query({ merged: merged(treeTable) ? 1 : "" })}`;
    const arrangement = (state.arranged ?? "").split(",").filter((word) => arrangements.some((one) => one.id === word));
    const arrange = (word) => set({ arranged: (arrangement.includes(word) ? arrangement.filter((one) => one !== word) : [...arrangement, word]).join(","), zoom: "", node: "" });
    const usesTree = view === "flame" || view === "tree" || view === "sandwich";
    const changes = useMemo(() => changesOf(state.changed), [state.changed]);
    const change = (list) => set({ changed: textOf(list), zoom: "", node: "" });
    const is_changeable = tree && (view === "flame" || view === "tree");
    // Libraries are known by addresses of rows.
    const objects = useGet(is_changeable && answer.value?.address?.length && run.program ? `/programs/${run.program}` : null).value?.objects;
    const library = useMemo(() => libraryOf(objects), [objects]);
    const libraries = useMemo(() => Boolean(is_changeable && objects && answer.value.address?.some((one) => library(one))), [tree, is_changeable, library]);
    const isOrdered = state.order === "in" && view === "flame" && tree && hasOrder(answer.value) && !merged(treeTable);
    const made = useMemo(() => (is_changeable && changes.length > 0 ? changed(answer.value, changes, at, library) : answer.value), [tree, is_changeable, changes, library]);
    const drawn = useMemo(() => {
        if (!is_changeable) return tree;
        const inOrder = view === "flame" ? arranged(made, { ...Object.fromEntries(arrangement.map((word) => [word, true])), ordered: isOrdered }, at) : made;
        return inOrder === answer.value ? tree : treeOf(inOrder, at, readable, shortName);
    }, [tree, made, view, state.arranged, isOrdered]);
    // A number of a node in the address may be that of another tree: the name decides.
    const inDrawn = (text) => (drawn && /^\d+$/.test(text ?? "") && Number(text) < drawn.count ? Number(text) : -1);
    const chosen = inDrawn(state.node) >= 0 && nameOf(drawn, inDrawn(state.node)) === name ? inDrawn(state.node) : drawn && name ? nodeOfName(drawn, name) : -1;
    // A library that is one node is no procedure.
    const choose = (next) => (drawn.address?.length && !drawn.address[next] ? set({ name: nameOf(drawn, next), node: String(next) }) : chooseProcedure({ name: nameOf(drawn, next), pc: drawn.address?.[next], node: String(next) }));
    const sayInverted = (next) => html`<strong data-brief title=${labelOf(drawn, next)}>${shortOf(drawn, next)}</strong> ${integer(drawn.total[next])} ${(drawn.metric?.title ?? "").toLowerCase()} (${fixed(share(drawn, drawn.total[next]))} %) on this path`;
    const onKey = (event) => {
        const wanted = is_changeable && chosen >= 0 ? changeOfKey(event, name) : undefined;
        if (wanted) change(withChange(changes, wanted));
    };
    const chart = () => html`<${Chart} key=${table.id} table=${table} merged=${merged(table)} metric=${state.metric || state.column ? metric : -1} where=${joined(state.where, range?.where)} kind=${state.chart} by=${state.chartby} change=${set} active=${state.name} onRow=${chooseRow} onName=${(next) => chooseProcedure({ name: next })} />`;
    const notes = [];
    if (is_changeable && state.order === "in" && view === "flame" && !isOrdered)
        notes.push(merged(treeTable) ? "Several processes have no common order: the greatest callee is on the left." : `The rows of ${treeTable.report} have no order of execution: the greatest callee is on the left.`);
    return html`<section class="pane lower" aria-label="Pictures">
        <div class="head">
            <${Tabs} label="Pictures" list=${views} chosen=${view} choose=${(next) => set({ view: next })} panel="lower-panel" />
            <span class="spacer"></span>
            ${usesTree && trees.length > 1 && html`<select aria-label="Tree" value=${treeTable.id} onChange=${(event) => set({ tree: event.target.value, node: "", zoom: "", treemetric: "" })}>${trees.map((one) => html`<option value=${one.id}>${one.tool}: ${one.report}</option>`)}</select>`}
            ${usesTree && metrics.length > 1 && html`<select aria-label="Counts of the tree" value=${metrics[at].column} onChange=${(event) => set({ treemetric: event.target.value })}>${metrics.map((one) => html`<option value=${one.column}>${one.title}</option>`)}</select>`}
            ${view === "flame" && tree && html`<select aria-label="Order of callees" value=${state.order === "in" ? "in" : ""} onChange=${(event) => set({ order: event.target.value, zoom: "", node: "" })}><option value="">Left heavy</option><option value="in">In order</option></select>`}
            ${view === "flame" && tree && arrangements.map((one) => html`<button class="small" aria-pressed=${String(arrangement.includes(one.id))} title=${one.help} onClick=${() => arrange(one.id)}>${one.title}</button>`)}
            ${view === "flame" && tree && html`<input type="search" class="filter" placeholder="search frames" aria-label="Search frames" value=${search} onInput=${(event) => setSearch(event.target.value)} />`}
            ${usesTree && tree && !ranged && html`<${Save} list=${[["folded stacks", save("folded")], ["speedscope", save("speedscope.json")]]} />`}
        </div>
        ${usesTree && ranged && tree && html`<${RangeSaid} made=${ranged} titleOfTable=${treeTable.report} unit=${(metrics[at]?.title ?? "").toLowerCase()} sum=${tree.sum} whole=${calls.whole} all=${() => set({ range: "", offset: "", node: "", zoom: "" })} />`}
        ${usesTree && tree && state.range && !ranged && (calls.series && merged(calls.series.table)
            ? html`<${Notice} kind="warning">The range of time is not that of this picture: processes have times of their own. Choose a process.<//>`
            : html`<${NoStacks} run=${run} small=${true} start=${(text) => runWithStacks(run, text)}>This picture is of the whole run, not of the chosen range: ${treeTable.report} has no stacks of these times.<//>`)}
        ${is_changeable && html`<${TreeChanges} shown=${drawn} name=${name} changes=${changes} whole=${tree.sum} libraries=${libraries} notes=${notes} change=${change} />`}
        <div class="body ${view === "flame" || view === "coverage" || (view === "files" && state.file) ? "flush" : ""}" id="lower-panel" role="tabpanel" aria-label=${views.find((one) => one.id === view)?.title} tabindex="0" onKeyDown=${onKey}>
            ${usesTree && html`<${ErrorNotice} error=${answer.error} again=${answer.reload} />`}
            ${usesTree && trees.length === 0 && noTree} ${usesTree && treeTable && !tree && !answer.error && (answer.loading ? html`<${Waiting} />` : html`<${Notice}>The tree counts nothing that adds up.<//>`)}
            ${usesTree && tree && drawn.count === 0 && (changes.length > 0 ? html`<${Notice} hint="Take a change back.">No call path is left.<//>` : ranged && html`<${Notice}>Nothing was counted in this range.<//>`)}
            ${view === "flame" && tree && drawn.count > 0 && html`<${Flame} tree=${drawn} search=${state.search} zoom=${inDrawn(state.zoom)} selected=${chosen} active=${name} say=${arrangement.includes("inverted") ? sayInverted : undefined} onSelect=${choose} onZoom=${(next) => set({ zoom: next < 0 ? "" : String(next) })} />`}
            ${view === "tree" && tree && drawn.count > 0 && html`<${Tree} tree=${drawn} selected=${chosen} onSelect=${choose} />`}
            ${view === "sandwich" && tree && html`<${Sandwich} tree=${tree} answer=${answer.value} metric=${at} calls=${calls.counts} active=${name} form=${["callers", "map", "graph"].includes(state.around) ? state.around : "lists"} onForm=${(form) => set({ around: form === "lists" ? "" : form })} onSelect=${(next, pc) => chooseProcedure({ name: next, pc })} />`}
            ${view === "chart" && (table ? chart() : html`<${Notice}>There is no table to be drawn.<//>`)}
            ${view === "coverage" && (coverage ? html`<${Coverage} coverage=${coverage} active=${name} onChoose=${(next) => chooseProcedure({ name: next.name })} />` : html`<${Notice} hint="The tool coverage writes one.">This run left no file in lcov's format.<//>`)}
            ${view === "timeline" && html`<${Times} times=${times} run=${run} table=${table} merged=${merged} metric=${metric} state=${state} set=${set} active=${name} chooseProcedure=${chooseProcedure} chart=${table && chart()} />`}
            ${view === "facts" && html`<${RunFacts} run=${run} />`} ${view === "files" && html`<${Files} run=${run} state=${state} set=${set} />`}
        </div>
    </section>`;
}

// ---- the screen ----

/** Processes with their children behind them: [{ process, program, words }]. */
function kin(processes) {
    const known = new Set(processes.map((one) => one.process));
    const roots = processes.filter((one) => !known.has(one.parent));
    const programs = new Set(processes.map((one) => one.program));
    const list = [];
    const put = (one, level) => {
        if (list.some((other) => other.process === one.process)) return;
        const of = roots.length === 1 && level === 0 ? ", the first" : one.parent > 0 ? `, child of ${one.parent}` : "";
        list.push({ ...one, words: `${"\u2003".repeat(level)}${one.process}${of}${programs.size > 1 ? `: ${one.program}` : ""}` });
        processes.filter((child) => child.parent === one.process).forEach((child) => put(child, level + 1));
    };
    [...roots, ...processes].forEach((one) => put(one, 0)); // the second: of numbers that the kernel has used again
    return list;
}

/** The run as a file for others: a page that needs no server, or for another program. */
function Share({ run, tables }) {
    if (tables.length === 0) return null;
    const to = (end) => `${base}/export/runs/${run.id}.${end}`;
    // One table is exported: where there are several, Save as … beside each of them is clear.
    const trees = tables.filter((table) => table.tree);
    const named = tables.filter((table) => !table.tree && timeOf(table) < 0 && procedureOf(table) >= 0 && table.columns.some((column) => isMeasure(column) && column.merge === "sum" && column.type === "integer"));
    const is_tree = trees.length === 1;
    const is_profile = is_tree || (trees.length === 0 && named.length === 1);
    const forms = [["Page (HTML): opens anywhere", to("html")], ["Whole run (.tar.zst): for Import result", to("tar.zst")]];
    if (is_profile) forms.push(["pprof (.pb.gz): go tool pprof", to("pb.gz")], ["callgrind: KCachegrind", to("callgrind")]);
    // Of a tree, or of two tables, atomc export --format=gmon makes a file.
    const titled = (table, ...titles) => titles.every((title) => table.columns.some((column) => column.title === title));
    const called = tables.filter((table) => (table.tree ? titled(table, "PC", "Calls") : titled(table, "Caller's PC", "Callee's PC", "Calls")));
    const counted = tables.filter((table) => !table.tree && titled(table, "PC", "Instructions"));
    if (called.length === 1 && (called[0].tree || counted.length === 1)) forms.push(["gmon.out: gprof", to("gmon.out")]);
    if (is_tree) forms.push(["trace: Perfetto, Chrome", to("trace.json")], ["speedscope", to("speedscope.json")], ["folded stacks", to("folded")]);
    return html`<${Save} label="Share …" small=${false} list=${forms} />`;
}

function Head({ run, tables, processes, state, set }) {
    const given = (run.tools ?? []).flatMap((tool) => (tool.parameters ?? []).filter((one) => one.given).map((one) => `${one.name} = ${one.value}`));
    const serious = (run.diagnostics ?? []).filter((one) => one.severity !== "note");
    return html`<${Difference} run=${run} />${run.ending && html`<${Notice} kind="warning">${run.ending}.<//>`}${run.missing && html`<${Notice} kind="warning">${sentence(run.missing)}<//>`}<div class="row results-head">
        <h1>${run.program_name}</h1>
        <span>${(run.tools ?? []).map((tool) => tool.name).join(" + ")}</span>
        ${given.map((one) => html`<span class="chip">${one}</span>`)}
        ${(run.arguments ?? []).length > 0 && html`<span class="chip mono">${run.arguments.join(" ")}</span>`}
        ${run.input && html`<span class="chip">input: ${run.input.slice(run.input.lastIndexOf("/") + 1)}</span>`}
        <span class="chip ${stateKind(run)}">${run.state}${run.reason ? `: ${run.reason}` : ""}${run.exit_status !== null ? ` · status ${run.exit_status}` : ""}${run.signal ? ` · signal ${run.signal}` : ""}</span>
        ${serious.length > 0 && html`<a class="chip warning" href=${address("results", { ...state, view: "facts" })} title=${serious.map((one) => one.message).join("\n")}>${serious.length === 1 ? "1 message" : `${serious.length} messages`}</a>`}
        ${processes.length > 1 &&
        html`<label for="process">Process</label>
            <select id="process" value=${state.process ?? "all"} onChange=${(event) => set({ process: event.target.value === "all" ? "" : event.target.value, table: "", offset: "", node: "", zoom: "", metric: "", chart: "", chartby: "", time: "", range: "" })}>
                <option value="all">all ${processes.length} (merged)</option>
                ${kin(processes).map((one) => html`<option value=${one.process}>${one.words}</option>`)}
            </select>`}
        <span class="spacer"></span>
        <a class="button" href=${address("run", stateOfRun(run))} title="The form of this run: change it, and run">Run</a>
        <${Share} run=${run} tables=${tables} />
        <a class="button" href=${address("compare", { b: run.id })} title="With the run before this one that has the same program and tool">Compare</a>
        <a class="button" href=${address("results")}>Other runs</a>
    </div>`;
}

/** The address of a procedure, by its name: rows that have none. */
async function findProcedure(program, name) {
    const answer = await get(`/programs/${program}/procedures${query({ find: name, limit: 50 })}`);
    return (answer.rows ?? []).find((row) => row.name === name || row.demangled === name)?.pc;
}

function Run({ run, state, change: changeAddress }) {
    const change = useWhileShown(changeAddress);
    const listed = useGet(`/runs/${run.id}/tables${query({ process: state.process })}`);
    const latest = useRef(state);
    latest.current = state;
    const set = (values, replace = false) => {
        latest.current = { ...latest.current, ...values }; // two changes can come at once: a column is sorted by, and becomes the metric
        change(latest.current, { replace });
    };
    useCommand(run.command);
    const tables = listed.value?.tables ?? [];
    const rows = tables.filter((one) => !one.tree || one.processes === 1);
    const table = rows.find((one) => String(one.id) === state.table) ?? firstTable(rows, state.column);
    const merged = (one) => one.processes > 1;
    const chosenMetric = /^(\d+)\.(\d+)$/.exec(state.metric ?? "");
    const metric = table ? (chosenMetric && Number(chosenMetric[1]) === table.id ? Number(chosenMetric[2]) : firstMetric(table, state.column)) : -1;
    const times = timesOf(run, rows, table, state);
    const range = table && times.table === table ? rangeOf(table, state.range) : null;
    const known = useNames(run.program);
    const calls = useCalls(tables, merged, times, state, known);
    // Until the list of tables is there, no view: what a view chooses first, as Coverage its first procedure, would stay chosen in another one.
    const viewOf = () => (calls.trees.length > 0 ? "flame" : tables.length > 0 ? "chart" : traceFiles(run).length > 0 ? "coverage" : vectorFiles(run).length > 0 ? "timeline" : "chart");
    const shownView = state.view ?? (listed.value ? viewOf() : "");
    const coverage = useCoverage(run, state.process, shownView === "coverage");
    const [wrong, setWrong] = useState(null);

    const chooseProcedure = async (/** @type {{ name?: string, pc?: string, at?: string, line?: string, node?: any }} */ { name, pc, at, line, node }) => {
        setWrong(null);
        set({ name: name ?? "", at: at ?? "", line: line ?? "", node: node ?? latest.current.node, ...(pc ? { procedure: pc } : {}) });
        if (pc || !name) return;
        try {
            const found = await findProcedure(run.program, name);
            if (latest.current.name !== name) return;
            if (found) set({ procedure: found }, true);
            else setWrong(new Error(`'${name}' is no procedure of ${run.program_name}`));
        } catch (error) {
            setWrong(error);
        }
    };
    const place = table ? addressOf(table) : -1;
    const named = table ? procedureOf(table) : -1;
    const chooseRow = (row) => {
        const pc = place >= 0 ? row[place] : undefined;
        const name = named >= 0 ? row[named] : undefined;
        if ((!pc && !name) || pc === "0x0") return; // a row that stands for all has no place
        const whole = place >= 0 && /^proc/.test(table.columns[place].attribute);
        chooseProcedure({ name, pc, at: whole ? "" : pc, line: pc ? "" : lineOf(table, row) });
    };
    const isSelected = (row) => (place >= 0 && row[place] ? row[place] === state.at || (row[place] === state.procedure && !state.at) : named >= 0 && row[named] === state.name && (!state.line || lineOf(table, row) === state.line));
    const view = { sort: state.sort ?? (table && metric >= 0 ? `-${metric}` : ""), where: state.where ?? "", filter: state.filter ?? "", offset: state.offset ?? "" };
    // The busiest procedure is shown at once; beside the coverage, the first of its list.
    const least = shownView === "coverage" && coverage?.tree ? firstCovered(coverage.tree) : undefined;
    useEffect(() => {
        if (least && !state.procedure && !state.name) chooseProcedure({ name: least.name });
    }, [least]);
    const first = useGet(table && !(shownView === "coverage" && coverage) && !state.procedure && !state.name && (place >= 0 || named >= 0) && metric >= 0 ? `/tables/${table.id}/rows${query({ sort: `-${metric}`, limit: 10, totals: 0, merged: merged(table) ? 1 : "" })}` : null);
    useEffect(() => {
        const row = first.value?.rows?.find((one) => place < 0 || one[place] !== "0x0");
        if (!row || first.loading || state.procedure || state.name) return;
        const pc = place >= 0 ? row[place] : undefined;
        const name = named >= 0 ? row[named] : undefined;
        if (pc) set({ procedure: pc, name: name ?? "" }, true);
        else if (name) findProcedure(run.program, name).then((found) => latest.current.procedure || latest.current.name || set({ procedure: found ?? "", name, line: lineOf(table, row) ?? "" }, true), setWrong);
    }, [first.value, first.loading]);

    const wide = Number(state.wide ?? 52);
    const high = Number(state.high ?? 58);
    const drag = useRef(0);
    const later = (values) => {
        cancelAnimationFrame(drag.current);
        drag.current = requestAnimationFrame(() => set(values, true));
    };
    if (listed.error) return html`<${ErrorNotice} error=${listed.error} again=${listed.reload} />`;
    if (!listed.value) return html`<${Waiting} />`;
    const tabs = rows.map((one) => ({ id: String(one.id), title: tabTitle(one, rows), count: merged(one) ? undefined : one.rows, hint: `${one.tool}: ${one.report}` }));
    return html`<${Head} run=${run} tables=${tables} processes=${listed.value.processes} state=${state} set=${set} />
        <${ErrorNotice} error=${wrong} />
        <div class="results" style=${{ "--wide": `${wide}%` }}>
            <div class="results-left" style=${{ "--high": `${high}%` }}>
                <section class="pane tables" aria-label="Tables">
                    ${table
                        ? html`<div class="head"><${Tabs} label="Tables" list=${tabs} chosen=${String(table.id)} choose=${(id) => set(ofTable(id))} panel="table-panel" /></div>
                              <div class="body flush" id="table-panel" role="tabpanel" aria-label=${table.report}>
                                  <${Table}
                                      key=${table.id}
                                      table=${table}
                                      merged=${merged(table)}
                                      view=${view}
                                      change=${(next) => set(next)}
                                      metric=${metric}
                                      selected=${isSelected}
                                      range=${range}
                                      onAll=${() => set({ range: "", offset: "" })}
                                      onSelect=${chooseRow}
                                      onMetric=${(column) => set({ metric: `${table.id}.${column}`, codemetric: "" }, true)}
                                  />
                              </div>`
                        : html`<div class="body">
                              <${Notice} hint=${run.state === "failed" ? "The diagnostics stand under Facts." : (run.artifacts ?? []).length > 0 ? "Files has what it left." : undefined}>This run has no tables.<//>
                          </div>`}
                </section>
                <${Border} label="Height of the tables" upright=${false} value=${high} onChange=${(percent) => later({ high: String(percent) })} />
                <${Lower} run=${run} view=${shownView} calls=${calls} coverage=${coverage} merged=${merged} table=${table} metric=${metric} times=${times} range=${range} state=${state} set=${set} chooseProcedure=${chooseProcedure} chooseRow=${chooseRow} />
            </div>
            <${Border} label="Width of the tables" upright=${true} value=${wide} onChange=${(percent) => later({ wide: String(percent) })} />
            <${CodePane} run=${run} state=${state} set=${set} calls=${calls} coverage=${coverage} tables=${tables} times=${times} merged=${merged} hasPlaces=${tables.some((one) => one.tree || addressOf(one) >= 0 || procedureOf(one) >= 0)} metric=${table && metric >= 0 ? `${table.id}.${metric}` : undefined} />
        </div>`;
}

export default function Results({ state, change }) {
    const run = useGet(/^\d+$/.test(state.run ?? "") ? `/runs/${state.run}` : null);
    const isUnderWay = run.value && !["finished", "stopped", "failed"].includes(run.value.state);
    // Asked again after each answer: a request that takes long must not be given up for the next one.
    useEffect(() => {
        const timer = isUnderWay && setTimeout(run.reload, 500);
        return () => clearTimeout(timer);
    }, [run.value, run.error]);
    if (!/^\d+$/.test(state.run ?? "")) return html`<${Runs} />`;
    if (run.error) return html`<${ErrorNotice} error=${run.error} again=${run.reload} />`;
    if (!run.value || run.loading) return html`<${Waiting} />`;
    if (isUnderWay)
        return html`<${Notice} action=${html`<a class="button primary" href=${address("run", { program: run.value.program, run: run.value.id })}>Watch it</a>`}>Run ${run.value.id} is under way: ${run.value.state}. Its results are shown here when it has ended.<//>`;
    return html`<${Run} key=${run.value.id} run=${run.value} state=${state} change=${change} />`;
}
