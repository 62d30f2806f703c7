// source.js: the sources of a program as texts: they are changed, compiled with several options, and run with a tool; a
// table compares the runs with the first. The user's own files are not changed: compiled texts are kept in the project's
// folder compiled/. State: path (of the source, or of a folder with several), file (the open one), without (sources that
// are not compiled; a blank: none), levels (options, with spaces; each makes a program), more (options of all), machine,
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
import { filesOf, isSource, leftOut } from "../parts/source_files.js";
import { unpackXz } from "../parts/upload.js";
import { saidPlaces, sourceVersions } from "../parts/source_said.js";
import { html, useEffect, useId, useMemo, useRef, useState } from "../lib/preact.js";

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

// Texts that were changed, until the page is closed: by the path of their source or folder, by their names.
const changed = new Map();

// ---- which source ----

/** Files of the browser's machine: they become a folder of the project. */
function FilesButton({ label, folder, done, failed }) {
    const field = useRef();
    const [busy, setBusy] = useState(false);
    const take = async (chosen) => {
        setBusy(true);
        try {
            const { name, files } = await filesOf(chosen, await get("/compilers"), unpackXz);
            done((await post("/source", { name, files })).path);
        } catch (error) {
            failed(error);
        }
        setBusy(false);
        if (field.current) field.current.value = "";
    };
    return html`<input type="file" class="hidden" tabindex="-1" aria-hidden="true" multiple=${!folder} webkitdirectory=${folder} ref=${field} onChange=${(event) => event.target.files.length > 0 && take([...event.target.files])} />
        <button type="button" disabled=${busy} onClick=${() => field.current.click()}>${label}</button>`;
}

