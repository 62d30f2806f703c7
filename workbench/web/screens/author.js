// author.js: writing a tool: its page and its C with atomc's diagnostics, the places that it selects in a program, and
// its reports of a small run. State: package, page, tool, example (opened if nothing else is); file (the tab);
// program, procedure, at; code (both, mixed, code); below (problems, matches, skipped); arguments, input (of the run),
// param.NAME (a parameter that is not the default); run; view (table, chart, output); table.
import { address } from "../address.js";
import { events, Failure, get, post, query, useGet } from "../api.js";
import { grouped, toolName } from "../groups.js";
import {
    acknowledge, anyChanged, asRequest, bandsOf, begin, changeText, copyExample, copyTool, fileOf, isChanged, isHostCode, isPage, openPackage, placeIn, printed, save, setTool,
    useCheck, useParameters, useSites, useTool,
} from "../parts/author_model.js";
import { Chart } from "../parts/chart.js";
import { Code } from "../parts/code.js";
import { quoteAll, split, useCommand } from "../parts/command.js";
import { Editor } from "../parts/editor.js";
import { stubs } from "../parts/editor_stubs.js";
import { takeFocus } from "../parts/focus.js";
import { isFile, ParameterForm, parameterOf, typedValue } from "../parts/form.js";
import { fixed, integer, plural, seconds } from "../parts/format.js";
import { isOver } from "../parts/live.js";
import { bothNames, readable, useNames } from "../parts/names.js";
import { ErrorNotice, Notice, Waiting } from "../parts/notice.js";
import { PathField } from "../parts/path.js";
import { titlesOf } from "../parts/program_titles.js";
import { isMeasure, Table } from "../parts/table.js";
import { Tabs } from "../parts/tabs.js";
import { useWhileShown } from "../parts/shown.js";
import { html, useEffect, useMemo, useRef, useState } from "../lib/preact.js";

const none = [];

// ---- what a tool can begin as ----

