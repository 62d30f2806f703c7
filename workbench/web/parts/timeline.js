// timeline.js: counts by time, as columns, of which a range can be chosen.
//     vectorFiles(run, process): the files of bbv that the run left
//     Timeline({ run, files, range, active, onRange(text), onChoose(name, address) }): bbv's intervals over instructions executed, and
//         the procedures of a range of them as a table. range: "FROM-LAST", numbers of intervals from 0; "": all
//     timeOf(table): the number of the column with the times of a table that was written while the program ran; -1: it has none
//     rangeOf(table, range): the effect of a range of times on the rows: { where, title }; null: all rows
//     TableTimeline({ table, merged, metric, range, onRange(text) }): the sum of a measure at each time; range: "FROM-LAST", times
import { base, get, query, useGet } from "../api.js";
import { useFile } from "./artifact.js";
import { textOf } from "./artifact_data.js";
import { fixed, integer, plural } from "./format.js";
import { bothNames, shortName } from "./names.js";
import { ErrorNotice, Notice, Waiting } from "./notice.js";
import { isMeasure, shown } from "./table.js";
import { columnsOf, costsIn, readVectors, timelineOf } from "./timeline_data.js";
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../lib/preact.js";

const high = 110;
const named = 7; // procedures with a colour of their own
const mostRows = 200;
const mostBytes = 64000000;
const mostTimes = 10000; // the server's limit
const hues = [28, 205, 130, 330, 265, 60, 180];

export function vectorFiles(run, process) {
    const names = (run.tools ?? []).filter((tool) => tool.name === "bbv").map((tool) => (tool.parameters ?? []).find((one) => one.name === "out")?.value ?? "bbv.out");
    return (run.artifacts ?? []).filter((file) => names.includes(file.name) && (!process || String(file.process) === String(process)));
}

/** All procedures of the instrumented objects, in the order of their addresses; none if these objects are not known, or the program
    itself is not one of them: blocks are numbers then. */
function useProcedures(run) {
    const [state, setState] = useState(/** @type {any} */ ({}));
    useEffect(() => {
        let isOver = false;
        const read = async () => {
            const all = [];
            const asked = (run.job?.objects || "main").split(",");
            const known = (await get(`/programs/${run.program}`)).objects;
            const numbers = known.flatMap(({ role, name }, number) => (asked.some((one) => one === "all" || one === name || one === role) ? [number] : []));
            const is_complete = asked.includes("all") || (asked.includes("main") && numbers.length === asked.length);
            if (!is_complete) return all;
            const objects = numbers.join(",");
            for (;;) {
                const { rows } = await get(`/programs/${run.program}/procedures${query({ sort: "pc", objects, offset: all.length || "", limit: 10000 })}`);
                all.push(...rows);
                if (rows.length < 10000) return all;
            }
        };
        read().then(
            (procedures) => isOver || setState({ procedures }),
            (error) => isOver || setState({ error }),
        );
        return () => (isOver = true);
    }, [run.id]);
    return state;
}

/** Columns of the intervals or times `from` to `last` of `many`. bars(column): its parts from below, { share (of the height), colour }. */
function Columns({ many, bars, from, last, label, onRange }) {
    const frame = useRef();
    const [width, setWidth] = useState(0);
    useLayoutEffect(() => {
        const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry.contentRect.width)));
        watch.observe(frame.current);
        return () => watch.disconnect();
    }, []);
    const columns = useMemo(() => columnsOf(many, Math.max(1, Math.floor(width / 4))), [many, width]);
    const parts = useMemo(() => columns.map(bars), [columns, bars]);
    const start = useRef(-1);
    const wide = columns.length > 0 ? width / columns.length : 0;
    const columnAt = (event) => Math.max(0, Math.min(columns.length - 1, Math.floor((event.clientX - frame.current.getBoundingClientRect().left) / wide)));
    const choose = (one, other) => onRange(columns[Math.min(one, other)].from, columns[Math.max(one, other)].last);
    const first = columns.findIndex((column) => column.last >= from);
    const end = columns.findIndex((column) => column.last >= last);
    const onKey = (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (event.ctrlKey || event.altKey || event.metaKey || (!step && event.key !== "Escape")) return;
        event.preventDefault();
        event.stopPropagation();
        if (!step) return onRange(0, many - 1);
        const is_all = first === 0 && end === columns.length - 1;
        const limited = (at) => Math.max(0, Math.min(columns.length - 1, at));
        if (is_all) choose(step > 0 ? 0 : columns.length - 1, step > 0 ? 0 : columns.length - 1);
        else if (event.shiftKey) choose(first, Math.max(first, limited(end + step)));
        else if (first + step >= 0 && end + step < columns.length) choose(first + step, end + step);
    };
    return html`<div
        class="timeline-columns"
        ref=${frame}
        tabindex="0"
        role="application"
        aria-roledescription="timeline"
        aria-label="${label}. Right and left choose the next and the one before, with Shift more and fewer, Escape all."
        data-drawn=${columns.length}
        onPointerDown=${(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            start.current = columnAt(event);
            choose(start.current, start.current);
        }}
        onPointerMove=${(event) => start.current >= 0 && choose(start.current, columnAt(event))}
        onPointerUp=${() => (start.current = -1)}
        onKeyDown=${onKey}
    >
        <svg width=${width} height=${high} aria-hidden="true">
            ${parts.map((list, at) => {
                let y = high;
                const is_chosen = at >= first && at <= end;
                return html`<g style="opacity: ${is_chosen ? 1 : 0.3}">
                    ${list.map(({ share, colour }) => {
                        const tall = high * share;
                        y -= tall;
                        return tall > 0.3 && html`<rect x=${at * wide} y=${y} width=${Math.max(1, wide - (wide > 5 ? 1 : 0))} height=${tall} style="fill: ${colour}" />`;
                    })}
                </g>`;
            })}
        </svg>
    </div>`;
}

