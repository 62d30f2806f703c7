// project.js: the project's programs and latest runs; a program is opened by its path.
import { address, go } from "../address.js";
import { post, remove, useGet, useList } from "../api.js";
import { quote, useCommand } from "../parts/command.js";
import { bytes, integer, moment } from "../parts/format.js";
import { isOver } from "../parts/live.js";
import { ErrorNotice, Notice, Waiting } from "../parts/notice.js";
import { PathField } from "../parts/path.js";
import { Questions } from "../parts/questions.js";
import { RunsTable } from "../parts/runs.js";
import { UploadButton } from "../parts/upload.js";
import { html, useEffect, useId, useState } from "../lib/preact.js";
import { screens } from "../screens.js";

const has = (name) => screens.some((screen) => screen.name === name);

function OpenProgram({ added }) {
    const [path, setPath] = useState("");
    const [error, setError] = useState(null);
    const [busy, setBusy] = useState(false);
    const id = useId();
    const folder = path.slice(0, path.lastIndexOf("/")) || "/";
    const open = async (event, allowing) => {
        event.preventDefault();
        setBusy(true);
        setError(null);
        try {
            if (allowing) await post("/project/allow", { folder });
            added(await post("/programs", { path }));
            setPath("");
        } catch (failed) {
            setError(failed);
        }
        setBusy(false);
    };
    const uploaded = async ({ path: kept, name }) => {
        setBusy(true);
        setError(null);
        try {
            added(await post("/programs", { path: kept, name }));
        } catch (failed) {
            setError(failed);
        }
        setBusy(false);
    };
    const change = (text) => {
        setPath(text);
        setError(null);
    };
    return html`<form class="open" onSubmit=${open}>
        <label for=${id}>Open program</label>
        <div class="row">
            <${PathField} id=${id} placeholder="path of a program" value=${path} change=${change} invalid=${error} describedby="${id}-error" />
            <button class="primary" disabled=${busy || path === ""}>${busy ? "Opening …" : "Open"}</button>
            <${UploadButton} done=${uploaded} label="Upload a program …" />
        </div>
        <div id="${id}-error">
            ${error && html`<${ErrorNotice} error=${error} />`}
            ${error && path.startsWith("/") && /outside/.test(error.error ?? error.message) && html`<button type="button" onClick=${(event) => open(event, true)}>Allow the workbench to read ${folder}, and open</button>`}
        </div>
    </form>`;
}

/** The files of a program in addition to itself: the first names; the rest are in the list's tooltip. */
function Objects({ program }) {
    const others = program.objects.slice(1);
    if (program.objects.length === 0) return html`<span class="muted" title="Results name it; it has not been opened.">not read</span>`;
    if (others.length === 0) return html`<span class="muted">${program.is_static ? "static" : "no libraries"}</span>`;
    const shown = others.slice(0, others.length > 4 ? 3 : 4);
    const more = others.length - shown.length;
    return html`<span class="mono">${shown.map((one, at) => html`${at > 0 && ", "}<span title=${one.path}>${one.name}</span>`)}</span>${more > 0 && html` <a href=${address("program", { program: program.id })} title=${others.slice(shown.length).map((one) => one.name).join(", ")}>and ${integer(more)} more</a>`}`;
}

function Programs({ programs }) {
    if (programs.length === 0) return html`<${Notice} hint="Type its path above: a linked program for Alpha or AArch64. Or ask a question about the example.">There is no program in this project yet.<//>`;
    return html`<table class="plain">
        <thead>
            <tr>
                <th scope="col">Program</th>
                <th scope="col">File</th>
                <th scope="col">Objects</th>
                <th scope="col" class="number">Code</th>
                <th scope="col" class="number">Runs</th>
                <th scope="col"><span class="hidden">What to do</span></th>
            </tr>
        </thead>
        <tbody>
            ${programs.map((program) => html`<tr>
                <td class="name">${has("program") && program.name ? html`<a href=${address("program", { program: program.id })}>${program.name}</a>` : program.name || html`<span class="muted">not named</span>`}</td>
                <td class="mono path">${program.uploaded ? html`<span class="muted">uploaded</span>` : program.path}${program.changed && html` <span class="chip warning">another file now: its runs belong to the old one</span>`}${program.gone && html` <span class="chip warning">not there any more</span>`}</td>
                <td class="objects-of"><${Objects} program=${program} /></td>
                <td class="number">${bytes(program.text_bytes)}</td>
                <td class="number">${program.runs}</td>
                <td class="number">${has("run") && (program.path || program.kept) && html`<a class="button small" href=${address("run", { program: program.id })}>Run a tool</a>`}</td>
            </tr>`)}
        </tbody>
    </table>`;
}

function Runs({ runs, changed }) {
    if (runs.length === 0) return html`<${Notice} hint="Open a program, then choose a tool for it.">Nothing has been run yet.<//>`;
    return html`<${RunsTable} runs=${runs} changed=${changed} />`;
}

/** Results that exist already: of another program, or a folder of a colleague. */
function ImportResult({ added }) {
    const [path, setPath] = useState("");
    const [error, setError] = useState(null);
    const [busy, setBusy] = useState(false);
    const id = useId();
    const send = async (what) => {
        setBusy(true);
        setError(null);
        try {
            added(await post("/import", what));
            setPath("");
        } catch (failed) {
            setError(failed);
        }
        setBusy(false);
    };
    const submit = (event) => {
        event.preventDefault();
        send({ path });
    };
    return html`<form class="open import" onSubmit=${submit}>
        <label for=${id}>Import result</label>
        <div class="row">
            <${PathField} id=${id} placeholder="a folder of rows, or a file of callgrind, lcov or folded stacks" value=${path} change=${(text) => (setPath(text), setError(null))} invalid=${error} describedby="${id}-error" />
            <button disabled=${busy || path === ""}>${busy ? "Importing …" : "Import"}</button>
            <${UploadButton} done=${({ path: kept, name }) => send({ path: kept, name })} label="Upload a result …" />
        </div>
        <div id="${id}-error">${error && html`<${ErrorNotice} error=${error} />`}</div>
    </form>`;
}

