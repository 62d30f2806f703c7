// run.js: a program, tools with their parameters, arguments and input: requests the run and shows it in progress.
// State: program (its number), tools (names, with commas), TOOL.PARAMETER (those that are not the default), objects, arguments
// (as in a shell), input (a path), environment (NAME=VALUE as in a shell), files (NAME=PATH likewise: what the program
// finds in its folder), seconds, memory, output (limits), isolation, check (the output), run (the one that is shown).
import { address } from "../address.js";
import { Failure, get, post, query, useGet, useList } from "../api.js";
import { aboutOf, grouped, toolName, toolPath } from "../groups.js";
import { Command, quote, quoteAll, split, useCommand } from "../parts/command.js";
import { ParameterForm, parameterOf, typedValue, wrong } from "../parts/form.js";
import { moment, seconds, when } from "../parts/format.js";
import { Live, isOver } from "../parts/live.js";
import { ErrorNotice, Notice, Waiting } from "../parts/notice.js";
import { Presets } from "../parts/presets.js";
import { titlesOf } from "../parts/program_titles.js";
import { FileField, useUploads } from "../parts/upload.js";
import { html, useEffect, useMemo, useState } from "../lib/preact.js";
import { screens } from "../screens.js";

const has_results = screens.some((screen) => screen.name === "results");
const toolsOf = (state) => (state.tools ?? "").split(",").filter(Boolean);

/** The values for a tool, by name of the parameter. */
const givenOf = (state, tool) =>
    Object.fromEntries(Object.entries(state).flatMap(([key, value]) => (key.startsWith(`${tool}.`) ? [[key.slice(tool.length + 1), value]] : [])));

/** The file that is instrumented: if the original is another one now, the copy in the project, to which the counts belong. */
const pathOf = (program) => ((program.changed || program.gone) && program.copy ? program.copy : program.path);

/** The path of an upload, for a shell. */
const inProject = (program, path) => (/^objects\//.test(path) && program.copy ? program.copy.replace(/objects\/[^/]*\/[^/]*$/, path) : path);

/** [NAME, PATH] of each file. */
const filesOf = (state) => split(state.files ?? "").words.map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]);

/** The words of the commands that a run executes, for a shell; packages: the setting that finds the project's tools, if one of them is used. */
export function commandsOf(state, program, packages) {
    const tools = toolsOf(state).flatMap((tool) => ["-t", tool, ...Object.entries(givenOf(state, tool)).flatMap(([name, value]) => ["-D", `${name}=${value}`])]);
    const options = state.objects ? [`--objects=${state.objects}`] : [];
    const words = split(state.arguments ?? "").words;
    const environment = split(state.environment ?? "").words;
    const before = environment.length ? `env ${quoteAll(environment)} ` : "";
    const own = packages ? `${packages} ` : "";
    const input = state.input ? ` <${quote(inProject(program, state.input))}` : "";
    const name = program.name;
    const path = pathOf(program);
    return {
        instrument: own + quoteAll(["atomc", ...tools, ...options, path, "-o", `${name}.atom`]),
        run: `${before}${quoteAll([program.emulator, "-0", program.name, `${name}.atom`, ...words])}${input}`,
        both: `${own}${before}${quoteAll(["atomc", "run", ...tools, ...options, "--", path, ...words])}${input}`,
    };
}

function jobOf(state, program, abouts) {
    const typed = (about, name, text) => typedValue(about?.parameters.find((parameter) => parameter.name === name), text);
    const limits = Object.entries({ seconds: state.seconds, memory_mb: state.memory, output_mb: state.output }).filter(([, value]) => value);
    return {
        program: { path: pathOf(program), name: program.name },
        objects: state.objects || undefined,
        tools: toolsOf(state).map((name) => ({
            name,
            parameters: Object.fromEntries(Object.entries(givenOf(state, name)).map(([key, text]) => [key, typed(abouts[name], key, text)])),
        })),
        arguments: split(state.arguments ?? "").words,
        input: state.input ? { path: state.input } : undefined,
        environment: Object.fromEntries(split(state.environment ?? "").words.map((word) => [word.split("=")[0], word.slice(word.indexOf("=") + 1)])),
        files: state.files ? filesOf(state).map(([as, path]) => ({ as, path })) : undefined,
        isolation: state.isolation || undefined,
        check_output: state.check ? true : undefined,
        limits: limits.length ? Object.fromEntries(limits.map(([key, value]) => [key, Number(value)])) : undefined,
    };
}

