// source.js: one source as a text: it is changed, compiled with several options, and run with a tool; a table compares
// the runs with the first. The user's own file is not changed: compiled texts are kept in the project's folder
// compiled/. State: path (of the source), levels (options, with spaces; each makes a program), more (options of all),
// tool, arguments, runs (numbers, with commas).
import { address } from "../address.js";
import { get, post, query, useGet } from "../api.js";
import { quoteAll, split, useCommand } from "../parts/command.js";
import { Editor } from "../parts/editor.js";
import { bytes, fixed, integer } from "../parts/format.js";
import { isOver } from "../parts/live.js";
import { ErrorNotice, Notice, Waiting } from "../parts/notice.js";
import { PathField } from "../parts/path.js";
import { stateKind } from "../parts/runs.js";
import { useWhileShown } from "../parts/shown.js";
import { saidPlaces, sourceVersions } from "../parts/source_said.js";
import { html, useEffect, useId, useMemo, useState } from "../lib/preact.js";

const none = [];
const levels = ["-O0", "-O1", "-O2", "-O3", "-Os"];
/** What is counted, by the tool's first count. */
const counted = [
    { tool: "prof", title: "instructions executed" },
    { tool: "cache", title: "cache misses" },
    { tool: "branch", title: "branches executed" },
    { tool: "unalign", title: "unaligned accesses" },
    { tool: "dynmem", title: "allocations" },
];

// Texts that were changed, until the page is closed: by the path of their source.
const changed = new Map();

// ---- which source ----

function Beginning({ change }) {
    const [path, setPath] = useState("");
    const [error, setError] = useState(null);
    const id = useId();
    const open = async (chosen) => {
        setError(null);
        try {
            await get(`/source${query({ path: chosen })}`);
            change({ path: chosen }, {});
        } catch (failed) {
            setError(failed);
        }
    };
    const example = async () => {
        setError(null);
        try {
            change({ path: (await post("/example")).source }, {});
        } catch (failed) {
            setError(failed);
        }
    };
    return html`<h1>Source</h1>
        <section class="pane" aria-label="Open a source">
            <div class="head"><h2>Open a source</h2></div>
            <div class="body">
                <form class="open" onSubmit=${(event) => (event.preventDefault(), open(path))}>
                    <label for=${id}>Source of C, C++ or Fortran</label>
                    <div class="row">
                        <${PathField} id=${id} placeholder="path of a program's only source" value=${path} change=${setPath} invalid=${error} />
                        <button class="primary" disabled=${path === ""}>Open</button>
                        <button type="button" onClick=${example}>Open the example</button>
                    </div>
                </form>
                <${ErrorNotice} error=${error} />
                <${Notice}>It is compiled with the options that you choose, run with a tool, changed, and compared. The file itself is not changed.<//>
            </div>
        </section>`;
}

// ---- the runs ----

/** The runs of the address, with their programs and first counts; asked for again until all are over. */
function useRuns(ids) {
    const [value, setValue] = useState({ runs: none, programs: none, figures: {} });
    const [error, setError] = useState(null);
    useEffect(() => {
        let current = true, timer;
        const load = async () => {
            try {
                const runs = await Promise.all(ids.map((id) => get(`/runs/${id}`)));
                const { programs } = await get("/programs");
                const over = runs.filter((run) => isOver(run.state) && run.state !== "failed");
                const figures = over.length ? (await get(`/runs/figures${query({ runs: over.map((run) => run.id).join(",") })}`)).runs : {};
                if (!current) return;
                setValue({ runs, programs, figures });
                setError(null);
                if (runs.some((run) => !isOver(run.state))) timer = setTimeout(load, 500);
            } catch (failed) {
                if (current) setError(failed);
            }
        };
        if (ids.length) load();
        else setValue({ runs: none, programs: none, figures: {} });
        return () => {
            current = false;
            clearTimeout(timer);
        };
    }, [ids.join(",")]);
    return { ...value, error };
}

const percent = (value, first) => (value === first ? "" : first === 0 ? "" : `${value > first ? "+" : "−"}${fixed((100 * Math.abs(value - first)) / first, 1)} %`);

