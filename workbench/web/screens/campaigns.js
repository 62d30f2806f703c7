// campaigns.js: many runs by one definition: it is written as a form or as text, run, followed, and its results are
// shown as tables and charts. State: name (of the campaign; none: the list), title (of a new one), part (definition,
// runs, tables), view (form, json), engine, jobs, slurm, hosts; of tables: value, report, rows, columns, panels, over,
// summary, chart (lines, bars, scatter, none), against (the other value of scatter), axis (log), scale (own).
import { address } from "../address.js";
import { post, put, remove, useGet } from "../api.js";
import { CampaignForm } from "../parts/campaign_form.js";
import { CampaignRuns, useRuns } from "../parts/campaign_runs.js";
import { CampaignTables } from "../parts/campaign_tables.js";
import { CampaignText } from "../parts/campaign_text.js";
import { Command, FooterLine, quoteAll, useCommand } from "../parts/command.js";
import { bytes, integer, moment, seconds } from "../parts/format.js";
import { pathAt, placeOf, readPlaces, writeJson } from "../parts/json_places.js";
import { ErrorNotice, Notice, Waiting } from "../parts/notice.js";
import { html, useEffect, useMemo, useRef, useState } from "../lib/preact.js";

const fileName = (title) =>
    title
        .normalize("NFKD")
        .replace(/[^A-Za-z0-9_.-]+/g, "-")
        .replace(/^[-.]+|-+$/g, "")
        .slice(0, 60);
const pathOf = (name) => `/campaigns/${encodeURIComponent(name)}`;
const engines = [
    ["local", "this machine"],
    ["parallel", "GNU parallel"],
    ["slurm", "Slurm"],
    ["list", "a list of commands"],
];

// ---- the list ----