/** The form of a run that was made: the state for jobOf. */
export function stateOfRun(run) {
    const job = run.job ?? {};
    const limit = (key, usual) => (job.limits?.[key] === usual ? "" : job.limits?.[key]);
    const name = (tool) => tool.name ?? tool.path;
    return {
        program: run.program,
        tools: (job.tools ?? []).map(name).join(","),
        ...Object.fromEntries((job.tools ?? []).flatMap((tool) => Object.entries(tool.parameters ?? {}).map(([key, value]) => [`${name(tool)}.${key}`, String(value)]))),
        objects: job.objects ?? "",
        arguments: quoteAll(job.arguments ?? []),
        input: job.input?.path,
        environment: quoteAll(Object.entries(job.environment ?? {}).map(([key, value]) => `${key}=${value}`)),
        files: quoteAll((job.files ?? []).map(({ as, path }) => `${as}=${path}`)),
        isolation: job.isolation === "any" ? "" : job.isolation,
        check: job.check_output ? "1" : "",
        seconds: limit("seconds", 300),
        memory: limit("memory_mb", 2048),
        output: limit("output_mb", 64),
    };
}

/** The reasons why the run cannot be made, as text; empty: it can be made. */
function missing(state, program, errors) {
    const reasons = [];
    if (!program) reasons.push("choose a program");
    if (toolsOf(state).length === 0) reasons.push("choose a tool");
    if (split(state.arguments ?? "").error) reasons.push("mend the arguments");
    if (split(state.environment ?? "").error || split(state.environment ?? "").words.some((word) => !/^[^=]+=/.test(word))) reasons.push("mend the environment");
    if (filesOf(state).some(([as, path]) => !as || !path)) reasons.push("name the files");
    if (Object.values(errors).some((of) => Object.keys(of).some((name) => name !== ""))) reasons.push("mend the parameters");
    return reasons;
}

/** Chosen tools, in atomc's description: { NAME: about }. */
function useAbouts(names) {
    const [abouts, setAbouts] = useState({});
    useEffect(() => {
        let current = true;
        for (const name of names) {
            if (abouts[name]) continue;
            get(toolPath(name)).then(
                (value) => current && setAbouts((before) => ({ ...before, [name]: aboutOf(value, name) })),
                (error) => current && setAbouts((before) => ({ ...before, [name]: { error } })),
            );
        }
        return () => (current = false);
    }, [names.join(",")]);
    return abouts;
}

/** atomc's diagnostics for the tools, their parameters and the program, a moment after the last change: { errors,
    warnings }, by tool. */
