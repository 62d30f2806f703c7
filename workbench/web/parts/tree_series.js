// tree_series.js: the tree of calls of a range of time.
//     useRangeTree(series, metrics, range): { answer, begin, end, is_level, title }: the tree of a range "FROM-LAST"; series: of seriesOf
//     RangeSaid: what the range means; NoStacks: how to have stacks by time
import { get, query, useGet } from "../api.js";
import { html, useEffect, useState } from "../lib/preact.js";
import { CopyButton, quote, quoteAll } from "./command.js";
import { integer } from "./format.js";
import { ErrorNotice, Notice } from "./notice.js";
import { intervalOf, pageOfStacks, treeOfStacks } from "./tree_stacks.js";

const mostRows = 10000; // of one answer

/** All rows of one time. */
async function rowsAt(series, time, signal) {
    const rows = [];
    for (;;) {
        const answer = await get(`/tables/${series.table.id}/rows${query({ where: `${series.time}=${time}`, sort: series.stack, offset: rows.length || "", limit: mostRows, totals: 0 })}`, { signal });
        rows.push(...answer.rows);
        if (answer.rows.length < mostRows) return rows;
    }
}

/** The latest time that the condition selects; undefined: there is none. */
async function latest(series, where, signal) {
    const answer = await get(`/tables/${series.table.id}/rows${query({ where: `${series.time}${where}`, sort: `-${series.time}`, limit: 1, totals: 0 })}`, { signal });
    return answer.rows[0]?.[series.time];
}

export function useRangeTree(series, metrics, range) {
    const [state, setState] = useState(/** @type {any} */ ({}));
    const [, from, last] = /^(-?\d+)-(-?\d+)$/.exec(range ?? "") ?? [];
    const key = series && metrics.length > 0 && from !== undefined ? `${series.table.id} ${from} ${last} ${metrics.map((one) => one.title)}` : "";
    useEffect(() => {
        if (!key) return undefined;
        const control = new AbortController();
        const read = async () => {
            const titled = (title) => series.table.columns.findIndex((column, at) => at > 0 && column.title === title && column.role === "measure");
            const begin = await latest(series, `<${from}`, control.signal);
            const end = await latest(series, `<=${last}`, control.signal);
            const none = [];
            const rows = end === undefined ? none : await rowsAt(series, end, control.signal);
            const before = begin === undefined ? none : await rowsAt(series, begin, control.signal);
            return { ...treeOfStacks(rows, before, series.stack, metrics.map((one) => titled(one.title)), metrics), begin: begin ?? 0, end };
        };
        read().then(
            (value) => setState({ key, ...value }),
            (error) => error.name === "AbortError" || setState({ key, error }),
        );
        return () => control.abort();
    }, [key]);
    return key ? (state.key === key ? { ...state, title: series.table.columns[series.time].title } : { loading: true }) : null;
}

// ---- what is said ----

/** There are no stacks by time: how to have them. `start(text)`: makes a run with that page. */
export function NoStacks({ run, start, small = false, children }) {
    const [error, setError] = useState(null);
    const [busy, setBusy] = useState(false);
    const figures = useGet(`/runs/figures${query({ runs: run.id })}`);
    const { job } = run;
    const given = (run.tools ?? []).find((tool) => tool.name === "bbv")?.parameters?.find((one) => one.name === "interval")?.value;
    const main = figures.value?.runs[run.id]?.main;
    const page = pageOfStacks(intervalOf(Number(given), main?.title === "Instructions" ? Number(main.value) : 0, run.seconds));
    const words = ["atomc", "run", ...(job?.objects && job.objects !== "main" ? [`--objects=${job.objects}`] : []), "-e", page, "--", run.program_path, ...(run.arguments ?? [])];
    const command = `${quoteAll(words)}${run.input ? ` <${quote(run.input)}` : ""}`;
    const again = async () => {
        setBusy(true);
        try {
            await start(`tool stacks "instructions by calling context, place and time"\n${page}\n`);
        } catch (failed) {
            setError(failed);
            setBusy(false);
        }
    };
    const shown = html`<pre class="stacks-command" tabindex="0">${command}</pre>`;
    const action = html`<div class="row actions">${job?.program && html`<button class="${small ? "small" : "primary"} stacks-by-time" disabled=${busy} onClick=${again}>Run with stacks by time</button>`}<${CopyButton} text=${command} label="Copy the command" /></div>
        ${small ? html`<details><summary>The command</summary>${shown}</details>` : shown}
        <${ErrorNotice} error=${error} />`;
    return html`<${Notice} hint=${small ? undefined : "The tool bbv writes intervals of instructions. A page that counts by $stack writes stacks: every N of COUNTER report ..."} action=${action}>${children}<//>`;
}

/** What a range of time means for the picture. */
export function RangeSaid({ made, titleOfTable, unit, sum, whole, all }) {
    const part = `${made.title} ${integer(made.begin)} to ${integer(made.end ?? made.begin)}`;
    return html`<div class="row tree-range" role="status">
        <span>${made.is_level ? `At ${made.title} ${integer(made.end)}: ${integer(sum)} ${unit}. Counts of ${titleOfTable} become less, so the range has no sum.` : `${part}: ${integer(sum)} of ${integer(whole)} ${unit}`}</span>
        <button class="small" onClick=${all}>All</button>
    </div>`;
}