function List({ change }) {
    const { value, error, reload } = useGet("/campaigns");
    const [title, setTitle] = useState("");
    const [failed, setFailed] = useState(null);
    const campaigns = value?.campaigns ?? [];
    const name = fileName(title);
    const there = campaigns.some((one) => one.name === name);
    useCommand("atomc campaign --help");
    const make = (event) => {
        event.preventDefault();
        if (name && !there) change({ name, title });
    };
    const forget = async (one) => {
        setFailed(null);
        try {
            await remove(pathOf(one.name));
        } catch (problem) {
            setFailed(problem);
        }
        reload();
    };
    return html`<h1>Campaigns</h1>
        <form class="row open" onSubmit=${make}>
            <input class="path" aria-label="Title of a new campaign" placeholder="title of a new campaign, such as: cache sizes" value=${title} aria-invalid=${there ? "true" : undefined} onInput=${(event) => setTitle(event.target.value)} />
            <button class="primary" disabled=${!name || there}>New campaign</button>
            <span class="muted">${there ? "there is one of this name" : name ? `campaigns/${name}.json` : ""}</span>
        </form>
        <${ErrorNotice} error=${error ?? failed} again=${error && reload} />
        ${!value && !error && html`<${Waiting} />`}
        ${value && campaigns.length === 0 && html`<${Notice} hint="Programs, inputs, tools and values of parameters, each with each: a definition asks for the runs, makes them here or on a cluster, and puts what they count into tables and charts.">This project has no campaigns yet. Give one a title above.<//>`}
        ${campaigns.length > 0 &&
        html`<section class="pane" aria-label="Campaigns">
            <div class="body flush">
                <table class="plain">
                    <thead><tr><th scope="col">Campaign</th><th scope="col">File</th><th scope="col" class="number">Programs</th><th scope="col" class="number">Tools</th><th scope="col">Changed</th><th scope="col">State</th><th scope="col"><span class="hidden">Remove</span></th></tr></thead>
                    <tbody>
                        ${campaigns.map((one) => html`<tr>
                            <td><a href=${address("campaigns", { name: one.name })}>${one.title ?? one.name}</a></td>
                            <td class="mono">campaigns/${one.name}.json</td>
                            <td class="number">${one.programs}</td>
                            <td class="number">${one.tools}</td>
                            <td>${moment(one.changed)}</td>
                            <td>${one.under_way ? html`<span class="chip warning">under way</span>` : ""}</td>
                            <td class="number"><button class="small" disabled=${one.under_way} aria-label="Remove ${one.title ?? one.name}" title="its runs and their results stay" onClick=${() => forget(one)}>Remove</button></td>
                        </tr>`)}
                    </tbody>
                </table>
            </div>
        </section>`}`;
}

// ---- one campaign ----

const draftKey = (name) => `atomc campaign ${name}`;
const draftOf = (name) => {
    try {
        return JSON.parse(sessionStorage.getItem(draftKey(name)));
    } catch {
        return null;
    }
};

/** The definition's text: the saved text, and the edited text, which is kept while the window is open. */
function useDefinition(name, title) {
    const saved = useGet(pathOf(name));
    const is_new = saved.error?.status === 404;
    const template = `${writeJson({ campaign: title || name, programs: [], tools: [] })}\n`;
    const [draft, setDraft] = useState(() => draftOf(name));
    const text = draft?.text ?? saved.value?.text ?? (is_new ? template : null);
    const digest = draft?.digest ?? saved.value?.digest;
    const keep = (next) => {
        setDraft(next);
        if (next) sessionStorage.setItem(draftKey(name), JSON.stringify(next));
        else sessionStorage.removeItem(draftKey(name));
    };
    useEffect(() => {
        if (draft?.is_saved && draft.before !== saved.value) setDraft(null);
    }, [draft, saved.value]);
    const is_changed = (draft !== null || is_new) && !draft?.is_saved;
    const change = (next) => keep(next === saved.value?.text ? null : { text: next, digest });
    const save = async (replacing = digest) => {
        const answer = is_new ? await post("/campaigns", { name, text }) : await put(pathOf(name), { text, digest: replacing });
        sessionStorage.removeItem(draftKey(name));
        setDraft({ text, digest: answer.digest ?? digest, is_saved: true, before: saved.value }); // the definition must be read again
        saved.reload();
        return answer;
    };
    return { text, is_new, error: is_new ? undefined : saved.error, reload: saved.reload, changed: is_changed, change, save, drop: () => keep(null) };
}

/** The output of `atomc campaign plan` for a text, a moment after it was changed. */
function usePlan(name, text, turn) {
    const [plan, setPlan] = useState({});
    useEffect(() => {
        if (text === null) return undefined;
        const control = new AbortController();
        const timer = setTimeout(() => {
            post("/campaigns/plan", { text, document: name }, { signal: control.signal }).then(
                (value) => setPlan({ text, ...value }),
                (error) => error.name === "AbortError" || error.status === 409 || setPlan({ text, error, diagnostics: [] }),
            );
        }, 200);
        return () => {
            clearTimeout(timer);
            control.abort();
        };
    }, [text, turn]);
    return plan;
}

/** What a definition that was just begun has not yet. */
function notChosen(text) {
    try {
        const { programs, tools } = JSON.parse(text);
        return [programs?.length === 0 && "a program", tools?.length === 0 && "a tool"].filter(Boolean).join(" and ");
    } catch {
        return "";
    }
}

function PlanLine({ plan, text }) {
    if (plan.text === undefined) return html`<span class="muted">…</span>`;
    if (plan.runs === undefined && notChosen(text)) return html`<span class="muted">First choose ${notChosen(text)}.</span>`;
    if (plan.runs === undefined) return html`<span class="wrong">${plan.error ? "the plan cannot be made" : `${plan.diagnostics.filter((one) => one.severity !== "warning").length} to be mended`}</span>`;
    const time = plan.pending === 0 ? "" : plan.seconds === null ? "; how long they take is not known: there was no run like these" : `; about ${seconds(plan.seconds / plan.at_once)} with ${plan.at_once} at once, ${bytes(plan.bytes)}, by ${plan.by} earlier runs`;
    return html`<span class=${plan.text === text ? "" : "muted"}><b class="run-count">${integer(plan.runs)} ${plan.runs === 1 ? "run" : "runs"}</b>: ${integer(plan.whole)} exist, ${integer(plan.pending)} to make${plan.failed ? `, ${integer(plan.failed)} have failed` : ""}${plan.same ? `, ${integer(plan.same)} the same as others` : ""}${time}</span>`;
}

function Definition({ state, set, text, plan, change }) {
    const read = useMemo(() => readPlaces(text), [text]);
    // Errors of an earlier text have other positions.
    const last = useRef([]);
    if (plan.text === text) last.current = plan.diagnostics ?? [];
    const diagnostics = last.current;
    const errors = useMemo(() => {
        const found = new Map();
        for (const one of diagnostics) {
            const path = one.line ? pathAt(read, placeOf(text, one.line, one.column)) : "";
            found.set(path, [...(found.get(path) ?? []), one.hint ? `${one.message} (${one.hint})` : one.message]);
        }
        return found;
    }, [diagnostics, read]);
    const view = state.view ?? "form";
    const edit = (work) => {
        const copy = structuredClone(read.value);
        work(copy);
        change(`${writeJson(copy)}\n`);
    };
    const tab = (key, title) => html`<button type="button" role="tab" id="definition-${key}" aria-controls="definition-panel" aria-selected=${String(view === key)} tabindex=${view === key ? 0 : -1} onClick=${() => set({ view: key === "form" ? undefined : key })} onKeyDown=${(event) => ["ArrowLeft", "ArrowRight"].includes(event.key) && set({ view: view === "form" ? "json" : undefined })}>${title}</button>`;
    return html`<div class="row">
            <div role="tablist" aria-label="Views of the definition">${tab("form", "Form")}${tab("json", "JSON")}</div>
        </div>
        <${ErrorNotice} error=${plan.text === text ? plan.error : undefined} />
        <div role="tabpanel" id="definition-panel" aria-labelledby="definition-${view}">
            ${view === "json"
                ? html`<${CampaignText} text=${text} diagnostics=${diagnostics} change=${change} />`
                : read.error
                  ? html`<${Notice} kind="error" hint=${read.error} action=${html`<button type="button" onClick=${() => set({ view: "json" })}>Show the text</button>`}>The text is no JSON: the form cannot show it.<//>`
                  : html`<${CampaignForm} value=${read.value} errors=${errors} change=${edit} />`}
        </div>`;
}

/** The engine that makes the runs, and the buttons. */
function Engine({ state, set, plan, live, busy, start, stop }) {
    const engine = state.engine ?? "local";
    const wrong = plan.runs === undefined;
    const failed = plan.failed > 0;
    const field = (key, label, placeholder, narrow) => html`<label class="inline">${label} <input class=${narrow ? "tiny" : "mono"} placeholder=${placeholder} value=${state[key] ?? ""} onInput=${(event) => set({ [key]: narrow ? event.target.value.replace(/\D/g, "") : event.target.value })} /></label>`;
    return html`<div class="row engine">
        <label class="inline">Runs by <select value=${engine} onChange=${(event) => set({ engine: event.target.value === "local" ? undefined : event.target.value })}>
            ${engines.map(([key, title]) => html`<option value=${key} selected=${key === engine}>${title}</option>`)}
        </select></label>
        ${engine !== "slurm" && engine !== "list" && field("jobs", "at once", plan.at_once ?? "", true)}
        ${engine === "parallel" && field("hosts", "machines", "a file, as --sshloginfile")}
        ${engine === "slurm" && field("slurm", "words for sbatch", "--partition=short")}
        <span class="spacer"></span>
        ${live
            ? html`<button disabled=${busy} onClick=${stop}>${busy ? "Stopping …" : "Stop"}</button>`
            : html`${failed && html`<button disabled=${busy || wrong} onClick=${() => start(true)} title="those that failed, too">Resume</button>`}
                  <button class="primary" disabled=${busy || wrong || (plan.pending === 0 && engine !== "list")} title=${wrong ? "mend the definition first" : plan.pending === 0 ? "all runs are there" : ""} onClick=${() => start(false)}>
                      ${engine === "list" ? "List the commands" : plan.pending > 0 && plan.whole > 0 ? (plan.pending === 1 ? "Run the one that is missing" : `Run the ${integer(plan.pending)} that are missing`) : "Run"}
                  </button>`}
    </div>`;
}

function startWords(/** @type {{ name: any, state: any, resume?: any }} */ { name, state, resume }) {
    return quoteAll(["atomc", "campaign", resume ? "resume" : "run", `campaigns/${name}.json`, ...(state.engine ? [`--engine=${state.engine}`] : []), ...(state.jobs ? [`--jobs=${state.jobs}`] : []), ...(state.hosts && state.engine === "parallel" ? [`--hosts=${state.hosts}`] : []), ...(state.slurm && state.engine === "slurm" ? [`--slurm=${state.slurm}`] : [])]);
}

function Campaign({ state, change }) {
    const { name } = state;
    const set = (more, replace = true) => change({ ...state, ...more }, { replace });
    const definition = useDefinition(name, state.title);
    const { text } = definition;
    const followed = useRuns(name, text !== null && !definition.is_new);
    const { status, live, runs, said } = followed;
    const plan = usePlan(name, text, `${live} ${said?.status}`);
    const [failed, setFailed] = useState(null);
    const [busy, setBusy] = useState(false);
    const [list, setList] = useState(null);
    const part = state.part ?? "definition";
    const title = useMemo(() => readPlaces(text ?? "null").value?.campaign, [text]) ?? name;
    const dimensions = status?.dimensions ?? [];
    const varying = useMemo(() => dimensions.filter((one) => new Set(runs.map((run) => run.values[one])).size > 1), [dimensions, runs]);
    const attempt = async (work) => {
        setFailed(null);
        setBusy(true);
        try {
            await work();
        } catch (problem) {
            setFailed(problem);
        }
        setBusy(false);
    };
    const save = (digest) => attempt(async () => (await definition.save(digest), followed.reload()));
    const start = (resume) =>
        attempt(async () => {
            if (definition.changed) await definition.save();
            const answer = await post(`${pathOf(name)}/start`, { engine: state.engine ?? "local", resume, jobs: state.jobs ? Number(state.jobs) : undefined, hosts: state.engine === "parallel" ? state.hosts || undefined : undefined, slurm: state.engine === "slurm" ? state.slurm || undefined : undefined });
            setList(answer.list ?? null);
            if (answer.list === undefined) {
                set({ part: "runs", title: undefined });
                followed.reload();
            }
        });
    const stop = () => attempt(() => post(`${pathOf(name)}/stop`));
    if (definition.error) return html`<${ErrorNotice} error=${definition.error} again=${definition.reload} />`;
    if (text === null) return html`<${Waiting} />`;
    const parts = [["definition", "Definition"], ["runs", "Runs"], ["tables", "Tables and charts"]];
    const onTab = (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const next = parts[(parts.findIndex(([key]) => key === part) + step + parts.length) % parts.length][0];
        set({ part: next }, false);
        document.getElementById(`campaign-${next}`)?.focus();
    };
    const conflict = failed?.status === 409 && failed.where?.text !== undefined;
    const exit = said && said.status !== 0 && html`<${Notice} kind="warning"><pre class="output">${said.said}</pre><//>`;
    return html`<div class="row">
            <h1><a href=${address("campaigns")}>Campaigns</a> <span class="muted" aria-hidden="true">/</span> ${title}</h1>
            ${definition.changed && html`<span class="chip">${definition.is_new ? "new" : "not saved"}</span>`}
            <span class="spacer"></span>
            ${definition.changed && !definition.is_new && html`<button onClick=${definition.drop}>Undo the changes</button>`}
            ${definition.changed && html`<button disabled=${busy || plan.runs === undefined || plan.text !== text} onClick=${() => save()}>Save</button>`}
        </div>
        <div class="row plan" role="status"><${PlanLine} plan=${plan} text=${text} /></div>
        <${Engine} state=${state} set=${set} plan=${plan} live=${live} busy=${busy} start=${start} stop=${stop} />
        ${conflict
            ? html`<${Notice} kind="error" hint="What is there:" action=${html`<div class="row"><button onClick=${() => (definition.drop(), definition.reload(), setFailed(null))}>Take what is there</button><button onClick=${() => save(failed.where.digest)}>Save this in its place</button></div>`}>${failed.error}<pre class="output">${failed.where.text}</pre><//>`
            : html`<${ErrorNotice} error=${failed} />`}
        ${list !== null && html`<section class="pane" aria-label="Commands of the runs"><div class="head"><h2>A command for each run that is missing</h2><span class="spacer"></span><button class="small" onClick=${() => setList(null)}>Close</button></div><div class="body"><${Command} text=${list.trim()} /></div></section>`}
        <section class="pane campaign" aria-label="Campaign ${title}">
            <div class="head">
                <div role="tablist" aria-label="Parts of the campaign">
                    ${parts.map(([key, words]) => html`<button type="button" role="tab" id="campaign-${key}" aria-controls="campaign-panel" aria-selected=${String(part === key)} tabindex=${part === key ? 0 : -1} onClick=${() => set({ part: key }, false)} onKeyDown=${onTab}>${words}${key === "runs" && live ? html` <span class="live" title="under way">●</span>` : ""}</button>`)}
                </div>
            </div>
            <div class="body stack" role="tabpanel" id="campaign-panel" aria-labelledby="campaign-${part}" tabindex="0">
                ${part !== "tables" && html`<${FooterLine} key=${part} command=${part === "definition" ? `atomc campaign plan campaigns/${name}.json` : live ? `atomc campaign status campaigns/${name}.json` : startWords({ name, state })} />`}
                ${part === "definition" && html`<${Definition} state=${state} set=${set} text=${text} plan=${plan} change=${definition.change} />`}
                ${part !== "definition" && definition.is_new && html`<${Notice}>The campaign is not saved yet: its runs are made by the button Run.<//>`}
                ${part !== "definition" && !definition.is_new && html`<${ErrorNotice} error=${followed.error} again=${followed.reload} />`}
                ${part !== "definition" && definition.changed && !definition.is_new && html`<${Notice}>The definition has changes that are not saved: the saved one is shown.<//>`}
                ${part === "runs" && !definition.is_new && html`${exit}${status ? html`<${CampaignRuns} runs=${runs} dimensions=${dimensions} live=${live} progress=${followed.progress} /> ${!live && runs.some((run) => run.id) && html`<div class="row"><a class="button" href=${address("campaigns", { ...state, part: "tables" })}>Tables and charts</a></div>`}` : !followed.error && html`<${Waiting} />`}`}
                ${part === "tables" && !definition.is_new && status && html`<${CampaignTables} name=${name} state=${state} set=${set} dimensions=${dimensions} varying=${varying} turn=${runs.filter((run) => run.id).length} />`}
            </div>
        </section>`;
}

export default function Campaigns({ state, change }) {
    return state.name ? html`<${Campaign} key=${state.name} state=${state} change=${change} />` : html`<${List} change=${change} />`;
}
