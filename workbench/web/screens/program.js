// program.js: a program: its properties, its objects, its procedures with the counts of a run, and one procedure's
// code. State: program; objects, in the form of --objects= (those that a run instruments); find, sort (of the procedures);
// procedure, at (addresses); view (both, mixed, code, graph); run (whose counts are shown: a number, none, or the
// latest); metric.
import { address } from "../address.js";
import { get, query, useGet, useList } from "../api.js";
import { Code } from "../parts/code.js";
import { quoteAll, useCommand } from "../parts/command.js";
import { bytes, fixed, integer, plural } from "../parts/format.js";
import { Graph } from "../parts/graph.js";
import { shortName, useNames } from "../parts/names.js";
import { ErrorNotice, Notice, Waiting } from "../parts/notice.js";
import { titlesOf } from "../parts/program_titles.js";
import { amount } from "../parts/code_rows.js";
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../lib/preact.js";
import { screens } from "../screens.js";

const has = (name) => screens.some((screen) => screen.name === name);
const PAGE = 100; // number of rows in a request
const ROW = 25; // pixels of one

// ---- the program ----

function Facts({ program }) {
    const own = program.objects[0];
    const kind = program.is_static ? "static" : own.is_position_independent ? "dynamic, position-independent" : "dynamic";
    return html`<dl class="facts">
        <dt>File</dt>
        <dd class="mono">${program.path}</dd>
        <dt>Size</dt>
        <dd>${bytes(own.size)}, ${bytes(own.text_size)} of it code</dd>
        <dt>Kind</dt>
        <dd>${program.machine ? `${program.machine}, ` : ""}${kind}${own.interpreter ? html`, started by <span class="mono">${own.interpreter}</span>` : ""}</dd>
        <dt>Build id</dt>
        <dd class="mono">${program.build_id ?? "none"}</dd>
        <dt>Debug information</dt>
        <dd>
            ${own.has_lines
                ? "yes: sources, lines"
                : own.has_symbols
                  ? "no: names of procedures, no sources. Compile with -g to have them."
                  : "no, and it is stripped: procedures have made-up names (proc_at_0x…), and patterns of names find nothing."}
        </dd>
    </dl>`;
}

const lamp = (object) => (object.has_lines ? "symbols, lines" : object.has_symbols ? "symbols" : "stripped");

