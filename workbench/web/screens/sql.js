// sql.js: queries in SQL over all runs of the project; the tables and columns are listed on the left. Only queries that
// read are allowed. State: text (the statement), asked (it has been asked), view (table, or chart), chart, x, y, series
// (see parts/answer_chart.js).
import { get, post, remove, useGet } from "../api.js";
import { useCommand, quote } from "../parts/command.js";
import { fixed, integer, plural } from "../parts/format.js";
import { AnswerChart } from "../parts/answer_chart.js";
import { ErrorNotice, Notice, Waiting } from "../parts/notice.js";
import { html, useEffect, useMemo, useRef, useState } from "../lib/preact.js";
import { EditorState, EditorView, defaultKeymap, history, historyKeymap, keymap, lineNumbers } from "../lib/codemirror.js";

const name = (text) => `"${text.replaceAll('"', '""')}"`;

/** The view of a report: place is the project's own. */
const isReport = (table) => table.view && table.name !== "place";

/** Statements that work on the tables of this project. */
function examples(tables) {
    const list = [
        ["All runs", "SELECT run.id, program.name AS program, state, seconds, peak_kb, arguments\nFROM run LEFT JOIN program ON program.id = run.program\nORDER BY run.id DESC"],
        ["Parameters that were given", "SELECT run, tool.name AS tool, run_parameter.name, value\nFROM run_parameter JOIN tool ON tool.id = tool\nWHERE given ORDER BY run, tool.name"],
        ["Tables of the project", "SELECT tool, report, count(*) AS tables, sum(rows) AS rows\nFROM report JOIN shape ON shape.id = report.shape\nGROUP BY shape.id ORDER BY rows DESC"],
    ];
    for (const view of tables.filter(isReport)) {
        const has = (title) => view.columns.some((column) => column.name === title);
        const counted = view.columns.find((column) => column.type === "INTEGER" && !["run", "process", "PC", "Line"].includes(column.name) && !column.name.endsWith(" hex"));
        if (has("Procedure") && counted && list.length < 6) {
            list.push([`${view.name} by procedure`, `SELECT run, Procedure, sum(${name(counted.name)}) AS ${name(counted.name)}\nFROM ${name(view.name)}\nGROUP BY run, Procedure ORDER BY 3 DESC LIMIT 50`]);
        }
    }
    const report = tables.find((one) => isReport(one) && one.columns.some((column) => column.name === "PC"));
    const counted = report?.columns.find((column) => column.type === "INTEGER" && !["run", "process", "PC", "Line"].includes(column.name));
    if (counted)
        list.push([`${report.name} by source line, after Places`, `SELECT place.file, place.line, sum(t.${name(counted.name)}) AS ${name(counted.name)}\nFROM ${name(report.name)} AS t JOIN place ON place.run = t.run AND place.pc = t."PC"\nGROUP BY 1, 2 ORDER BY 3 DESC LIMIT 50`]);
    return list;
}

/** A plain editor: Ctrl+Enter runs the query. */
function Editor({ text, change, ask }) {
    const place = useRef();
    const view = useRef();
    const latest = useRef({});
    latest.current = { change, ask };
    useEffect(() => {
        const run = () => (latest.current.ask(), true);
        view.current = new EditorView({
            parent: place.current,
            state: EditorState.create({
                doc: text,
                extensions: [
                    lineNumbers(),
                    history(),
                    keymap.of([{ key: "Mod-Enter", run }, ...defaultKeymap, ...historyKeymap]),
                    EditorView.lineWrapping,
                    EditorView.contentAttributes.of({ "aria-label": "SQL statement", spellcheck: "false" }),
                    EditorView.updateListener.of((update) => update.docChanged && latest.current.change(update.state.doc.toString())),
                ],
            }),
        });
        return () => view.current.destroy();
    }, []);
    useEffect(() => {
        const now = view.current.state.doc.toString();
        if (now !== text) view.current.dispatch({ changes: { from: 0, to: now.length, insert: text } });
    }, [text]);
    return html`<div class="sql-editor code" ref=${place}></div>`;
}

const mostShown = 2000;

const numbersOf = (answer) => answer.columns.map((_, column) => answer.rows.some((row) => typeof row[column] === "number" || /^-?\d{16,}$/.test(row[column] ?? "")) && answer.rows.every((row) => row[column] === null || typeof row[column] === "number" || /^-?\d+$/.test(row[column])));