function useChecks(state, abouts, program) {
    const [checks, setChecks] = useState({ errors: {}, warnings: {} });
    const asked = toolsOf(state).filter((tool) => abouts[tool]?.parameters);
    const key = JSON.stringify([program?.id, state.objects, asked.map((tool) => [tool, givenOf(state, tool)])]);
    useEffect(() => {
        const control = new AbortController();
        const check = async (tool, errors, warnings) => {
            const given = givenOf(state, tool);
            errors[tool] = Object.fromEntries(abouts[tool].parameters.flatMap((one) => (one.name in given && wrong(one, given[one.name]) ? [[one.name, wrong(one, given[one.name])]] : [])));
            warnings[tool] = [];
            if (Object.keys(errors[tool]).length > 0 || (!program && Object.keys(given).length === 0)) return;
            const body = { tool, parameters: given, program: program?.id, objects: program && state.objects, document: `run ${tool}` };
            const { diagnostics } = await post("/check", body, { signal: control.signal });
            for (const one of diagnostics) {
                if (one.severity === "error") errors[tool][parameterOf(one) ?? ""] = one.message.replace(/^-D:? ?/, "");
                // Diagnostics in included files that concern only some parameter values are not shown.
                else if (!one.file || one.file.endsWith(`/${tool.split("/").pop()}.atd`)) warnings[tool].push(one);
            }
        };
        const timer = setTimeout(async () => {
            const [errors, warnings] = [{}, {}];
            for (const tool of asked) {
                try {
                    await check(tool, errors, warnings);
                } catch (error) {
                    if (error.name === "AbortError") return;
                    // It is unknown whether the condition holds; a run reports it, too.
                }
            }
            setChecks({ errors, warnings });
        }, 250);
        return () => {
            clearTimeout(timer);
            control.abort();
        };
    }, [key]);
    return checks;
}

/** Names of the program's procedures that match a pattern, as far as it is typed. */
function usePatternNames(program) {
    const [find, setFind] = useState(null);
    const { value } = useGet(program && find !== null ? `/programs/${program.id}/procedures${query({ find, limit: 50 })}` : null);
    const names = (value?.rows ?? []).map((one) => one.name);
    return (parameter) => (/\bprocedures\b.*\bpattern\b/.test(parameter.help ?? "") ? { names: [...new Set(names)], typed: (text) => setFind(text.replace(/[*?].*/, "")) } : undefined);
}

function ProgramPane({ state, set, programs, program, abouts }) {
    const detail = useGet(program ? `/programs/${program.id}` : null);
    const objects = detail.value?.objects ?? [];
    const needed = toolsOf(state).flatMap((tool) => abouts[tool]?.objects?.split(",") ?? []);
    const chosen = state.objects ? state.objects.split(",") : ["main", ...needed];
    const others = objects.filter((object) => object.role !== "main");
    const toggle = (name, on) => {
        const next = chosen.filter((one) => one !== name).concat(on ? [name] : []);
        set({ objects: needed.length === 0 && next.length === 1 && next[0] === "main" ? undefined : next.join(",") });
    };
    const titles = titlesOf(programs);
    const box = (name, title, note) => html`<div>
        <label class="check">
            <input type="checkbox" checked=${chosen.includes(name) || (chosen.includes("all") && name !== "all")} disabled=${name === "main" || (chosen.includes("all") && name !== "all")} onChange=${(event) => toggle(name, event.target.checked)} />
            <span class="mono">${title}</span> <span class="muted">${note}</span>
        </label>
    </div>`;
    return html`<section class="pane" aria-label="Program">
        <div class="head"><h2>1. Program</h2></div>
        <div class="body">
            ${programs.length === 0
                ? html`<${Notice} action=${html`<a class="button" href=${address("project")}>Open a program</a>`}>There is no program in this project yet.<//>`
                : html`<div class="field">
                      <label for="run-program">Program</label>
                      <select id="run-program" onChange=${(event) => set({ program: event.target.value, objects: undefined })}>
                          ${!program && html`<option value="" selected>choose …</option>`}
                          ${programs.map((one) => html`<option value=${one.id} title=${one.path} selected=${one.id === program?.id}>${titles.get(one.id)}</option>`)}
                      </select>
                      <span class="help mono">${program && (program.uploaded ? "uploaded into the project" : pathOf(program))}</span>
                      ${program && (program.changed || program.gone) && html`<span class="help">The original is ${program.gone ? "not there any more" : "another file now"}: this is the project's copy.</span>`}
                  </div>`}
            ${program && html`<h3>Objects</h3>`}
            <${ErrorNotice} error=${detail.error} again=${detail.reload} />
            ${program && detail.value && others.length === 0 && html`<p class="muted">It is linked statically: all of it is instrumented.</p>`}
            ${others.length > 0 && html`${box("main", program.name, "the program itself")} ${others.map((object) => box(object.name, object.name, object.role))}`}
        </div>
    </section>`;
}