function Beginnings({ state, change }) {
    const tools = useGet("/tools");
    const own = useGet("/sources");
    const [examples, setExamples] = useState(none);
    const [error, setError] = useState(null);
    const [elsewhere, setElsewhere] = useState(none);
    useEffect(() => {
        fetch("/web/examples.json").then((response) => response.json()).then(setExamples, () => setError(new Error("the list of examples cannot be read")));
    }, []);
    const start = async (work, kept = {}) => {
        setError(null);
        try {
            setElsewhere((await work()) ?? none);
            change({ program: state.program, procedure: state.procedure, ...kept }, { replace: true });
        } catch (failed) {
            setError(failed);
        }
    };
    // The tool that the address names is opened immediately.
    useEffect(() => {
        if (state.package) start(() => openPackage(state.package, state.page), { package: state.package });
        else if (state.tool) start(() => copyTool(state.tool));
        else if (state.example) start(() => copyExample(state.example));
    }, [state.package, state.tool, state.example]);
    const groups = useMemo(() => grouped(tools.value?.tools ?? []), [tools.value]);
    const packages = own.value?.packages ?? [];
    return html`<div class="author-new">
        <h1>Write a tool</h1>
        <${ErrorNotice} error=${error} />
        ${elsewhere.length > 0 && html`<${Notice} kind="warning">Not copied, as they lie elsewhere: ${elsewhere.join(", ")}<//>`}
        <div class="columns author-ways">
            <section class="pane" aria-label="From a stub">
                <div class="head"><h2>From a stub</h2></div>
                <div class="body stack">
                    ${stubs.map((stub) => html`<button class="stub" onClick=${() => start(() => begin(Object.keys(stub.files)[0], stub.files))}><b>${stub.title}</b><span class="muted">${stub.about}</span></button>`)}
                </div>
            </section>
            <div class="stack">
                <section class="pane" aria-label="From a tool">
                    <div class="head"><h2>From a tool</h2></div>
                    <div class="body">
                        <${ErrorNotice} error=${tools.error} again=${tools.reload} />
                        <div class="field">
                            <label for="author-tool">A copy of</label>
                            <select id="author-tool" value="" onChange=${(event) => event.target.value && start(() => copyTool(event.target.value))}>
                                <option value="">choose …</option>
                                ${groups.map((group) => html`<optgroup label=${group.title}>${group.tools.map((tool) => html`<option value=${toolName(tool)}>${tool.name}: ${tool.description}</option>`)}</optgroup>`)}
                            </select>
                        </div>
                    </div>
                </section>
                <section class="pane" aria-label="From an example">
                    <div class="head"><h2>From an example</h2></div>
                    <div class="body">
                        <div class="field">
                            <label for="author-example">Of the cookbook</label>
                            <select id="author-example" value="" onChange=${(event) => event.target.value && start(() => copyExample(event.target.value))}>
                                <option value="">choose …</option>
                                ${examples.map((one) => html`<option value=${one.page}>${one.title}</option>`)}
                            </select>
                            <span class="help">Some are of a certain program: change the names in them. <a href=${address("help", { page: "cookbook.md" })}>The cookbook</a></span>
                        </div>
                    </div>
                </section>
                <section class="pane" aria-label="Yours">
                    <div class="head"><h2>Yours</h2></div>
                    <div class="body">
                        <${ErrorNotice} error=${own.error} again=${own.reload} />
                        ${own.value && packages.length === 0 && html`<${Notice} hint="What you save here is a package in the project's folder tools/.">This project has no tools of its own yet.<//>`}
                        <ul class="author-own">
                            ${packages.map((one) => html`<li>
                                <b>${one.package}</b>
                                ${one.files.filter(isPage).map((page) => html` <button class="small" onClick=${() => start(() => openPackage(one.package, page), { package: one.package })}>${page}</button>`)}
                                ${!one.files.some(isPage) && html` <span class="muted">no page</span>`}
                            </li>`)}
                        </ul>
                    </div>
                </section>
            </div>
        </div>
    </div>`;
}

// ---- saving ----

function Conflict({ tool, failure, close, save }) {
    const { file, text } = failure.where;
    const decide = (takeTheirs) => {
        const next = acknowledge(failure.where, takeTheirs);
        close();
        if (!takeTheirs) save(next);
    };
    return html`<div class="author-conflict" role="alertdialog" aria-label="Both texts">
        <${Notice} kind="warning" hint="Neither text is lost until you choose.">${failure.error}<//>
        <div class="columns author-both">
            <section class="pane" aria-label="On disk">
                <div class="head"><h3>${file} on disk</h3><span class="spacer" /><button onClick=${() => decide(true)}>Take this one</button></div>
                <div class="body flush">${text === null || text === undefined ? html`<${Notice}>It is not there any more.<//>` : html`<${Editor} key="theirs" name=${file} text=${text} change=${() => {}} diagnostics=${none} bands=${none} keys=${{}} readOnly=${true} />`}</div>
            </section>
            <section class="pane" aria-label="Here">
                <div class="head"><h3>${file} here</h3><span class="spacer" /><button class="primary" onClick=${() => decide(false)}>Save this one</button></div>
                <div class="body flush"><${Editor} key="mine" name=${file} text=${tool.files[file].text} change=${() => {}} diagnostics=${none} bands=${none} keys=${{}} readOnly=${true} /></div>
            </section>
        </div>
        <div class="row"><button onClick=${close}>Decide later</button></div>
    </div>`;
}

/** The form of package names, the same as in atomc package. */
const rightName = (name) => /^[a-z0-9][a-z0-9_.-]{0,63}$/.test(name);

function useSaving(tool) {
    const [name, setName] = useState(tool.package);
    const [said, setSaid] = useState("");
    const [error, setError] = useState(null);
    useEffect(() => setName((before) => before || tool.package), [tool.package]);
    const attempt = async (chosen = tool) => {
        setError(null);
        if (!rightName(name)) {
            setError(new Failure(0, name === "" ? "Name the package that it is saved in." : `'${name}' is no name of a package`, "small letters, digits, '-', '_' and '.'"));
            document.getElementById("author-package")?.focus();
            return;
        }
        try {
            await save(chosen, name);
            setSaid("saved");
        } catch (failed) {
            setSaid("");
            setError(failed);
        }
    };
    return { name, setName, said, error, setError, attempt };
}

// ---- the editor, and the parts below it ---

function Files({ tool, file, choose, keys, check, bands, at, saving }) {
    const [naming, setNaming] = useState(null);
    const names = Object.keys(tool.files);
    const list = names.map((name) => ({ id: name, title: `${name}${isChanged(tool.files[name]) ? " •" : ""}` }));
    const diagnostics = useMemo(() => {
        if (!check.value) return none;
        return check.value.diagnostics.filter((one) => fileOf(tool, one) === file).map((one) => ({ ...one, ...placeIn(tool.files[file].text, one) }));
        // Diagnostics belong to the text that was checked; while the user types, the editor moves them along.
    }, [check.value, file]);
    const shownBands = useMemo(() => bands.filter((one) => one.file === file).map(({ band, from, to, sites }) => ({ band, from, to, title: `${integer(sites)} ${sites === 1 ? "place" : "places"} in the program` })), [bands, file]);
    const add = (event) => {
        event.preventDefault();
        const name = naming.trim();
        if (!/^[\w][\w.+-]*\.(c|h|cc|inc|atd)$/.test(name) || name in tool.files) return;
        setTool({ ...tool, files: { ...tool.files, [name]: { text: "", saved: null, digest: null } } });
        setNaming(null);
        choose(name);
    };
    return html`<section class="pane author-files" aria-label="Editor">
        <div class="head">
            <${Tabs} label="Files" list=${list} chosen=${file} choose=${choose} panel="author-text" />
            ${naming === null
                ? html`<button class="small" onClick=${() => setNaming("")}>Add a file</button>`
                : html`<form class="row" onSubmit=${add}>
                      <input class="mono" size="12" ref=${takeFocus} aria-label="Name of the file, such as x.c" placeholder="x.c" value=${naming} onInput=${(event) => setNaming(event.target.value)} onKeyDown=${(event) => event.key === "Escape" && setNaming(null)} /><button class="small">Add</button>
                  </form>`}
            <span class="spacer" />
            <span class="muted" role="status">${saving.said === "saved" && !anyChanged(tool) ? "saved" : ""}</span>
            <label for="author-package">Package</label>
            <input id="author-package" class="mono" size="10" placeholder="name" autocomplete="off" spellcheck="false" value=${saving.name} onInput=${(event) => saving.setName(event.target.value)} onKeyDown=${(event) => event.key === "Enter" && saving.attempt()} />
            <button class="primary" title="Ctrl+S" onClick=${() => saving.attempt()}>Save</button>
        </div>
        <div class="body flush" id="author-text" role="tabpanel" aria-label=${file}>
            ${saving.error && !saving.error.where?.file && html`<${ErrorNotice} error=${saving.error} />`}
            ${isHostCode(file) && html`<${Notice}>C that runs inside of atomc is not tried before it is accepted: save it, then atomc package trust ${saving.name || "NAME"}.<//>`}
            <${Editor} key=${file} name=${file} text=${tool.files[file].text} turn=${tool.files[file].turn ?? 0} change=${(text) => changeText(file, text)} diagnostics=${diagnostics} bands=${shownBands} at=${at} keys=${keys} />
        </div>
    </section>`;
}

function Problem({ tool, one, go, fix }) {
    const file = fileOf(tool, one);
    return html`<li class="problem ${one.severity === "warning" ? "warning" : one.severity === "note" ? "" : "error"}">
        ${file ? html`<button class="plain mono" onClick=${() => go(file, one.line, one.column)}>${printed(one)}</button>` : html`<span class="mono">${printed(one)}</span>`}
        ${one.hint && html`<div class="hint">hint: ${one.hint} ${one.replacement && file && html`<button class="small" title="Ctrl+." onClick=${() => fix(file, one)}>Change to ${one.replacement}</button>`}</div>`}
    </li>`;
}

function Problems({ tool, check, go }) {
    // If the user has typed since the check, the position has moved: the fix waits for the next check.
    const fix = (file, one) => {
        const { text } = tool.files[file];
        const { from, to } = placeIn(text, one);
        if (check.current) changeText(file, text.slice(0, from) + one.replacement + text.slice(to), true);
    };
    if (check.error) return html`<${ErrorNotice} error=${check.error} />`;
    if (!check.value) return html`<${Waiting}>Checking …<//>`;
    const { diagnostics } = check.value;
    if (diagnostics.length === 0) return html`<${Notice} kind="good">atomc has nothing to say against it.<//>`;
    return html`<ol class="problems">${diagnostics.map((one) => html`<${Problem} tool=${tool} one=${one} go=${go} fix=${fix} />`)}</ol>`;
}