function Answer({ answer, numbers }) {
    const cell = (value, column) => (value === null ? html`<span class="muted">null</span>` : !numbers[column] ? value : typeof value === "number" && !Number.isInteger(value) ? fixed(value, 4) : integer(value));
    if (answer.rows.length === 0) return html`<${Notice}>The statement has no rows as its answer.<//>`;
    return html`<table class="plain rows" aria-label="Answer">
            <thead>
                <tr>${answer.columns.map((title, column) => html`<th scope="col" class="plain-head ${numbers[column] ? "number" : ""}">${title}</th>`)}</tr>
            </thead>
            <tbody>
                ${answer.rows.slice(0, mostShown).map((row) => html`<tr>${row.map((value, column) => html`<td class=${numbers[column] ? "number" : "text"} title=${typeof value === "string" ? value : undefined}>${cell(value, column)}</td>`)}</tr>`)}
            </tbody>
        </table>
        ${answer.rows.length > mostShown && html`<${Notice}>The first ${integer(mostShown)} of ${integer(answer.rows.length)} rows are shown; Copy takes all.<//>`}
        ${answer.truncated && html`<${Notice} kind="warning" hint="Without limits: sqlite3 PROJECT/project.sqlite">There are more rows than 100 000: the rest was left out.<//>`}`;
}

/** A question with a value for each run becomes a column of the lists of runs. */
function SaveMetric({ text, answer, saved }) {
    const [name, setName] = useState(null);
    const [unit, setUnit] = useState("");
    const [said, setSaid] = useState("");
    const run = answer.columns.findIndex((title) => title.toLowerCase() === "run");
    if (run < 0 || run === answer.columns.length - 1) return null;
    const save = async (event) => {
        event.preventDefault();
        try {
            await post("/metrics", { name: name.trim(), formula: text, unit: unit.trim() });
            setName(null);
            setSaid("It is a column of the lists of runs now.");
            saved();
        } catch (failed) {
            setSaid(failed.message);
        }
    };
    if (name === null)
        return html`<span class="muted" role="status">${said}</span><button class="small" title="the column ${answer.columns.at(-1)}, for each run" onClick=${() => (setName(answer.columns.at(-1)), setSaid(""))}>Save as metric …</button>`;
    return html`<form class="row" onSubmit=${save} onKeyDown=${(event) => event.key === "Escape" && setName(null)}>
        <span class="wrong" role="status">${said}</span>
        <input aria-label="Name of the metric" placeholder="its name" value=${name} onInput=${(event) => setName(event.target.value)} />
        <input aria-label="Unit of the metric" placeholder="unit" size="8" value=${unit} onInput=${(event) => setUnit(event.target.value)} />
        <button class="small" disabled=${name.trim() === ""}>Save</button>
        <button class="small" type="button" onClick=${() => setName(null)}>Cancel</button>
    </form>`;
}

function Metrics({ metrics, put }) {
    const list = metrics.value?.metrics ?? [];
    const [error, setError] = useState(null);
    const remove_metric = (metric) => remove(`/metrics/${metric.id}`).then(metrics.reload, setError);
    return html`<h3>Metrics</h3>
        <${ErrorNotice} error=${metrics.error ?? error} />
        ${metrics.value && list.length === 0 && html`<${Notice}>A question with a column run, and a value in the last one, can be saved as a metric: a column of the lists of runs.<//>`}
        ${list.map((metric) => html`<div class="row" key=${metric.id}>
            <button class="small" title=${metric.formula} onClick=${() => put(metric.formula)}>${metric.name}</button>
            <span class="muted">${metric.unit}</span>
            <span class="spacer"></span>
            <button class="small" aria-label="Remove the metric ${metric.name}" onClick=${() => remove_metric(metric)}>Remove</button>
        </div>`)}`;
}

export default function Sql({ state, change }) {
    const listed = useGet("/sql");
    const metrics = useGet("/metrics");
    const project = useGet("/project");
    const [text, setText] = useState(state.text ?? "");
    const [answer, setAnswer] = useState(null);
    const [error, setError] = useState(null);
    const [busy, setBusy] = useState(false);
    const [said, setSaid] = useState("");
    const control = useRef();
    const asked = useRef("");
    const tables = listed.value?.tables ?? [];
    const shown = project.value?.path;
    useCommand(shown && text.trim() ? `sqlite3 -header -box ${quote(`${shown}/project.sqlite`)} ${quote(text.trim())}` : undefined);
    const ask = async (wanted = text) => {
        control.current?.abort();
        control.current = new AbortController();
        setBusy(true);
        setError(null);
        setSaid("");
        asked.current = wanted;
        change(wanted === state.text ? { ...state, asked: "1" } : { text: wanted, asked: "1", view: state.view });
        const begin = performance.now();
        try {
            const found = await post("/sql", { text: wanted }, { signal: control.current.signal });
            setAnswer(found);
            setSaid(`${plural(found.rows.length, "row")} in ${fixed((performance.now() - begin) / 1000)} s`);
        } catch (failed) {
            if (failed.name === "AbortError") return;
            setError(failed);
            setAnswer(null);
        }
        setBusy(false);
    };
    const fillPlaces = async () => {
        setBusy(true);
        setError(null);
        try {
            let count = 0;
            for (const program of (await get("/programs")).programs) if (program.copy) count += (await post(`/programs/${program.id}/places`, {})).instructions;
            setSaid(`${integer(count)} instructions are in the view place`);
        } catch (failed) {
            setError(failed);
        }
        setBusy(false);
    };
    // A query in a saved address is run immediately.
    useEffect(() => {
        setText(state.text ?? "");
        if (state.text && state.asked && asked.current !== state.text) ask(state.text);
    }, [state.text]);
    const put = (statement) => {
        setText(statement);
        ask(statement);
    };
    const copy = () => {
        const lines = [answer.columns, ...answer.rows].map((row) => row.map((value) => String(value ?? "").replace(/[\t\r\n]/g, " ")).join("\t"));
        navigator.clipboard.writeText(lines.join("\n")).then(
            () => setSaid(`copied ${plural(answer.rows.length, "row")}`),
            () => setSaid("not copied"),
        );
    };
    const numbers = useMemo(() => (answer ? numbersOf(answer) : []), [answer]);
    const set = (values) => change({ ...state, ...values }, { replace: true });
    const tab = (name, title) => html`<button role="tab" class="small" aria-selected=${(state.view ?? "table") === name} onClick=${() => set({ view: name === "table" ? "" : name })}>${title}</button>`;
    const part = (title, list, open) => html`<h3>${title}</h3>
        ${list.map((one) => html`<details>
            <summary class="mono">${one.name}</summary>
            <ul>${one.columns.map((column) => html`<li class="mono">${column.name} <span class="muted">${column.type.toLowerCase()}</span></li>`)}</ul>
            ${one.view && html`<button class="small" onClick=${() => put(`SELECT * FROM ${name(one.name)} LIMIT 100`)}>First rows</button>`}
        </details>`)}
        ${list.length === 0 && html`<${Notice}>${open}<//>`}`;
    return html`<div class="columns sql">
        <section class="pane" aria-label="What can be asked">
            <div class="head"><h2>Tables</h2></div>
            <div class="body sql-tables" tabindex="0">
                <${ErrorNotice} error=${listed.error} again=${listed.reload} />
                ${!listed.value && listed.loading && html`<${Waiting} />`}
                ${listed.value &&
                html`${part("Reports", tables.filter(isReport), "No run has reported a table yet.")}
                <${Metrics} metrics=${metrics} put=${put} />
                ${part("Project", tables.filter((one) => !isReport(one) && !/^data_\d+$/.test(one.name)), "")}`}
            </div>
        </section>
        <div class="stack">
            <section class="pane" aria-label="Statement">
                <div class="head">
                    <h2>SQL</h2>
                    <span class="muted">only what reads; 10 seconds, 100 000 rows</span>
                    <span class="spacer"></span>
                    <select
                        aria-label="Examples"
                        value=""
                        onChange=${(event) => {
                            const chosen = examples(tables)[Number(event.target.value)];
                            event.target.value = "";
                            if (chosen) put(chosen[1]);
                        }}
                    >
                        <option value="">Examples …</option>
                        ${examples(tables).map(([title], index) => html`<option value=${index}>${title}</option>`)}
                    </select>
                    <button disabled=${busy} onClick=${fillPlaces} title="Put the programs' instructions into the view place: rows by source line, procedure, kind of instruction">Places</button>
                    <button class="primary" disabled=${text.trim() === "" || busy} onClick=${() => ask()} title="Ctrl+Enter">${busy ? "Asking …" : "Ask"}</button>
                </div>
                <div class="body">
                    <${Editor} text=${text} change=${setText} ask=${() => text.trim() && ask()} />
                    <${ErrorNotice} error=${error} />
                </div>
            </section>
            <section class="pane sql-answer" aria-label="Answer">
                <div class="head">
                    <h2>Answer</h2>
                    <span class="muted" role="status">${said}</span>
                    <span class="spacer"></span>
                    ${answer && html`<div role="tablist" aria-label="The answer as" class="row">${tab("table", "Table")}${tab("chart", "Chart")}</div>`}
                    ${answer && html`<button class="small" onClick=${copy}>Copy</button>`}
                    ${answer && html`<${SaveMetric} text=${asked.current} answer=${answer} saved=${metrics.reload} />`}
                </div>
                <div class="body flush" tabindex="0" role="region" aria-label="Rows of the answer">
                    ${answer
                        ? state.view === "chart"
                            ? html`<${AnswerChart} answer=${answer} numbers=${numbers} state=${state} set=${set} />`
                            : html`<${Answer} answer=${answer} numbers=${numbers} />` : html`<${Notice} hint="Write a statement, or choose an example. Ctrl+Enter asks.">Nothing has been asked yet.<//>`}
                </div>
            </section>
        </div>
    </div>`;
}