function RunsOf({ ids, change }) {
    const { runs, programs, figures, error } = useRuns(ids);
    const versions = sourceVersions(runs.map((run) => programs.find((one) => one.id === run.program)?.path ?? ""));
    const values = runs.map((run) => (figures[run.id]?.main ? Number(figures[run.id].main.value) : undefined));
    const title = runs.map((run) => figures[run.id]?.main?.title).find(Boolean) ?? "First count";
    const most = Math.max(1, ...values.filter((one) => one !== undefined));
    if (ids.length === 0) return html`<${Notice} hint="Choose levels, and Compile and run.">Nothing has been compiled yet.<//>`;
    return html`<${ErrorNotice} error=${error} />
        ${runs.length === 0 && !error && html`<${Waiting} />`}
        ${runs.length > 0 &&
        html`<table class="plain source-runs">
            <thead>
                <tr>
                    <th scope="col" class="number">Version</th>
                    <th scope="col">Program</th>
                    <th scope="col" class="number">Code</th>
                    <th scope="col" class="number">${title}</th>
                    <th scope="col" class="number">Beside the first</th>
                    <th scope="col"><span class="hidden">As a bar</span></th>
                    <th scope="col"><span class="hidden">More</span></th>
                </tr>
            </thead>
            <tbody>
                ${runs.map((run, at) => {
                    const program = programs.find((one) => one.id === run.program);
                    return html`<tr key=${run.id}>
                        <td class="number">${program ? versions[at] : ""}</td>
                        <td class="name">${program ? html`<a href=${address("program", { program: program.id })}>${run.program_name}</a>` : run.program_name}</td>
                        <td class="number">${program ? bytes(program.text_bytes) : ""}</td>
                        <td class="number">${values[at] === undefined || run.state !== "finished" ? html`<span class="chip ${stateKind(run.state)}">${run.state}${run.reason ? `: ${run.reason}` : ""}</span> ` : ""}${values[at] === undefined ? "" : integer(values[at])}</td>
                        <td class="number">${values[at] === undefined || values[0] === undefined ? "" : percent(values[at], values[0])}</td>
                        <td class="source-bar">${values[at] !== undefined && html`<div style=${{ width: `${(100 * values[at]) / most}%` }} />`}</td>
                        <td>
                            ${isOver(run.state) && html`<a href=${address("results", { run: run.id })}>Results</a>`}
                            ${at > 0 && isOver(run.state) && html` <a href=${address("compare", { a: runs[0].id, b: run.id })} title="with the first run of this table">Compare</a>`}
                        </td>
                    </tr>`;
                })}
            </tbody>
        </table>
        <p><button class="small" onClick=${() => change({ runs: undefined })}>Begin a new table</button> <span class="muted">The runs are kept.</span></p>`}`;
}

// ---- the screen ----