/** The reason why no place can be counted; null: places can be counted. */
function whyNot(check, program, count, error) {
    if (!program) return html`<${Notice}>Choose a program on the right: its places are counted here.<//>`;
    if (error && error.status !== 409) return html`<${ErrorNotice} error=${error} />`;
    if (check.value && check.value.diagnostics.some((one) => /error/.test(one.severity))) return html`<${Notice}>The tool has errors: its places are not known.<//>`;
    return count ? null : html`<${Waiting}>Looking for places …<//>`;
}

function Matches({ bands, count, go, openProcedure }) {
    const procedures = Object.entries(count.procedures).sort((left, right) => right[1] - left[1]);
    // Tab moves the focus to one of them, arrow keys to the others.
    const [current, setCurrent] = useState(0);
    const at = Math.min(current, procedures.length - 1);
    const onKey = (event) => {
        const buttons = event.currentTarget.querySelectorAll("button");
        const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
        if (next === undefined) return;
        event.preventDefault();
        if (!buttons[next]) return;
        setCurrent(next);
        buttons[next].focus();
    };
    return html`<div class="columns author-matches">
        <table class="plain">
            <thead><tr><th scope="col">Statement</th><th scope="col" class="number">Places</th></tr></thead>
            <tbody>
                ${bands.map((one) => html`<tr>
                    <td><span class="band band-${one.band % 8}">${one.band}</span> <button class="plain mono" title="${one.words}\n${one.file}:${one.line}" onClick=${() => go(one.file, one.line)}>${one.words.split("\n")[0]}</button></td>
                    <td class="number">${integer(one.sites)}</td>
                </tr>`)}
            </tbody>
        </table>
        <table class="plain">
            <thead><tr><th scope="col">Procedure</th><th scope="col" class="number">Places</th></tr></thead>
            <tbody onKeyDown=${onKey}>
                ${procedures.slice(0, 200).map(([name, places], number) => html`<tr><td><button class="plain mono" title=${bothNames(name)} tabindex=${number === at ? 0 : -1} onFocus=${() => setCurrent(number)} onClick=${() => openProcedure(name)}>${readable(name)}</button></td><td class="number">${integer(places)}</td></tr>`)}
            </tbody>
        </table>
        ${procedures.length > 200 && html`<p class="muted">and ${integer(procedures.length - 200)} more procedures</p>`}
        ${bands.length === 0 && html`<${Notice} hint="A set that is empty here, or actions that are in no loop over places.">No statement of the tool does something in this program.<//>`}
    </div>`;
}

function Skipped({ count, openProcedure }) {
    if (count.skipped.length === 0) return html`<${Notice}>Nothing is skipped: everything can be done at each place.<//>`;
    return html`${count.skipped.map((one) => html`<h3>${one.reason}: ${integer(one.count)}</h3>
        <ul class="author-skipped">${one.examples.map((place) => html`<li><button class="plain mono" onClick=${() => openProcedure(place.procedure, place.pc)}>${place.pc} ${readable(place.procedure)}</button></li>`)}</ul>
        ${one.count > one.examples.length && html`<p class="muted">the first ${integer(one.examples.length)} are listed</p>`}`)}`;
}