export function Timeline({ run, files, range = "", active, onRange, onChoose }) {
    const [at, setAt] = useState(0);
    const file = files[Math.min(at, files.length - 1)];
    const { data, whole, error } = useFile(`${base}/runs/${run.id}/files/${encodeURIComponent(file.path)}`, mostBytes);
    const { procedures, error: unknown } = useProcedures(run);
    const timeline = useMemo(() => (data && procedures ? timelineOf(readVectors(textOf(data) ?? "", whole), procedures) : null), [data, whole, procedures]);
    const total = useMemo(() => (timeline ? costsIn(timeline, 0, timeline.intervals.length - 1) : []), [timeline]);
    const colours = useMemo(() => total.slice(0, named).map(({ entry }, rank) => ({ entry, colour: `hsl(${hues[rank]} 55% 55%)` })), [total]);
    const bars = useMemo(() => {
        const ofEntry = new Map(colours.map(({ entry, colour }) => [entry, colour]));
        return (column) => {
            const costs = costsIn(timeline, column.from, column.last);
            const sum = costs.reduce((all, { count }) => all + count, 0);
            const counts = colours.map(({ entry, colour }) => ({ count: costs.find((one) => one.entry === entry)?.count ?? 0, colour }));
            const others = costs.reduce((all, { entry, count }) => all + (ofEntry.has(entry) ? 0 : count), 0);
            return [...counts, { count: others, colour: "var(--line)" }].map(({ count, colour }) => ({ share: sum > 0 ? count / sum : 0, colour }));
        };
    }, [timeline, colours]);
    const many = timeline?.intervals.length ?? 0;
    const [, one, other] = /^(\d+)-(\d+)$/.exec(range) ?? [];
    const from = Math.min(Number(one ?? 0), Math.max(0, many - 1));
    const last = Math.max(from, Math.min(Number(other ?? many - 1), many - 1));
    const costs = useMemo(() => (many > 0 ? costsIn(timeline, from, last) : []), [timeline, from, last]);
    const choose = (begin, end) => onRange(begin === 0 && end === many - 1 ? "" : `${begin}-${end}`);
    if (error || unknown) return html`<${ErrorNotice} error=${error ?? unknown} />`;
    if (!timeline) return html`<${Waiting}>Reading the intervals …<//>`;
    if (many === 0) return html`<${Notice}>The file has no interval.<//>`;
    const of = new Map(total.map(({ entry, count }) => [entry, count]));
    const sum = costs.reduce((all, { count }) => all + count, 0);
    const begin = timeline.intervals[from].start;
    return html`<div class="timeline">
        ${files.length > 1 && html`<label>Process <select aria-label="Process of the timeline" value=${at} onChange=${(event) => (setAt(Number(event.target.value)), onRange(""))}>${files.map((each, number) => html`<option value=${number}>${each.process}</option>`)}</select></label>`}
        <${Columns} many=${many} bars=${bars} from=${from} last=${last} label="${plural(many, "interval")}" onRange=${choose} />
        <div class="row timeline-said" aria-live="polite">
            <span>${from === 0 && last === many - 1 ? many === 1 ? "the only interval: " : `all ${integer(many)} intervals: ` : from === last ? `interval ${integer(from + 1)} of ${integer(many)}: ` : `intervals ${integer(from + 1)} to ${integer(last + 1)} of ${integer(many)}: `}instructions ${integer(begin + 1)} to ${integer(begin + sum)} of ${integer(timeline.sum)}</span>
            ${(from > 0 || last < many - 1) && html`<button class="small" onClick=${() => onRange("")}>All</button>`}
        </div>
        ${!whole && html`<${Notice}>The file is large: these are the intervals of its first part.<//>`}
        <table class="plain">
            <caption class="hidden">Procedures of the range</caption>
            <thead>
                <tr>
                    <th scope="col">Procedure</th>
                    <th scope="col" class="number">In the range</th>
                    <th scope="col" class="number">%</th>
                    <th scope="col" class="number">In all</th>
                </tr>
            </thead>
            <tbody>
                ${costs.slice(0, mostRows).map(({ entry, count }) => {
                    const { name, pc } = timeline.entries[entry];
                    const colour = colours.find((each) => each.entry === entry)?.colour ?? "var(--line)";
                    return html`<tr aria-selected=${String(name === active)}>
                        <td class="tree-name"><span class="timeline-colour" style="background: ${colour}" aria-hidden="true"></span> ${pc ? html`<button class="plain" data-brief title=${bothNames(name)} onClick=${() => onChoose(name, pc)}>${shortName(name)}</button>` : name}</td>
                        <td class="number">${integer(count)}</td>
                        <td class="number">${fixed(sum > 0 ? (100 * count) / sum : 0)}</td>
                        <td class="number">${integer(of.get(entry) ?? 0)}</td>
                    </tr>`;
                })}
            </tbody>
        </table>
        ${costs.length > mostRows && html`<p class="muted">The first ${integer(mostRows)} of ${integer(costs.length)} procedures.</p>`}
    </div>`;
}

// ---- tables that were written while the program ran ----

/** Of `every N of COUNTER report`, or the column by which a page draws its table as a line. */
export function timeOf({ columns, display }) {
    const every = columns.findIndex((column) => column.attribute === "$every");
    const by = display?.kind === "line" && display.given ? display.columns[1] : -1;
    return every >= 0 || !(by >= 0) || columns[by].type !== "integer" || isMeasure(columns[by]) ? every : by;
}

export function rangeOf(table, range) {
    const [, from, last] = /^(-?\d+)-(-?\d+)$/.exec(range ?? "") ?? [];
    const time = timeOf(table);
    if (from === undefined || time < 0) return null;
    const column = table.columns[time];
    return { where: `${time}>=${from};${time}<=${last}`, title: `${column.title} ${integer(from)}${from === last ? "" : ` to ${integer(last)}`}` };
}

/** The measure that is drawn: the active one, if rows of one time can be added; else the first such one. */
function measureOf({ columns }, metric) {
    const adds = (column) => isMeasure(column) && column.merge === "sum" && !column.hidden;
    return columns[metric] && adds(columns[metric]) ? metric : columns.findIndex(adds);
}

export function TableTimeline({ table, merged, metric, range = "", onRange }) {
    const time = timeOf(table);
    const measure = measureOf(table, metric);
    const answer = useGet(`/tables/${table.id}/facets${query({ column: time, sum: measure >= 0 ? measure : "", order: "value", limit: mostTimes, merged: merged ? 1 : "" })}`);
    const times = useMemo(() => (answer.value?.values ?? []).filter(([value]) => value !== null), [answer.value]);
    const bars = useMemo(() => {
        const amounts = times.map(([, rows, sum]) => Number(measure >= 0 ? (sum ?? 0) : rows));
        const greatest = Math.max(0, ...amounts);
        return ({ from, last }) => [{ share: greatest > 0 ? Math.max(0, ...amounts.slice(from, last + 1)) / greatest : 0, colour: "var(--more)" }];
    }, [times]);
    if (answer.error) return html`<${ErrorNotice} error=${answer.error} again=${answer.reload} />`;
    if (!answer.value) return html`<${Waiting}>Reading the times …<//>`;
    const many = times.length;
    if (many === 0) return html`<${Notice}>The table has no row.<//>`;
    const [, one, other] = /^(-?\d+)-(-?\d+)$/.exec(range) ?? [];
    const place = (found, otherwise) => (found < 0 ? otherwise : found);
    const from = one === undefined ? 0 : place(times.findIndex(([value]) => Number(value) >= Number(one)), many - 1);
    const last = other === undefined ? many - 1 : Math.max(from, place(times.findIndex(([value]) => Number(value) > Number(other)), many) - 1);
    const choose = (begin, end) => {
        const next = begin === 0 && end === many - 1 ? "" : `${times[begin][0]}-${times[end][0]}`;
        if (next !== range) onRange(next);
    };
    const title = table.columns[time].title;
    const what = measure >= 0 ? table.columns[measure].title : "Rows";
    const value = (at) => integer(times[at][0]);
    const amount = (at) => (measure >= 0 ? shown(table.columns[measure], times[at][2]) : integer(times[at][1]));
    return html`<div class="timeline">
        <${Columns} many=${many} bars=${bars} from=${from} last=${last} label="${what} at ${plural(many, "time")}" onRange=${choose} />
        <div class="row timeline-said" aria-live="polite">
            <span>${from === 0 && last === many - 1 ? many === 1 ? "the only time: " : `all ${integer(many)} times: ` : from === last ? `time ${integer(from + 1)} of ${integer(many)}: ` : `times ${integer(from + 1)} to ${integer(last + 1)} of ${integer(many)}: `}${title} ${value(from)}${from === last ? "" : ` to ${value(last)}`}, ${what} ${amount(from)}${from === last ? "" : ` to ${amount(last)}`}</span>
            ${range !== "" && html`<button class="small" onClick=${() => onRange("")}>All</button>`}
        </div>
        ${many === mostTimes && html`<${Notice}>These are the first ${integer(many)} times: the table can have more.<//>`}
    </div>`;
}