function Workplace({ source, state, change: changeAddress }) {
    const change = useWhileShown(changeAddress);
    const [text, setText] = useState(changed.get(source.path) ?? source.text);
    const [turn, setTurn] = useState(0);
    const [said, setSaid] = useState("");
    const [error, setError] = useState(null);
    const [busy, setBusy] = useState("");
    const [at, setAt] = useState(undefined);
    const id = useId();
    const chosen = (state.levels ?? "-O0 -O2").split(" ").filter(Boolean);
    const more = split(state.more ?? "-g"), words = split(state.arguments ?? "");
    const tool = state.tool ?? "prof";
    const ids = (state.runs ?? "").split(",").filter((one) => /^\d+$/.test(one));
    const set = (values) => change({ ...state, ...values }, { replace: true });
    const write = (now) => {
        changed.set(source.path, now);
        setText(now);
    };
    const places = useMemo(() => saidPlaces(said, source.name, text), [said, text]);
    const why = more.error ?? words.error ?? (chosen.length === 0 ? "choose a level" : "");
    const start = async () => {
        if (why || busy) return;
        setError(null);
        setSaid("");
        let made = ids;
        try {
            for (const level of chosen) {
                setBusy(`Compiling with ${level} …`);
                const compiled = await post("/compile", { text, name: source.name, folder: source.folder, options: [level, ...more.words] });
                setSaid(compiled.said);
                if (!compiled.path) break;
                const program = await post("/programs", { path: compiled.path });
                const run = await post("/runs", { program: { path: program.path, name: program.name }, tools: [{ name: tool, parameters: {} }], arguments: words.words });
                made = [...made.filter((one) => one !== String(run.id)), String(run.id)];
                set({ runs: made.join(",") });
            }
        } catch (failed) {
            setError(failed);
        }
        setBusy("");
    };
    useCommand(quoteAll([source.compiler, chosen[0] ?? "-O2", ...more.words, source.name, "-o", "program"]));
    const levelBox = (level) => html`<label class="check"><input type="checkbox" checked=${chosen.includes(level)} onChange=${(event) => set({ levels: levels.filter((one) => (one === level ? event.target.checked : chosen.includes(one))).join(" ") || " " })} />${level}</label>`;
    return html`<div class="row">
            <h1>${source.name}</h1>
            <span class="muted mono">${source.path}</span>
            ${text !== source.text && html`<span class="chip warning">changed here</span> <button class="small" onClick=${() => (write(source.text), setTurn(turn + 1))}>As in the file</button>`}
            <span class="spacer" />
            <a class="button" href=${address("source")}>Another source …</a>
        </div>
        <div class="source">
            <section class="pane source-text" aria-label="Text">
                <div class="body flush"><${Editor} name=${source.name} text=${text} turn=${turn} change=${write} diagnostics=${places} bands=${none} at=${at} keys=${{ "Mod-Enter": start }} /></div>
            </section>
            <div class="stack">
                <section class="pane" aria-label="Compile and run">
                    <form class="body" onSubmit=${(event) => (event.preventDefault(), start())}>
                        <div class="row" role="group" aria-label="Levels">${levels.map(levelBox)}</div>
                        <div class="row">
                            <label for="${id}-more">Options</label>
                            <input id="${id}-more" class="mono" size="16" autocomplete="off" spellcheck="false" value=${state.more ?? "-g"} onInput=${(event) => set({ more: event.target.value })} />
                            <label for="${id}-tool">Count</label>
                            <select id="${id}-tool" value=${tool} onChange=${(event) => set({ tool: event.target.value, runs: undefined })}>${counted.map((one) => html`<option value=${one.tool}>${one.title} (${one.tool})</option>`)}</select>
                            <label for="${id}-words">Arguments</label>
                            <input id="${id}-words" class="mono" size="12" placeholder="none" autocomplete="off" spellcheck="false" value=${state.arguments ?? ""} onInput=${(event) => set({ arguments: event.target.value })} />
                            <button class="primary" disabled=${Boolean(busy || why)} title=${why || "Ctrl+Enter"}>Compile and run</button>
                            <span class="muted" role="status">${busy || why}</span>
                        </div>
                        <${ErrorNotice} error=${error} />
                        ${places.length > 0 && html`<ul class="source-said">${places.map((one) => html`<li><button type="button" class="small" onClick=${() => setAt({ line: one.line, column: one.column })}>line ${one.line}</button> <span class=${one.severity === "error" ? "wrong" : "muted"}>${one.severity}</span> ${one.message}</li>`)}</ul>`}
                        ${said && places.length === 0 && html`<pre class="output" tabindex="0">${said}</pre>`}
                    </form>
                </section>
                <section class="pane" aria-label="Runs">
                    <div class="head"><h2>Runs</h2></div>
                    <div class="body"><${RunsOf} ids=${ids} change=${set} /></div>
                </section>
            </div>
        </div>`;
}

export default function Source({ state, change }) {
    const { value, error, loading, reload } = useGet(state.path ? `/source${query({ path: state.path })}` : null);
    if (!state.path) return html`<${Beginning} change=${change} />`;
    if (error) return html`<h1>Source</h1><${ErrorNotice} error=${error} again=${reload} />`;
    if (!value || loading) return html`<${Waiting} />`;
    return html`<${Workplace} key=${state.path} source=${{ ...value, path: state.path }} state=${state} change=${change} />`;
}