function Beginning({ change }) {
    const [path, setPath] = useState("");
    const [error, setError] = useState(null);
    const id = useId();
    const attempt = async (path_of) => {
        setError(null);
        try {
            change({ path: await path_of() }, {});
        } catch (failed) {
            setError(failed);
        }
    };
    const open = () => attempt(async () => (await get(`/source${query({ path })}`), path));
    const example = () => attempt(async () => (await post("/example")).source);
    return html`<h1>Source</h1>
        <section class="pane" aria-label="Open a source">
            <div class="head"><h2>Open a source</h2></div>
            <div class="body">
                <form class="open" onSubmit=${(event) => (event.preventDefault(), open())}>
                    <label for=${id}>Source of C, C++ or Fortran, or a folder with several</label>
                    <div class="row">
                        <${PathField} id=${id} placeholder="path of a source or of a folder" value=${path} change=${setPath} invalid=${error} />
                        <button class="primary" disabled=${path === ""}>Open</button>
                        <button type="button" onClick=${example}>Open the example</button>
                    </div>
                    <div class="row">
                        <${FilesButton} label="Upload files …" done=${(made) => change({ path: made }, {})} failed=${setError} />
                        <${FilesButton} label="Upload a folder …" folder=${true} done=${(made) => change({ path: made }, {})} failed=${setError} />
                        <span class="muted">sources and headers, or a .zip, .tar, .tar.gz or .tar.xz of them</span>
                    </div>
                </form>
                <${ErrorNotice} error=${error} />
                <${Notice}>The program is compiled with the options that you choose, run with a tool, changed, and compared. The files themselves are not changed.<//>
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
                        <td class="number">${values[at] === undefined || run.state !== "finished" ? html`<span class="chip ${stateKind(run)}">${run.state}${run.reason ? `: ${run.reason}` : ""}</span> ` : ""}${values[at] === undefined ? "" : integer(values[at])}</td>
                        <td class="number">${values[at] === undefined || values[0] === undefined ? "" : percent(values[at], values[0])}</td>
                        <td class="source-bar"><span class="box">${values[at] !== undefined && html`<span class="bar" style=${{ width: `${(100 * values[at]) / most}%` }} />`}</span></td>
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

/** The files of a program of several sources: those with a check are compiled. */
function Files({ names, kinds, file, left_out, changes, places, open, set }) {
    return html`<section class="pane source-files" aria-label="Files">
        <div class="head"><h2>Files</h2> <span class="muted">${integer(names.length)}</span></div>
        <div class="body flush">
            <ul>
                ${names.map((name) => {
                    const wrong = places.filter((one) => one.file === name && one.severity === "error").length;
                    const is_source = isSource(name, kinds);
                    return html`<li key=${name} class=${name === file ? "current" : ""}>
                        <input type="checkbox" aria-label="Compile ${name}" title=${is_source ? "is compiled" : "a header: it is compiled where it is included"} disabled=${!is_source} checked=${is_source && !left_out.includes(name)} onChange=${(event) => set({ without: names.filter((one) => isSource(one, kinds) && (one === name ? !event.target.checked : left_out.includes(one))).join(" ") || " " })} />
                        <button type="button" class="plain mono" title=${name} aria-current=${name === file ? "true" : undefined} onClick=${() => open(name)}>${name}</button>
                        ${changes.has(name) && html`<span title="changed here">•</span>`}
                        ${wrong > 0 && html`<span class="wrong" title="${wrong} ${wrong === 1 ? "error" : "errors"}">${wrong}</span>`}
                    </li>`;
                })}
            </ul>
        </div>
    </section>`;
}

function Workplace({ source, kinds, languages, withC, state, change: changeAddress }) {
    const change = useWhileShown(changeAddress);
    const [texts, setTexts] = useState({ ...source.files, ...changed.get(source.path) });
    const [turn, setTurn] = useState(0);
    const [said, setSaid] = useState("");
    const [command, setCommand] = useState(undefined);
    const [error, setError] = useState(null);
    const [busy, setBusy] = useState("");
    const [at, setAt] = useState(undefined);
    const id = useId();
    const names = Object.keys(source.files).sort();
    const several = source.folder === undefined;
    const file = names.includes(state.file) ? state.file : (names.find((name) => isSource(name, kinds) && !leftOut(source.name, source.files, kinds).includes(name)) ?? names[0]);
    const left_out = useMemo(() => (state.without === undefined ? leftOut(source.name, source.files, kinds) : state.without.split(" ").filter((name) => names.includes(name))), [source, state.without]);
    const machine = kinds.machines.find((one) => one.name === state.machine) ?? kinds.machines[0];
    const takes_c = languages.find((one) => one.machine === machine.name)?.takes_c ?? true;
    const usual = `-g${machine.only_static ? " -static" : ""}`;
    const chosen = (state.levels ?? "-O0 -O2").split(" ").filter(Boolean);
    const more = split(state.more ?? usual), words = split(state.arguments ?? "");
    const tool = state.tool ?? "prof";
    const ids = (state.runs ?? "").split(",").filter((one) => /^\d+$/.test(one));
    const set = (values) => change({ ...state, ...values }, { replace: true });
    const changes = new Set(names.filter((name) => texts[name] !== source.files[name]));
    const write = (name, now) => {
        const next = { ...texts, [name]: now };
        changed.set(source.path, Object.fromEntries(names.filter((one) => next[one] !== source.files[one]).map((one) => [one, next[one]])));
        setTexts(next);
    };
    const places = useMemo(() => saidPlaces(said, texts), [said, texts]);
    const here = useMemo(() => places.filter((one) => one.file === file), [places, file]);
    const compiled = names.filter((name) => isSource(name, kinds) && !left_out.includes(name));
    const why = more.error ?? words.error ?? (chosen.length === 0 ? "choose a level" : compiled.length === 0 ? "check a source" : !takes_c && withC.includes(tool) ? `${tool} has C: not for ${machine.name} yet` : "");
    const start = async () => {
        if (why || busy) return;
        setError(null);
        setSaid("");
        let made = ids;
        try {
            for (const level of chosen) {
                setBusy(`Compiling with ${level} …`);
                const what = several ? { files: texts, without: left_out } : { text: texts[source.name], folder: source.folder };
                const answer = await post("/compile", { ...what, name: source.name, machine: machine.name, options: [level, ...more.words] });
                setSaid(answer.said);
                setCommand(quoteAll(answer.command));
                if (!answer.path) break;
                const program = await post("/programs", { path: answer.path });
                const run = await post("/runs", { program: { path: program.path, name: program.name }, tools: [{ name: tool, parameters: {} }], arguments: words.words });
                made = [...made.filter((one) => one !== String(run.id)), String(run.id)];
                set({ runs: made.join(",") });
            }
        } catch (failed) {
            setError(failed);
        }
        setBusy("");
    };
    const go = (place) => {
        if (place.file !== file) change({ ...state, file: place.file }, { replace: true });
        setAt({ file: place.file, line: place.line, column: place.column });
    };
    useCommand(command);
    const levelBox = (level) => html`<label class="check"><input type="checkbox" checked=${chosen.includes(level)} onChange=${(event) => set({ levels: levels.filter((one) => (one === level ? event.target.checked : chosen.includes(one))).join(" ") || " " })} />${level}</label>`;
    return html`<div class="row">
            <h1>${source.name}</h1>
            <span class="muted mono source-path" title=${source.path}>${source.path}</span>
            ${source.others > 0 && html`<span class="muted" title="They are neither sources nor headers, are links, or have names with a blank or the like.">${integer(source.others)} other ${source.others === 1 ? "file is" : "files are"} not used</span>`}
            ${changes.size > 0 && html`<span class="chip warning">changed here${several ? `: ${changes.size}` : ""}</span>`}
            ${changes.has(file) && html` <button class="small" onClick=${() => (write(file, source.files[file]), setTurn(turn + 1))}>As in the file</button>`}
            <span class="spacer" />
            <a class="button" href=${address("source")}>Another source …</a>
        </div>
        <div class="source ${several ? "several" : ""}">
            ${several && html`<${Files} names=${names} kinds=${kinds} file=${file} left_out=${left_out} changes=${changes} places=${places} open=${(name) => change({ ...state, file: name }, { replace: true })} set=${set} />`}
            <section class="pane source-text" aria-label="Text">
                ${several && html`<div class="head"><h2 class="mono source-path" title=${file}>${file}</h2></div>`}
                <div class="body flush"><${Editor} key=${file} name=${file} text=${texts[file]} turn=${turn} change=${(now) => write(file, now)} diagnostics=${here} bands=${none} at=${at?.file === file ? at : undefined} keys=${{ "Mod-Enter": start }} /></div>
            </section>
            <div class="stack">
                <section class="pane" aria-label="Compile and run">
                    <form class="body" onSubmit=${(event) => (event.preventDefault(), start())}>
                        <div class="row" role="group" aria-label="Levels">${levels.map(levelBox)}</div>
                        <div class="row">
                            <span class="pair"><label for="${id}-machine">For</label> <select id="${id}-machine" value=${machine.name} onChange=${(event) => set({ machine: event.target.value, runs: undefined })}>${kinds.machines.map((one) => html`<option value=${one.name}>${one.name}</option>`)}</select></span>
                            <span class="pair"><label for="${id}-more">Options</label> <input id="${id}-more" class="mono" size="16" autocomplete="off" spellcheck="false" value=${state.more ?? usual} onInput=${(event) => set({ more: event.target.value })} /></span>
                            <span class="pair"><label for="${id}-tool">Count</label> <select id="${id}-tool" value=${tool} onChange=${(event) => set({ tool: event.target.value, runs: undefined })}>${counted.map((one) => html`<option value=${one.tool} disabled=${!takes_c && withC.includes(one.tool)}>${one.title} (${one.tool})</option>`)}</select></span>
                            <span class="pair"><label for="${id}-words">Arguments</label> <input id="${id}-words" class="mono" size="12" placeholder="none" autocomplete="off" spellcheck="false" value=${state.arguments ?? ""} onInput=${(event) => set({ arguments: event.target.value })} /></span>
                            <button class="primary" disabled=${Boolean(busy || why)} title=${why || "Ctrl+Enter"}>Compile and run</button>
                            <span class="muted" role="status">${busy || why}</span>
                        </div>
                        <${ErrorNotice} error=${error} />
                        ${places.length > 0 && html`<ul class="source-said">${places.map((one) => html`<li><button type="button" class="small" onClick=${() => go(one)}>${several ? `${one.file}:${one.line}` : `line ${one.line}`}</button> <span class=${one.severity === "error" ? "wrong" : "muted"}>${one.severity}</span> ${one.message}</li>`)}</ul>`}
                        ${said && (places.length === 0 ? html`<pre class="output" tabindex="0">${said}</pre>` : html`<details><summary>All that the compiler said</summary><pre class="output" tabindex="0">${said}</pre></details>`)}
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
    const kinds = useGet(state.path ? "/compilers" : null);
    const language = useGet(state.path ? "/language" : null);
    const tools = useGet(state.path ? "/tools" : null);
    const failed = error ?? kinds.error ?? language.error ?? tools.error;
    if (!state.path) return html`<${Beginning} change=${change} />`;
    if (failed) return html`<h1>Source</h1><${ErrorNotice} error=${failed} again=${() => [{ reload }, kinds, language, tools].forEach((one) => one.reload())} />`;
    if (!value || loading || !kinds.value || !language.value || !tools.value) return html`<${Waiting} />`;
    const source = { ...value, path: state.path, files: value.files ?? { [value.name]: value.text } };
    const withC = tools.value.tools.filter((one) => one.has_c).map((one) => one.name);
    return html`<${Workplace} key=${state.path} source=${source} kinds=${kinds.value} languages=${language.value.machines} withC=${withC} state=${state} change=${change} />`;
}