/** atomc's warnings before the run. Parts of a tool may select no place, because a parameter excludes them. */
function Warnings({ tool, all }) {
    const nothing = all.filter((one) => one.id === "NOTHING_SELECTED");
    const whole = all.filter((one) => one.id === "NOTHING_FOR_TOOL"); // for a stock tool, in one sentence
    const others = all.filter((one) => !nothing.includes(one) && !whole.includes(one));
    const lines = nothing.map((one) => html`<div>line ${one.line}: ${one.hint ?? one.message}</div>`);
    return html`${nothing.length > 0 &&
        html`<${Notice} kind="warning" hint=${lines}>
            ${nothing.length === 1 ? "One part" : `${nothing.length} parts`} of ${tool} ${nothing.length === 1 ? "selects" : "select"} nothing in this program. It can be run all the same.
        <//>`}
        ${whole.map((one) => html`<${Notice} kind="warning" hint=${one.hint}>${one.message}. It can be run all the same.<//>`)}
        ${others.map((one) => html`<${Notice} kind="warning" hint=${one.hint}>${one.message}<//>`)}`;
}

function ToolsPane({ state, set, change, tools, abouts, errors, warnings, program }) {
    const names = usePatternNames(program);
    const chosen = toolsOf(state);
    const without = (name) => Object.fromEntries(Object.entries(state).filter(([key]) => !key.startsWith(`${name}.`)));
    const add = (event) => event.target.value && set({ tools: [...chosen, event.target.value].join(",") });
    const remove = (name) => change({ ...without(name), tools: chosen.filter((one) => one !== name).join(",") });
    const groups = useMemo(() => grouped(tools), [tools]);
    return html`<section class="pane" aria-label="Tools">
        <div class="head"><h2>2. Tools</h2></div>
        <div class="body stack">
            <div class="field">
                <label for="run-tool">${chosen.length ? "Add a tool" : "Tool"}</label>
                <select id="run-tool" onChange=${add} value="">
                    <option value="">choose …</option>
                    ${groups.map((group) => html`<optgroup label=${group.title}>
                        ${group.tools.filter((tool) => !chosen.includes(toolName(tool))).map((tool) => html`<option value=${toolName(tool)}>${tool.name}: ${tool.description}</option>`)}
                    </optgroup>`)}
                </select>
                ${chosen.length === 0 && html`<span class="help">prof is a good beginning. <a href=${address("tools", { program: state.program })}>What each does</a></span>`}
            </div>
            ${chosen.map((name) => html`<section class="chosen" key=${name} aria-label=${name}>
                <div class="row">
                    <h3><a href=${address("tools", { tool: name, program: state.program })}>${name}</a></h3>
                    <span class="muted description">${abouts[name]?.description}</span>
                    <span class="spacer" />
                    <button class="small" aria-label="Remove ${name}" onClick=${() => remove(name)}>Remove</button>
                </div>
                ${abouts[name]?.error && html`<${ErrorNotice} error=${abouts[name].error} />`}
                ${abouts[name]?.parameters && html`<${Presets} name=${name} of_package=${abouts[name].presets} given=${givenOf(state, name)} choose=${(texts) => change({ ...without(name), ...Object.fromEntries(Object.entries(texts).map(([key, text]) => [`${name}.${key}`, text])) }, { replace: true })} />`}
                ${abouts[name]?.parameters && html`<${ParameterForm} parameters=${abouts[name].parameters} given=${givenOf(state, name)} errors=${errors[name]} names=${names} change=${(parameter, text) => set({ [`${name}.${parameter}`]: text })} />`}
                ${errors[name]?.[""] && html`<${Notice} kind="error">${errors[name][""]}<//>`}
                <${Warnings} tool=${name} all=${warnings[name] ?? []} />
            </section>`)}
        </div>
    </section>`;
}

const isolations = [
    { value: "", title: "a sandbox, if there is one", help: "bubblewrap's if it is installed and the system allows it, else as plain" },
    { value: "sandbox", title: "a sandbox (bubblewrap)", help: "A fixed folder, no network, nothing else can be written: the same job gives the same bytes. The run fails where there is no sandbox." },
    { value: "plain", title: "plain", help: "A new folder in /var/tmp, with all your rights and the network: for programs that need them. Addresses can depend on it, so counts can differ a little." },
];

/** Files that the program finds in its folder. */
function Files({ state, set, uploads }) {
    const files = filesOf(state);
    const put = (next) => set({ files: quoteAll(next.map(([as, path]) => `${as}=${path}`)) });
    const at = (index, value) => put(files.map((one, other) => (other === index ? value : one)));
    const last = (path) => path.slice(path.lastIndexOf("/") + 1);
    return html`<div class="field" role="group" aria-label="Files">
        <span class="label">Files</span>
        ${files.map(([as, path], index) => html`<div class="given" key=${index}>
            <input class="mono" aria-label="Name in the program's folder, of file ${index + 1}" placeholder="name in the program's folder" value=${as} aria-invalid=${as ? undefined : "true"} onInput=${(event) => at(index, [event.target.value.replaceAll("=", ""), path])} />
            <${FileField} id=${`run-file-${index}`} what=${`file ${index + 1}`} is_removed placeholder="path of the file" value=${path} all=${uploads} change=${(next, name) => at(index, [as || name || last(next), next])} />
            <button type="button" class="small" aria-label="Remove file ${index + 1}" onClick=${() => put(files.filter((_, other) => other !== index))}>Remove</button>
        </div>`)}
        <div class="row">
            <button type="button" class="small" onClick=${() => put([...files, ["", ""]])}>Add a file</button>
            <span class="muted">that the program finds in its folder</span>
        </div>
    </div>`;
}

function InputPane({ state, set, uploads }) {
    const typed = split(state.arguments ?? "");
    const environment = split(state.environment ?? "");
    const stray = environment.words.find((word) => !/^[^=]+=/.test(word));
    const number = (key, title, fallback) => html`<div class="field">
        <label for="run-${key}">${title}</label>
        <input id="run-${key}" inputmode="numeric" placeholder=${fallback} value=${state[key] ?? ""} onInput=${(event) => set({ [key]: event.target.value.replace(/\D/g, "") })} />
    </div>`;
    return html`<section class="pane" aria-label="Arguments and input">
        <div class="head"><h2>3. Arguments and input</h2></div>
        <div class="body">
            <div class="field">
                <label for="run-arguments">Arguments</label>
                <input id="run-arguments" class="mono" autocomplete="off" spellcheck="false" placeholder="none" value=${state.arguments ?? ""} aria-invalid=${typed.error ? "true" : undefined} aria-describedby="run-arguments-help" onInput=${(event) => set({ arguments: event.target.value })} />
                <span id="run-arguments-help" class=${typed.error ? "wrong" : "help"}>${typed.error ?? "as in a shell: quotation marks keep blanks"}</span>
            </div>
            <div class="field">
                <label for="run-input">Standard input</label>
                <${FileField} id="run-input" what="standard input" placeholder="none: it is empty" value=${state.input} change=${(input) => set({ input })} all=${uploads} describedby="run-input-help" />
                <span id="run-input-help" class="help">${/^objects\//.test(state.input ?? "") ? "" : "the path of a file, or one that is uploaded"}</span>
            </div>
            <${Files} state=${state} set=${set} uploads=${uploads} />
            <div class="field">
                <label class="check"><input type="checkbox" checked=${Boolean(state.check)} aria-describedby="run-check-help" onChange=${(event) => set({ check: event.target.checked ? "1" : "" })} /> Check the output</label>
                <span id="run-check-help" class="help">runs the program uninstrumented, too, and says whether it does the same</span>
            </div>
            <details open=${Boolean(state.environment || state.seconds || state.memory || state.output || state.isolation)}>
                <summary>Environment, isolation and limits</summary>
                <div class="field">
                    <label for="run-environment">Environment</label>
                    <input id="run-environment" class="mono" autocomplete="off" spellcheck="false" placeholder="NAME=VALUE ..." value=${state.environment ?? ""} aria-invalid=${environment.error || stray ? "true" : undefined} aria-describedby="run-environment-help" onInput=${(event) => set({ environment: event.target.value })} />
                    <span id="run-environment-help" class=${environment.error || stray ? "wrong" : "help"}>${environment.error ?? (stray ? `'${stray}' is not of the form NAME=VALUE` : "beside PATH, HOME, LC_ALL=C, TZ=UTC")}</span>
                </div>
                <div class="field">
                    <label for="run-isolation">Isolation</label>
                    <select id="run-isolation" aria-describedby="run-isolation-help" onChange=${(event) => set({ isolation: event.target.value })}>
                        ${isolations.map((one) => html`<option value=${one.value} selected=${one.value === (state.isolation ?? "")}>${one.title}</option>`)}
                    </select>
                    <span id="run-isolation-help" class="help">${isolations.find((one) => one.value === (state.isolation ?? ""))?.help}</span>
                </div>
                ${number("seconds", "Seconds", "300")} ${number("memory", "Memory, MB", "2048")} ${number("output", "Output that is kept, MB", "64")}
            </details>
        </div>
    </section>`;
}

/** The latest run of the same program by the same tools: how long it took. */
function useEstimate(state) {
    const tools = toolsOf(state);
    const { value } = useGet(state.program && tools.length ? `/runs${query({ program: state.program, tool: tools[0].split("/").pop(), state: "finished", limit: 10 })}` : null);
    const alike = value?.runs.find((run) => (run.tools ?? "").split(", ").sort().join() === tools.map((name) => name.split("/").pop()).sort().join());
    return alike ? { seconds: (alike.seconds ?? 0) + (alike.instrument_seconds ?? 0), run: alike.id } : undefined;
}

/** An existing run with exactly this job. It is searched a moment after the last change. */
function useSame(job) {
    const [same, setSame] = useState(undefined);
    const key = job && JSON.stringify(job);
    useEffect(() => {
        setSame(undefined);
        if (!job) return undefined;
        const control = new AbortController();
        const look = async () => {
            try {
                const { existing } = await post("/runs/look", job, { signal: control.signal });
                if (existing) setSame(await get(`/runs/${existing}`, { signal: control.signal }));
            } catch {
                // Errors in the job are reported when it is run.
            }
        };
        const timer = setTimeout(look, 500);
        return () => {
            clearTimeout(timer);
            control.abort();
        };
    }, [key]);
    return same;
}

const resultsOf = (run, state) => (isOver(run.state) && has_results ? address("results", { run: run.id }) : address("run", { ...state, run: run.id }));

export default function Run({ state, change }) {
    const programs = useList("/programs");
    const tools = useGet("/tools");
    const all = programs.value?.programs ?? [];
    // If the project has only one program, it is chosen.
    const program = all.find((one) => String(one.id) === state.program) ?? (all.length === 1 && !state.program ? all[0] : undefined);
    const abouts = useAbouts(toolsOf(state));
    const { errors, warnings } = useChecks(state, abouts, program);
    const uploads = useUploads();
    const [offer, setOffer] = useState(null);
    const [error, setError] = useState(null);
    const [busy, setBusy] = useState(false);
    const settings = useMemo(() => JSON.stringify({ ...state, run: undefined }), [state]);
    const estimate = useEstimate({ ...state, program: program && String(program.id) });
    const reasons = missing(state, program, errors);
    const described = toolsOf(state).every((tool) => abouts[tool]?.parameters);
    const same = useSame(reasons.length === 0 && !state.run && described ? jobOf(state, program, abouts) : undefined);
    const project = useGet("/project");
    const usesOwn = (tools.value?.tools ?? []).some((tool) => toolsOf(state).includes(toolName(tool)) && tool.path.startsWith(`${project.value?.path}/tools/`));
    const commands = program && toolsOf(state).length ? commandsOf(state, program, usesOwn ? project.value.packages : undefined) : undefined;
    const known = useGet(state.run && !commands ? `/runs/${state.run}` : null); // the address has its number only
    useCommand(commands?.both ?? known.value?.command);
    useEffect(() => {
        setOffer(null);
        setError(null);
    }, [settings]);
    const set = (values) => change({ ...state, program: program && String(program.id), ...values, run: undefined }, { replace: true });

    const start = async (again) => {
        setBusy(true);
        setError(null);
        try {
            const answer = await post("/runs", { ...jobOf(state, program, abouts), ...again });
            if (answer.existing) {
                setOffer({ ...(await get(`/runs/${answer.id}`)), next: answer.next });
            } else {
                change({ ...state, program: String(program.id), run: String(answer.id) });
            }
        } catch (failed) {
            setError(failed instanceof Failure ? failed : new Failure(0, String(failed)));
        }
        setBusy(false);
    };
    if (state.run) return html`<${Live} key=${state.run} id=${state.run} estimate=${estimate} />`;
    const start_now = (event) => {
        event.preventDefault();
        if (reasons.length === 0 && !busy) start();
    };
    return html`<form class="stack" onSubmit=${start_now}>
        <div class="row">
            <h1>Run</h1>
            <span class="spacer" />
            <span class="muted" aria-live="polite">
                ${programs.value && tools.value && (reasons.length > 0 ? `First ${reasons.join(", and ")}.` : estimate && `about ${seconds(estimate.seconds)}, as run ${estimate.run}`)}
            </span>
            <button class="primary" disabled=${busy || reasons.length > 0}>${busy ? "Starting …" : "Run"}</button>
        </div>
        ${same && !offer && html`<p class="same" role="status">As run ${same.id} ${when(same.started)}${isOver(same.state) ? `, ${seconds(same.seconds)}` : ", which is under way"}: <a href=${resultsOf(same, state)}>show that instead?</a></p>`}
        <${ErrorNotice} error=${programs.error ?? tools.error} again=${() => (programs.reload(), tools.reload())} />
        <${ErrorNotice} error=${error} />
        ${offer &&
        html`<${Notice}
            action=${html`<div class="row actions">
                <a class="button primary" href=${resultsOf(offer, state)}>Show run ${offer.id}</a>
                <button type="button" onClick=${() => start({ repeat: offer.next })}>Run again</button>
            </div>`}
        >
            ${isOver(offer.state)
                ? html`Run ${offer.id} was the same, ${moment(Date.parse(offer.started))}. It took ${seconds(offer.seconds)}; its results would come out again.`
                : html`Run ${offer.id} is the same, and under way.`}
        <//>`}
        ${!programs.value || !tools.value
            ? html`<${Waiting} />`
            : html`<div class="run columns">
                  <${ProgramPane} state=${state} set=${set} programs=${all} program=${program} abouts=${abouts} />
                  <${ToolsPane} state=${state} set=${set} change=${change} tools=${tools.value.tools} abouts=${abouts} errors=${errors} warnings=${warnings} program=${program} />
                  <${InputPane} state=${state} set=${set} uploads=${uploads} />
              </div>`}
        ${commands &&
        html`<section class="pane" aria-label="Commands">
            <div class="head"><h2>What is executed</h2></div>
            <div class="body stack"><${Command} text=${commands.instrument} /><${Command} text=${commands.run} /></div>
        </section>`}
    </form>`;
}