/** The objects that a run would instrument: check boxes, as --objects=. */
function Objects({ program, chosen, change }) {
    const words = program.objects.map((object, number) => (number === 0 ? "main" : object.name));
    const alone = program.objects.length === 1;
    const set = (word, on) => change(words.filter((one) => (one === word ? on : chosen.includes(one))));
    return html`<table class="plain objects">
            <thead>
                <tr>
                    <th scope="col">Object</th>
                    <th scope="col">Role</th>
                    <th scope="col">It has</th>
                    <th scope="col" class="number">Code</th>
                </tr>
            </thead>
            <tbody>
                ${program.objects.map((object, number) => html`<tr>
                    <td>
                        <label class="check" title=${object.path}
                            ><input type="checkbox" data-object=${words[number]} checked=${chosen.includes(words[number])} disabled=${alone} onChange=${(event) => set(words[number], event.target.checked)} />${object.name}</label
                        >
                    </td>
                    <td>${number === 0 ? "program" : object.role}</td>
                    <td><span class="lamp ${object.has_lines ? "on" : object.has_symbols ? "half" : ""}" aria-hidden="true" />${lamp(object)}</td>
                    <td class="number">${bytes(object.text_size)}</td>
                </tr>`)}
            </tbody>
        </table>
        ${program.missing && html`<${Notice} kind="warning" hint="The program alone can be instrumented.">${program.missing}<//>`}
        ${!alone && html`<p class="muted">What is checked is instrumented, and listed below.</p>`}`;
}

// ---- procedures ----

/** Pages of the list are loaded as they are scrolled into view; a new query starts from the beginning. */
function useRows(path) {
    const [answer, setAnswer] = useState({ path: null, pages: new Map() });
    const asked = useRef({ path: null, pages: new Set() });
    const ask = (page) => {
        if (asked.current.path !== path) asked.current = { path, pages: new Set() };
        if (path === null || asked.current.pages.has(page)) return;
        asked.current.pages.add(page);
        get(`${path}&offset=${page * PAGE}&limit=${PAGE}`).then(
            (value) =>
                asked.current.path === path &&
                setAnswer((before) => ({ path, head: value, pages: new Map(before.path === path ? before.pages : []).set(page, value.rows) })),
            (error) => asked.current.path === path && setAnswer((before) => ({ ...before, path, error })),
        );
    };
    useEffect(() => ask(0), [path]);
    const current = answer.path === path;
    return { head: answer.head, error: current ? answer.error : undefined, row: (index) => answer.pages.get(Math.floor(index / PAGE))?.[index % PAGE], ask, loading: !current };
}

const columns = [
    { key: "name", title: "Procedure" },
    { key: "count", title: "Count", number: true },
    { key: "share", title: "%", number: true, sort: "count" },
    { key: "file", title: "Source" },
    { key: "instructions", title: "Size", help: "instructions in it", number: true },
    { key: "blocks", title: "Blocks", help: "basic blocks in it", number: true },
];

const baseName = (path) => path.slice(path.lastIndexOf("/") + 1);
const nameOf = (row) => row.demangled ?? row.name;
/** Its short form, once the program's names are there. */
const shortOf = (row) => (shortName(row.name) === row.name ? nameOf(row) : shortName(row.name));

function Procedures({ program, objects, state, set }) {
    const [typed, setTyped] = useState(state.find ?? "");
    const box = useRef();
    const [window_, setWindow] = useState({ first: 0, count: 30 });
    const [cursor, setCursor] = useState(-1);
    const path = `/programs/${program.id}/procedures${query({ find: state.find, sort: state.sort, objects: program.objects.length > 1 ? objects.join(",") : "", run: /^\d+$/.test(state.run ?? "") ? state.run : undefined })}`;
    const rows = useRows(path.includes("?") ? path : `${path}?`);
    const { head } = rows;
    const counted = Boolean(head?.metric) && state.run !== "none";
    const total = head?.shown ?? 0;
    useEffect(() => {
        if (typed === (state.find ?? "")) return undefined;
        const timer = setTimeout(() => set({ find: typed || undefined }, { replace: true }), 150);
        return () => clearTimeout(timer);
    }, [typed]);
    useEffect(() => setTyped(state.find ?? ""), [state.find]);
    const look = () => {
        const { scrollTop, clientHeight } = box.current;
        const first = Math.max(0, Math.floor(scrollTop / ROW) - 10);
        setWindow({ first, count: Math.ceil(clientHeight / ROW) + 20 });
    };
    useLayoutEffect(() => {
        const watcher = new ResizeObserver(look);
        watcher.observe(box.current);
        return () => watcher.disconnect();
    }, []);
    useEffect(() => {
        box.current.scrollTop = 0;
        setCursor(-1);
    }, [path]);
    const end = Math.min(total, window_.first + window_.count);
    useEffect(() => {
        for (let page = Math.floor(window_.first / PAGE); page * PAGE < end; page++) rows.ask(page);
    });
    const open = (row) => row && set({ procedure: row.pc, at: undefined });
    const onKey = (event) => {
        const page = Math.floor(box.current.clientHeight / ROW) - 2;
        const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -total, End: total };
        if (event.key === "Enter" && cursor >= 0 && event.target === box.current) open(rows.row(cursor));
        else if (event.key in steps && total > 0) {
            const next = Math.max(0, Math.min(total - 1, cursor + steps[event.key]));
            setCursor(next);
            const top = next * ROW;
            const room = box.current.clientHeight - 2 * ROW;
            if (top < box.current.scrollTop) box.current.scrollTop = top;
            else if (top > box.current.scrollTop + room) box.current.scrollTop = top - room;
        } else return;
        event.preventDefault();
    };
    const sort = state.sort ?? (counted ? "-count" : "own");
    const sortBy = (key) => set({ sort: sort === `-${key}` ? key : `-${key}` }, { replace: true });
    const shownColumns = columns.filter((column) => counted || !["count", "share"].includes(column.key));
    const greatest = counted ? Math.max(1, amount(head.whole)) : 1;
    const cell = (row, { key }) => {
        if (key === "name") return html`<a tabindex="-1" href=${address("program", { ...state, procedure: row.pc, at: undefined })} data-brief title="${nameOf(row)} ${row.pc}">${shortOf(row)}</a>`;
        if (key === "count") return row.count === null ? "" : integer(row.count);
        if (key === "share") return row.count === null ? "" : fixed((100 * amount(row.count)) / greatest, 2);
        if (key === "file") return row.file ? html`<span title="${row.file}:${row.line}">${baseName(row.file)}:${row.line}</span>` : "";
        return integer(row[key]);
    };
    const title = (column) => (column.key === "count" ? head.metric.title : column.title);
    const visible = [];
    for (let index = window_.first; index < end; index++) visible.push(index);
    return html`<section class="pane procedures" aria-label="Procedures">
        <div class="head">
            <h2>Procedures</h2>
            <span class="muted">${head && (head.shown === head.total ? integer(head.total) : `${integer(head.shown)} of ${integer(head.total)}`)}</span>
            ${counted && (has("results") ? html`<a class="chip" href=${address("results", { run: head.run })}>run ${head.run}: ${head.metric.title}</a>` : html`<span class="chip">run ${head.run}: ${head.metric.title}</span>`)}
            <span class="spacer" />
            <input type="search" data-filter class="find" placeholder="find" title="a part of a name or of a file, or an address" aria-label="Find procedures: a part of a name or of a file, or an address" value=${typed} onInput=${(event) => setTyped(event.target.value)} />
        </div>
        <${ErrorNotice} error=${rows.error} />
        <div class="body flush list" ref=${box} tabindex="0" role="region" aria-label="List of procedures: arrows and Enter" onScroll=${look} onKeyDown=${onKey}>
            <table class="plain named">
                <thead>
                    <tr>
                        ${shownColumns.map(
                            (column) => html`<th scope="col" class="${column.number ? "number" : ""} ${column.key}" title=${column.help} aria-sort=${sort.replace("-", "") !== column.key ? undefined : sort[0] === "-" ? "descending" : "ascending"}>
                                <button class="plain" onClick=${() => sortBy(column.sort ?? column.key)}>${title(column)}${sort === `-${column.key}` ? " ▾" : sort === column.key ? " ▴" : ""}</button>
                            </th>`,
                        )}
                    </tr>
                </thead>
                <tbody>
                    ${window_.first > 0 && html`<tr class="filler" style="height: ${window_.first * ROW}px" aria-hidden="true"><td /></tr>`}
                    ${visible.map((index) => {
                        const row = rows.row(index);
                        if (!row) return html`<tr key=${index} class="row-${index}"><td>…</td></tr>`;
                        return html`<tr key=${index} data-procedure=${row.pc} class=${index === cursor ? "cursor" : ""} aria-selected=${row.pc === state.procedure} onClick=${() => open(row)}>
                            ${shownColumns.map(
                                (column) => html`<td class=${[column.number && "number", column.key].filter(Boolean).join(" ")} style=${column.key === "share" && row.count !== null ? `--share: ${(100 * amount(row.count)) / greatest}%` : undefined}>${cell(row, column)}</td>`,
                            )}
                        </tr>`;
                    })}
                    ${total > end && html`<tr class="filler" style="height: ${(total - end) * ROW}px" aria-hidden="true"><td /></tr>`}
                </tbody>
            </table>
            ${head && total === 0 && !rows.loading && html`<${Notice} hint=${state.find ? "The field above finds parts of names and of files, and addresses." : objects.length === 0 ? "Check an object above." : undefined}>${state.find ? `No procedure has '${state.find}' in its name or file.` : "There is no procedure to list."}<//>`}
            ${!head && !rows.error && html`<${Waiting}>Finding procedures …<//>`}
        </div>
    </section>`;
}

// ---- one procedure ----

const views = [
    { key: "both", title: "Source + disassembly" },
    { key: "mixed", title: "Interleaved" },
    { key: "code", title: "Disassembly" },
    { key: "graph", title: "Flow graph" },
];

/** The metric that has values for the most instructions; counts are preferred to shares. */
function fullest(annotation) {
    const known = new Map();
    for (const values of Object.values(annotation?.instructions ?? {})) for (const id of Object.keys(values)) known.set(id, (known.get(id) ?? 0) + 1);
    const rank = (one) => (known.get(one.id) ?? 0) + (one.merge === "sum" ? 0.5 : 0);
    return [...(annotation?.metrics ?? [])].sort((left, right) => rank(right) - rank(left))[0]?.id;
}

/** A metric's name: two tables of a tool may have columns of one title. */
const metricName = (one, all) => `${one.title} (${one.tool}${all.some((other) => other !== one && other.title === one.title && other.tool === one.tool) ? `, by ${{ inst: "instruction" }[one.place] ?? one.place}` : ""})`;

export function Procedure({ program, pc, finding = false, state, set, run }) {
    const { value: procedure, error, loading, reload } = useGet(pc ? `/programs/${program}/procedures/${pc}` : null);
    // The run's rows are identified by procedures of the answer above.
    const annotated = useGet(pc && run && procedure && !loading ? `/runs/${run}/annotation${query({ procedure: pc })}` : null);
    const annotation = annotated.value && !annotated.loading ? annotated.value : undefined;
    const metrics = annotation?.metrics ?? [];
    const metric = useMemo(() => (metrics.some((one) => one.id === state.metric) ? state.metric : fullest(annotation)), [annotation, state.metric]);
    const view = views.some((one) => one.key === state.view) ? state.view : "both";
    useCommand(procedure ? quoteAll(procedure.command) : undefined);
    const current = procedure && !loading ? procedure : undefined;
    const select = (at) => set({ at }, { replace: true });
    const follow = (to) => set({ procedure: to, at: undefined });
    return html`<section class="pane procedure" aria-label="Code">
        <div class="head">
            <div role="tablist" aria-label="How the code is shown">
                ${views.map((one) => html`<button role="tab" aria-selected=${one.key === view} onClick=${() => set({ view: one.key === "both" ? undefined : one.key })}>${one.title}</button>`)}
            </div>
            <span class="spacer" />
            ${metrics.length > 1 && html`<select aria-label="Counts that are shown" value=${metric} onChange=${(event) => set({ metric: event.target.value })}>${metrics.map((one) => html`<option value=${one.id}>${metricName(one, metrics)}</option>`)}</select>`}
            ${current && html`<span class="what"><strong class="mono" data-brief title=${nameOf(current)}>${shortOf(current)}</strong> <span class="muted">· ${current.object_name} · ${plural(current.ninsts, "instruction")} · <span class="mono">${current.pc}</span></span></span>`}
        </div>
        <${ErrorNotice} error=${error} again=${reload} />
        ${annotated.error && html`<${Notice} kind="warning" hint=${annotated.error.error ?? annotated.error.message}>The counts of run ${run} cannot be shown.<//>`}
        ${!pc && !finding && html`<${Notice} hint="Choose one on the left, or press / and type a part of its name.">No procedure is chosen.<//>`}
        ${finding && html`<${Waiting}>Finding main …<//>`}
        ${pc && loading && !error && html`<${Waiting}>Reading the procedure …<//>`}
        ${current &&
        (view === "graph"
            ? html`<${Graph} procedure=${current} annotation=${annotation} metric=${metric} selected=${state.at} onSelect=${select} />`
            : html`<${Code} program=${program} procedure=${current} annotation=${annotation} metric=${metric} mode=${view} selected=${state.at} onSelect=${select} onFollow=${follow} />`)}
    </section>`;
}

// ---- the screen ----

function Chooser({ programs, id, choose }) {
    const titles = titlesOf(programs);
    return html`<select class="chooser" aria-label="Program" value=${id} onChange=${(event) => choose(event.target.value)}>
        ${programs.map((one) => html`<option value=${one.id} title=${one.path}>${titles.get(one.id)}</option>`)}
    </select>`;
}

export default function Program({ state, change }) {
    const list = useList("/programs");
    const programs = list.value?.programs ?? [];
    const id = state.program ?? (programs[0] ? String(programs[0].id) : undefined);
    // One that was opened since: by this page, or by another.
    const unknown = list.value !== undefined && state.program !== undefined && !programs.some((one) => String(one.id) === state.program);
    useEffect(() => {
        if (unknown) list.reload();
    }, [state.program]);
    const { value, error, loading, reload } = useGet(id ? `/programs/${id}` : null);
    useNames(id);
    const program = value && !loading ? value : undefined;
    const set = (more, options) => change({ ...state, program: id, ...more }, options);
    const words = useMemo(() => (program ? program.objects.map((object, number) => (number === 0 ? "main" : object.name)) : []), [program]);
    const chosen = state.objects === "all" ? words : state.objects === undefined ? ["main"] : state.objects.split(",");
    const numbers = words.flatMap((word, number) => (chosen.includes(word) ? [number] : []));
    const setObjects = (next) => set({ objects: next.length === words.length && words.length > 1 ? "all" : next.length === 1 && next[0] === "main" ? undefined : next.join(",") || "none", procedure: state.procedure });
    const latest = useGet(program && state.run === undefined ? `/programs/${id}/procedures?limit=1` : null);
    const run = state.run === "none" ? undefined : (state.run ?? latest.value?.run ?? undefined);
    // Until one is chosen, main is shown: a pane beside a long list is not empty.
    const mains = useGet(program && !state.procedure ? `/programs/${id}/procedures${query({ find: "main", limit: 50 })}` : null);
    const first = mains.loading ? undefined : mains.value?.rows?.find((row) => row.name === "main")?.pc;
    useCommand(program ? quoteAll(["atomc", "--dump=procedures", ...(numbers.length > 1 || numbers[0] > 0 ? [`--objects=${state.objects}`] : []), program.path]) : undefined);
    if (list.value && !id) return html`<h1>Program</h1>
            <${Notice} hint=${html`Open one on the screen <a href=${address("project")}>Project</a>.`}>There is no program in this project yet.<//>`;
    return html`<div class="row">
            <h1>${program?.name ?? "Program"}</h1>
            ${programs.length > 1 && html`<${Chooser} programs=${programs} id=${id} choose=${(next) => change({ program: next })} />`}
            ${program && html`<span class="chip">${program.is_static ? "static" : "dynamic"}</span><span class="chip ${program.objects[0].has_lines ? "good" : "warning"}">${program.objects[0].has_lines ? "debug information" : program.objects[0].has_symbols ? "no debug information" : "stripped"}</span>`}
            <span class="spacer" />
            ${program && has("run") && html`<a class="button primary" href=${address("run", { program: id, objects: state.objects })}>Run a tool</a>`}
        </div>
        <${ErrorNotice} error=${list.error} again=${list.reload} />
        <${ErrorNotice} error=${error} again=${reload} />
        ${program?.changed && html`<${Notice} kind="warning" hint="What is shown is the file that was opened. Open it again to have the new one beside it."><span class="mono">${program.path}</span> has changed${program.runs > 0 ? `: ${program.runs === 1 ? "the run here belongs" : `the ${integer(program.runs)} runs here belong`} to the old one` : ""}.<//>`}
        ${program?.gone && html`<${Notice} kind="warning" hint="The copy in the project is shown."><span class="mono">${program.path}</span> is not there any more.<//>`}
        ${id && !program && loading && html`<${Waiting}>Reading the program …<//>`}
        ${program &&
        html`<div class="columns program">
            <div class="stack">
                <section class="pane" aria-label="Facts and objects">
                    <details class="body facts-and-objects" open=${!state.procedure}>
                        <summary><h2>About ${program.name}</h2></summary>
                        <${Facts} program=${program} />
                        <h3>Objects</h3>
                        <${Objects} program=${program} chosen=${chosen} change=${setObjects} />
                    </details>
                </section>
                <${Procedures} program=${program} objects=${numbers} state=${{ ...state, program: id }} set=${set} />
            </div>
            <${Procedure} program=${id} pc=${state.procedure ?? first} finding=${mains.loading} state=${state} set=${set} run=${run} />
        </div>`}`;
}