function Saved() {
    const { value, error, reload } = useList("/views");
    const views = value?.views ?? [];
    const title = (name) => screens.find((screen) => screen.name === name)?.title ?? name;
    const remove_view = async (view) => {
        await remove(`/views/${view.id}`).catch(() => {}); // the file has been removed already, or the list shows the present state
        reload();
    };
    return html`<${ErrorNotice} error=${error} again=${reload} />
        ${value && views.length === 0 && html`<${Notice} hint="Save this screen, in the footer, keeps what a screen shows under a name: a run, a table, its filter, a procedure.">No screen has been saved yet.<//>`}
        ${views.length > 0 &&
        html`<table class="plain">
            <thead>
                <tr>
                    <th scope="col">Name</th>
                    <th scope="col">Screen</th>
                    <th scope="col">When</th>
                    <th scope="col"><span class="hidden">What to do</span></th>
                </tr>
            </thead>
            <tbody>
                ${views.map((view) => html`<tr key=${view.id}>
                    <td class="name"><a href=${address(view.screen, view.state)}>${view.name}</a></td>
                    <td>${title(view.screen)}</td>
                    <td>${moment(Date.parse(view.created))}</td>
                    <td class="number"><button class="small" aria-label="Remove ${view.name}" onClick=${() => remove_view(view)}>Remove</button></td>
                </tr>`)}
            </tbody>
        </table>`}`;
}

/** Campaigns are a file each; they are made on their screen. */
function Campaigns() {
    const { value, error, reload } = useList("/campaigns");
    const campaigns = value?.campaigns ?? [];
    return html`<${ErrorNotice} error=${error} again=${reload} />
        ${value && campaigns.length === 0 && html`<${Notice} hint=${html`<a href=${address("campaigns", {})}>Campaigns</a> makes many runs by one definition: programs, inputs, tools and values of parameters.`}>There is no campaign in this project yet.<//>`}
        ${campaigns.length > 0 &&
        html`<ul class="campaign-links">
            ${campaigns.map((one) => html`<li><a href=${address("campaigns", { name: one.name, part: "tables" })}>${one.title ?? one.name}</a> <span class="muted">${integer(one.programs)} ${one.programs === 1 ? "program" : "programs"}, ${integer(one.tools)} ${one.tools === 1 ? "tool" : "tools"}</span>${one.under_way && html` <span class="chip warning">under way</span>`}</li>`)}
        </ul>`}`;
}

export default function Project() {
    const project = useGet("/project");
    const programs = useList("/programs");
    const runs = useList("/runs?limit=20");
    const under_way = runs.value?.runs.some((run) => !isOver(run.state));
    useEffect(() => {
        const timer = under_way && setTimeout(runs.reload, 2000); // after each answer, as in Results
        return () => clearTimeout(timer);
    }, [runs.value, runs.error]);
    useCommand(project.value ? `atomc workbench ${quote(project.value.path)}` : undefined);
    const added = (program) => (has("program") ? go("program", { program: program.id }) : programs.reload());
    return html`<div class="row">
            <h1>${project.value?.name ?? "Project"}</h1>
            <span class="muted mono">${project.value?.path}</span>
            ${project.value?.read_only && html`<span class="chip warning">read only: ${project.value.read_only}</span>`}
            ${project.value?.waits && html`<span class="chip warning" title="Its disk is of several machines, where readers and a writer cannot work at once.">pages wait while results are added</span>`}
        </div>
        <${ErrorNotice} error=${project.error} again=${project.reload} />
        ${programs.value && project.value && !project.value.read_only && html`<${Questions} programs=${programs.value.programs} changed=${programs.reload} />`}
        <section class="pane" aria-label="Programs">
            <div class="head"><h2>Programs</h2></div>
            <div class="body">
                <${OpenProgram} added=${added} />
                ${project.value && !project.value.read_only && html`<p><a href=${address("source")}>Compile a source</a> <span class="muted">at several levels, change it, and compare the runs</span></p>`}
                <${ErrorNotice} error=${programs.error} again=${programs.reload} />
                ${programs.value ? html`<${Programs} programs=${programs.value.programs} />` : programs.loading && html`<${Waiting} />`}
            </div>
        </section>
        <section class="pane" aria-label="Latest runs">
            <div class="head"><h2>Latest runs</h2></div>
            <div class="body">
                <${ImportResult} added=${({ id }) => (has("results") ? go("results", { run: id }) : runs.reload())} />
                <${ErrorNotice} error=${runs.error} again=${runs.reload} />
                ${runs.value ? html`<${Runs} runs=${runs.value.runs} changed=${project.value?.read_only ? undefined : () => (runs.reload(), programs.reload())} />` : runs.loading && html`<${Waiting} />`}
            </div>
        </section>
        <section class="pane" aria-label="Saved screens">
            <div class="head"><h2>Saved screens</h2></div>
            <div class="body"><${Saved} /></div>
        </section>
        <section class="pane" aria-label="Campaigns">
            <div class="head"><h2>Campaigns</h2></div>
            <div class="body"><${Campaigns} /></div>
        </section>`;
}