// ---- the program ----

async function findProcedure(program, name) {
    const answer = await get(`/programs/${program}/procedures${query({ find: name, limit: 50 })}`);
    return answer.rows.find((row) => row.name === name || row.demangled === name)?.pc;
}

function ProgramPane({ state, set, programs, program, count, here, bands, good, openProcedure, wrong }) {
    const [typed, setTyped] = useState("");
    const names = useGet(program ? `/programs/${program.id}/procedures${query({ find: typed, limit: 60 })}` : null);
    const procedure = useGet(program && state.procedure ? `/programs/${program.id}/procedures/${state.procedure}` : null);
    const document = procedure.value;
    useEffect(() => setTyped(""), [document?.pc]);
    const annotation = useMemo(() => {
        const sites = {};
        for (const one of here?.sites ?? none) {
            if (!one.pc || one.skipped) continue;
            const found = bands.find((band) => band.key === `${one.statement?.file?.slice(one.statement.file.lastIndexOf("/") + 1)}:${one.statement?.begin}`);
            (sites[one.pc] ??= []).push({ band: found?.band ?? 0, title: `${one.when ?? ""} ${one.text ?? one.routine ?? ""}`.trim() });
        }
        return { metrics: [], instructions: {}, lines: {}, sites };
    }, [here, bands]);
    const inHere = (here?.sites ?? none).filter((one) => one.pc && !one.skipped).length;
    const mode = state.code ?? "both";
    const titles = titlesOf(programs);
    const choose = (event) => {
        const name = event.target.value;
        setTyped(name);
        if ((names.value?.rows ?? []).some((row) => row.name === name || row.demangled === name)) openProcedure(name);
    };
    return html`<section class="pane author-program" aria-label="Places in a program">
        <div class="head">
            <label for="author-program">Program</label>
            <select id="author-program" onChange=${(event) => set({ program: event.target.value, procedure: undefined, at: undefined, run: undefined })}>
                ${!program && html`<option value="" selected>choose …</option>`}
                ${programs.map((one) => html`<option value=${one.id} title=${one.path} selected=${one.id === program?.id}>${titles.get(one.id)}</option>`)}
            </select>
            ${program &&
            html`<label for="author-procedure">Procedure</label>
                <input id="author-procedure" class="mono" size="14" list="author-procedures" autocomplete="off" spellcheck="false" placeholder=${document?.name ?? "name"} title=${document?.demangled ?? document?.name} value=${typed || (document?.demangled ?? document?.name ?? "")} onFocus=${(event) => event.target.select()} onInput=${choose} onKeyDown=${(event) => event.key === "Enter" && openProcedure(event.target.value)} />
                <datalist id="author-procedures">${(names.value?.rows ?? []).map((row) => html`<option value=${row.demangled ?? row.name}>${count?.procedures[row.name] ? plural(count.procedures[row.name], "place") : ""}</option>`)}</datalist>`}
            <span class="spacer" />
            <span class="muted" role="status">${count && good ? html`<b class="author-count">${integer(count.sites)}</b> places${document && here ? html`, ${integer(inHere)} here` : ""}` : ""}</span>
            <select aria-label="How the code is shown" value=${mode} onChange=${(event) => set({ code: event.target.value === "both" ? undefined : event.target.value })}>
                <option value="both">Side by side</option>
                <option value="mixed">Interleaved</option>
                <option value="code">Disassembly</option>
            </select>
        </div>
        <div class="body flush">
            <${ErrorNotice} error=${wrong ?? procedure.error} />
            ${programs.length === 0 && html`<${Notice} action=${html`<a class="button" href=${address("project")}>Open a program</a>`} hint="Its source and disassembly are shown here, with a mark at each place that the tool matches.">There is no program in this project yet.<//>`}
            ${programs.length > 0 && !program && html`<${Notice} hint="Its source and disassembly are shown here, with a mark at each place that the tool matches.">No program is chosen.<//>`}
            ${program && !state.procedure && html`<${Waiting}>Looking for main …<//>`}
            ${document && !procedure.loading && html`<${Code} program=${program.id} procedure=${document} annotation=${annotation} mode=${mode} selected=${state.at} onSelect=${(at) => set({ at })} onFollow=${(to) => set({ procedure: to, at: undefined })} />`}
        </div>
    </section>`;
}

// ---- running it ----

function Report({ run, state, set }) {
    const listed = useGet(`/runs/${run.id}/tables`);
    const tables = (listed.value?.tables ?? none).filter((one) => !one.tree || one.processes === 1);
    const table = tables.find((one) => String(one.id) === state.table) ?? tables[0];
    const metric = table ? table.columns.findIndex((column) => isMeasure(column) && !column.hidden) : -1;
    const [view, setView] = useState({});
    const [drawn, setDrawn] = useState({ chart: "", chartby: "" });
    useEffect(() => (setView({}), setDrawn({ chart: "", chartby: "" })), [table?.id]);
    const files = (run.artifacts ?? none).filter((file) => file.format !== "output");
    if (listed.error) return html`<${ErrorNotice} error=${listed.error} again=${listed.reload} />`;
    if (!listed.value) return html`<${Waiting} />`;
    if (!table)
        return html`<${Notice} hint=${files.length ? html`Files: ${files.map((file) => html` <a href="/api/v1/runs/${run.id}/files/${encodeURIComponent(file.path)}" download>${file.name}</a>`)}` : "A report statement makes a table."}
            >The run has left no table.<//
        >`;
    const merged = table.processes > 1;
    return html`<div class="columns author-report">
        <div class="author-table">
            ${tables.length > 1 && html`<select aria-label="Report" value=${table.id} onChange=${(event) => set({ table: event.target.value })}>${tables.map((one) => html`<option value=${one.id}>${one.report}</option>`)}</select>`}
            <${Table} key=${table.id} table=${table} merged=${merged} view=${view} change=${setView} metric=${metric} selected=${() => false} onSelect=${(row) => {
                const at = table.columns.findIndex((column) => column.type === "address");
                if (at >= 0 && row[at]) set({ procedure: row[at], at: row[at] });
            }} />
        </div>
        <div class="author-chart" tabindex="0" role="region" aria-label="Chart"><${Chart} key=${table.id} table=${table} merged=${merged} metric=${metric} kind=${drawn.chart} by=${drawn.chartby} change=${(chosen) => setDrawn({ ...drawn, ...chosen })} /></div>
    </div>`;
}

function RunPane({ tool, state, set, program, good, parameters, given, errors, starter }) {
    const [error, setError] = useState(null);
    const [busy, setBusy] = useState(false);
    const record = useGet(/^\d+$/.test(state.run ?? "") ? `/runs/${state.run}` : null);
    const run = record.value && !record.loading ? record.value : undefined;
    const over = run && isOver(run.state);
    useEffect(() => {
        if (!run || over) return undefined;
        const end = events(`/runs/${run.id}/events`, { finished: () => (end(), record.reload()) });
        return end;
    }, [run?.id, over]);
    const words = split(state.arguments ?? "");
    const why = !program ? "choose a program first" : !good ? "the tool has errors" : words.error;
    const start = async () => {
        if (why || busy) return;
        setBusy(true);
        setError(null);
        try {
            const { path } = await post("/drafts", asRequest(tool));
            const job = { program: { path: program.path, name: program.name }, tools: [{ path, parameters: Object.fromEntries(Object.entries(given).map(([name, text]) => [name, typedValue(parameters.find((one) => one.name === name), text)])) }], arguments: words.words, input: state.input ? { path: state.input } : undefined, limits: { seconds: 60 } };
            const answer = await post("/runs", job);
            set({ run: String(answer.id), table: undefined });
        } catch (failed) {
            setError(failed instanceof Failure ? failed : new Failure(0, String(failed)));
        }
        setBusy(false);
    };
    starter.current = start; // for Ctrl+Enter in the editor
    const failed = run?.diagnostics?.find((one) => one.severity === "error");
    return html`<section class="pane author-run" aria-label="Run on a small input">
        <form class="head" onSubmit=${(event) => (event.preventDefault(), start())}>
            <h2>Small run</h2>
            <label for="author-arguments">Arguments</label>
            <input id="author-arguments" class="mono" size="12" placeholder="none" autocomplete="off" spellcheck="false" value=${state.arguments ?? ""} aria-invalid=${words.error ? "true" : undefined} onInput=${(event) => set({ arguments: event.target.value })} />
            <label for="author-input">Input</label>
            <${PathField} id="author-input" placeholder="none" value=${state.input ?? ""} change=${(input) => set({ input })} />
            <button class="primary" disabled=${busy || Boolean(why)} title=${why ?? "Ctrl+Enter"}>${busy || (run && !over) ? "Running …" : "Run"}</button>
            <span class="muted" role="status">${why ? `First: ${why}.` : over ? `${run.state} in ${seconds(run.seconds ?? 0)}` : ""}</span>
            <span class="spacer" />
            ${over && run.state !== "failed" && html`<a class="button small" href=${address("results", { run: run.id })}>All of its results</a>`}
        </form>
        <div class="body">
            ${parameters.some((one) => !isFile(one)) &&
            html`<details class="author-parameters" open=${Object.keys(given).length > 0 || Object.keys(errors).length > 0}>
                <summary>Parameters <span class="muted">${Object.entries(given).map(([name, text]) => `${name} = ${text}`).join(", ")}</span></summary>
                <${ParameterForm} parameters=${parameters} given=${given} errors=${errors} change=${(name, text) => set({ [`param.${name}`]: text })} />
            </details>`}
            <${ErrorNotice} error=${error ?? record.error} />
            ${over && run.state === "failed" && html`<${Notice} kind="error" hint=${failed?.hint}>${failed?.message ?? run.reason}<//>`}
            ${over && run.state !== "failed" && html`<${Report} key=${run.id} run=${run} state=${state} set=${set} />`}
            ${!state.run && !error && html`<${Notice} hint="A small input is enough: it is run as it stands here, saved or not.">It has not been run yet: the report and its chart will be shown here.<//>`}
            ${run && !over && html`<${Waiting}>It is running …<//>`}
        </div>
    </section>`;
}

// ---- the screen ----

function Workplace({ tool, state, change: changeAddress }) {
    const change = useWhileShown(changeAddress);
    const latest = useRef(state);
    latest.current = state;
    const set = (values, options = { replace: true }) => {
        latest.current = { ...latest.current, ...values };
        change(latest.current, options);
    };
    const file = state.file && state.file in tool.files ? state.file : tool.page;
    const listed = useGet("/programs");
    const programs = listed.value?.programs ?? none;
    const program = programs.find((one) => String(one.id) === state.program) ?? (programs.length === 1 ? programs[0] : undefined);
    useNames(program?.id);
    const texts = Object.fromEntries(Object.entries(state).flatMap(([key, text]) => (key.startsWith("param.") ? [[key.slice(6), text]] : [])));
    const declared = useRef([]);
    // A value for a parameter that the page no longer has is omitted.
    const given = Object.fromEntries(Object.entries(texts).filter(([name]) => declared.current.some((one) => one.name === name)));
    const check = useCheck(tool, given);
    const wrong_parameters = Object.fromEntries((check.value?.diagnostics ?? none).flatMap((one) => (!one.file && parameterOf(one) ? [[parameterOf(one), one.message.replace(/^-D:? ?/, "")]] : [])));
    const errors = check.value?.diagnostics.filter((one) => /error/.test(one.severity)).length ?? 0;
    const good = Boolean(check.value) && errors === 0;
    const parameters = useParameters(tool, good && check.current);
    declared.current = parameters;
    const sites = useSites(tool, good && check.current, program?.id, state.procedure, given);
    const seen = useRef();
    if (sites.count && good) seen.current = sites.count;
    const count = good ? (sites.count ?? seen.current) : undefined;
    const bands = useMemo(() => (count ? bandsOf(tool, count) : none), [count, check.value]);
    const [at, setAt] = useState(undefined);
    const [wrong, setWrong] = useState(null);
    const saving = useSaving(tool);
    const starter = useRef();
    const go = (name, line, column) => {
        set({ file: name === tool.page ? undefined : name });
        setAt({ line, column });
    };
    const openProcedure = async (name, pc) => {
        setWrong(null);
        try {
            const found = pc ?? (await findProcedure(program.id, name));
            if (found) set({ procedure: found, at: pc });
            else setWrong(new Failure(0, `there is no procedure '${name}' in ${program.name}`));
        } catch (failed) {
            setWrong(failed);
        }
    };
    useEffect(() => {
        if (program && !state.procedure) {
            findProcedure(program.id, "main").then(
                async (found) => set({ program: String(program.id), procedure: found ?? (await get(`/programs/${program.id}/procedures?limit=1`)).rows[0]?.pc }),
                setWrong,
            );
        }
    }, [program?.id, state.procedure]);
    useEffect(() => setAt(undefined), [file]);
    const page = saving.name && tool.package ? `${tool.package}/${tool.page.replace(/\.atd$/, "")}` : undefined;
    const project = useGet("/project");
    const own = page && !anyChanged(tool) && project.value ? `${project.value.packages} ` : "";
    useCommand(program ? own + quoteAll([...(page && !anyChanged(tool) ? ["atomc", "-t", page] : ["atomc", tool.page]), ...Object.entries(given).flatMap(([name, text]) => ["-D", `${name}=${text}`]), "--dump=sites", program.path]) : quoteAll(["atomc", "--check", tool.page]));
    const keys = { "Mod-s": () => saving.attempt(), "Mod-Enter": () => starter.current() };
    const below = state.below ?? "problems";
    const skipped = count?.skipped.reduce((sum, one) => sum + one.count, 0);
    const warnings = (count?.diagnostics ?? none).filter((one) => one.id === "NOTHING_SELECTED");
    const tabs = [
        { id: "problems", title: "Problems", count: check.value?.diagnostics.length, kind: errors ? "wrong" : "" },
        { id: "matches", title: "Places", count: count?.sites },
        { id: "skipped", title: "Skipped", count: skipped },
    ];
    const reason = whyNot(check, program, count, sites.error);
    const leave = () => {
        if (anyChanged(tool) && !confirm("What is not saved of this tool is lost. Begin another one?")) return;
        setTool(null);
        change({ program: state.program }, {});
    };
    return html`<div class="row author-head">
            <h1>${tool.package ? `${tool.package}/` : ""}${tool.page.replace(/\.atd$/, "")}</h1>
            <span class="chip ${anyChanged(tool) ? "warning" : "good"}">${anyChanged(tool) ? "not saved" : "saved"}</span>
            <span class="muted author-latency">${check.value && check.current ? `checked in ${fixed(check.milliseconds, 0)} ms` : check.error ? "" : "checking …"}</span>
            <span class="spacer" />
            ${tool.package && !anyChanged(tool) && html`<a class="button" href=${address("tools", { tool: page })}>In Tools</a>`}
            <button onClick=${leave}>Another tool …</button>
        </div>
        ${saving.error?.where?.file && html`<${Conflict} tool=${tool} failure=${saving.error} close=${() => saving.setError(null)} save=${saving.attempt} />`}
        <${ErrorNotice} error=${listed.error} again=${listed.reload} />
        <div class="author">
            <div class="author-upper">
                <${Files} tool=${tool} file=${file} choose=${(name) => set({ file: name === tool.page ? undefined : name })} keys=${keys} check=${check} bands=${bands} at=${at} saving=${saving} />
                <${ProgramPane} state=${state} set=${set} programs=${programs} program=${program} count=${count} here=${good ? sites.here : undefined} bands=${bands} good=${good} openProcedure=${openProcedure} wrong=${wrong} />
            </div>
            <div class="author-lower">
                <section class="pane author-below" aria-label="What atomc says">
                    <div class="head"><${Tabs} label="What atomc says" list=${tabs} chosen=${below} choose=${(id) => set({ below: id === "problems" ? undefined : id })} panel="author-below" /></div>
                    <div class="body" id="author-below" role="tabpanel" aria-label=${tabs.find((one) => one.id === below)?.title} tabindex="0">
                        ${below === "problems" && html`<${Problems} tool=${tool} check=${check} go=${go} />`}
                        ${below === "problems" && warnings.map((one) => html`<${Notice} kind="warning" hint=${one.hint}>${printed(one)}<//>`)}
                        ${below === "matches" && (reason ?? html`<${Matches} bands=${bands} count=${count} go=${go} openProcedure=${openProcedure} />`)}
                        ${below === "skipped" && (reason ?? html`<${Skipped} count=${count} openProcedure=${openProcedure} />`)}
                    </div>
                </section>
                <${RunPane} tool=${tool} state=${state} set=${set} program=${program} good=${good} parameters=${parameters} given=${given} errors=${wrong_parameters} starter=${starter} />
            </div>
        </div>`;
}

export default function Author({ state, change }) {
    const tool = useTool();
    const wanted = state.tool || state.example || (state.package && tool && tool.package !== state.package);
    if (!tool || (wanted && !anyChanged(tool))) return html`<${Beginnings} state=${state} change=${change} />`;
    return html`<${Workplace} key=${tool.package + tool.page} tool=${tool} state=${state} change=${change} />`;
}
