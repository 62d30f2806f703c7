// campaign_form.js: a campaign's definition (docs/campaigns.md) as a form: programs with their inputs, tools with values of parameters,
// exceptions, repeats and limits. Members that the form does not support are kept unchanged.
//     CampaignForm({ value, errors, change }): change(edit) is given a function that changes a copy of the value.
//     errors: messages by path, "programs/0/path"
import { get, useGet } from "../api.js";
import { aboutOf, grouped, toolName, toolPath } from "../groups.js";
import { quoteAll, split } from "./command.js";
import { isFile, wrong } from "./form.js";
import { ErrorNotice, Notice } from "./notice.js";
import { PathField } from "./path.js";
import { html, useEffect, useId, useMemo, useState } from "../lib/preact.js";

const listed = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);
const baseName = (path) => String(path ?? "").split("/").pop();
const toolTitle = (tool) => tool?.as ?? tool?.name ?? baseName(tool?.path).replace(/\.[^.]*$/, "");
export const choiceTitle = (choice) => listed(choice).map(toolTitle).join("+");
export const programTitle = (program) => program?.name ?? baseName(program?.path);

/** Errors of a part, and errors of its parts unless `only`. */
function Wrong({ errors, path, only, id }) {
    const found = [...errors].filter(([at]) => at === path || (!only && at.startsWith(`${path}/`))).flatMap(([, messages]) => messages);
    return html`<span class="wrong" id=${id} aria-live="polite">${found.map((message) => html`<span class="line">${message}</span>`)}</span>`;
}

const isWrong = (errors, path) => ([...errors.keys()].some((at) => at === path || at.startsWith(`${path}/`)) ? "true" : undefined);

/** Words as in a shell, kept as a list; with `commas`, commas separate words, too. Text that is being typed need not be
    a valid list yet. */
function Words({ id, value, change, commas, placeholder, label, invalid, describedby }) {
    const [text, setText] = useState(quoteAll(value));
    const wordsOf = (line) => {
        const { words, error } = split(line);
        return { words: commas ? words.flatMap((word) => word.split(",")).filter((word) => word !== "") : words, error };
    };
    const typed = wordsOf(text);
    useEffect(() => {
        if (JSON.stringify(wordsOf(text).words) !== JSON.stringify(value)) setText(quoteAll(value));
    }, [JSON.stringify(value)]);
    const put = (next) => {
        setText(next);
        const { words, error } = wordsOf(next);
        if (!error) change(words);
    };
    return html`<input id=${id} class="mono" aria-label=${label} autocomplete="off" spellcheck="false" placeholder=${placeholder} value=${text} aria-invalid=${typed.error ? "true" : invalid} aria-describedby=${describedby} title=${typed.error} onInput=${(event) => put(event.target.value)} />`;
}

function Inputs({ program, at, errors, edit }) {
    const inputs = program.inputs ?? [];
    const put = (number, key, value) =>
        edit((changed) => {
            const input = changed.inputs[number];
            if (value === "" || value === undefined || (Array.isArray(value) && value.length === 0 && key !== "arguments")) delete input[key];
            else input[key] = value;
        });
    const add = () =>
        edit((changed) => {
            changed.inputs = [...(changed.inputs ?? []), { name: `input ${inputs.length + 1}`, arguments: [] }];
        });
    const remove = (number) =>
        edit((changed) => {
            changed.inputs.splice(number, 1);
            if (changed.inputs.length === 0) delete changed.inputs;
        });
    return html`<div class="inputs">
        ${inputs.length > 0 &&
        html`<table class="plain" aria-label="Inputs of ${programTitle(program)}">
            <thead><tr><th scope="col">Input</th><th scope="col">Arguments</th><th scope="col">Standard input</th><th><span class="hidden">Remove</span></th></tr></thead>
            <tbody>
                ${inputs.map((input, number) => html`<tr key=${number}>
                    <td><input aria-label="Name of input ${number + 1}" value=${input.name ?? ""} aria-invalid=${isWrong(errors, `${at}/inputs/${number}/name`)} onInput=${(event) => put(number, "name", event.target.value)} /></td>
                    <td><${Words} label="Arguments of ${input.name}" placeholder="none" value=${input.arguments ?? []} change=${(words) => put(number, "arguments", words)} invalid=${isWrong(errors, `${at}/inputs/${number}/arguments`)} /></td>
                    <td><${PathField} label="Standard input of ${input.name}" placeholder="none" value=${input.input ?? ""} change=${(path) => put(number, "input", path)} invalid=${isWrong(errors, `${at}/inputs/${number}/input`)} /></td>
                    <td><button type="button" class="small" aria-label="Remove the input ${input.name}" onClick=${() => remove(number)}>×</button></td>
                </tr>
                ${isWrong(errors, `${at}/inputs/${number}`) && html`<tr><td colspan="4"><${Wrong} errors=${errors} path="${at}/inputs/${number}" /></td></tr>`}`)}
            </tbody>
        </table>`}
        <div class="row">
            <button type="button" class="small" onClick=${add}>Add an input</button>
            ${inputs.length === 0 && html`<span class="muted">It is run without arguments and input.</span>`}
        </div>
    </div>`;
}

function Programs({ value, errors, change, known }) {
    const programs = value.programs ?? [];
    const id = useId();
    const add = (path) => change((changed) => (changed.programs = [...(changed.programs ?? []), { path }]));
    const chosen = (event) => {
        const path = event.target.value;
        event.target.value = "";
        if (path) add(path === "other" ? "" : path);
    };
    return html`<section aria-label="Programs">
        <h3>Programs</h3>
        ${programs.length === 0 ? html`<p class="muted">Choose at least one program.</p>` : html`<${Wrong} errors=${errors} path="programs" only />`}
        ${programs.map((program, number) => {
            const at = `programs/${number}`;
            const edit = (work) => change((changed) => work(changed.programs[number]));
            return html`<div class="chosen" key=${number} role="group" aria-label="Program ${programTitle(program)}">
                <div class="row pair">
                    <div class="field">
                        <label for="${id}-path-${number}">File</label>
                        <${PathField} id="${id}-path-${number}" placeholder="a program" value=${program.path ?? ""} change=${(path) => edit((one) => (one.path = path))} invalid=${isWrong(errors, `${at}/path`)} describedby="${id}-wrong-${number}" />
                    </div>
                    <div class="field narrow">
                        <label for="${id}-name-${number}">Name</label>
                        <input id="${id}-name-${number}" placeholder=${baseName(program.path) || "as the file"} value=${program.name ?? ""} aria-invalid=${isWrong(errors, `${at}/name`)} onInput=${(event) => edit((one) => (event.target.value ? (one.name = event.target.value) : delete one.name))} />
                    </div>
                    <button type="button" class="small" aria-label="Remove the program ${programTitle(program)}" onClick=${() => change((changed) => changed.programs.splice(number, 1))}>×</button>
                </div>
                <${Wrong} id="${id}-wrong-${number}" errors=${new Map([...errors].filter(([path]) => !path.startsWith(`${at}/inputs`)))} path=${at} />
                <${Inputs} program=${program} at=${at} errors=${errors} edit=${edit} />
            </div>`;
        })}
        <select aria-label="Add a program" value="" onChange=${chosen}>
            <option value="">Add a program …</option>
            ${known.map((one) => html`<option value=${one.path}>${one.name}</option>`)}
            <option value="other">another file …</option>
        </select>
    </section>`;
}

// atomc's description of a tool is kept when the form is closed and opened again.
const known_tools = {};

/** Descriptions of the chosen tools: { NAME: about }. */
function useAbouts(names) {
    const [, setTurn] = useState(0);
    useEffect(() => {
        let current = true;
        for (const name of names) {
            if (known_tools[name]?.parameters) continue;
            get(toolPath(name))
                .then(
                    (value) => (known_tools[name] = aboutOf(value, name)),
                    (error) => (known_tools[name] = { error }),
                )
                .then(() => current && setTurn((before) => before + 1));
        }
        return () => (current = false);
    }, [names.join("\n")]);
    return known_tools;
}

/** Converts a typed word to a JSON value. If the type is not known yet, it is derived from the form of the word. */
function typed(type, text) {
    if (type !== "string" && type !== "boolean" && /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
    if (type !== "string" && type !== "int" && (text === "true" || text === "false")) return text === "true";
    return text;
}

function Parameter({ tool, name, about, value, at, errors, put }) {
    const id = useId();
    const parameter = about?.parameters?.find((one) => one.name === name);
    const values = listed(value);
    const set = (words) => put(words.length === 0 ? "" : words.length === 1 ? typed(parameter?.type, words[0]) : words.map((word) => typed(parameter?.type, word)));
    const bad = parameter && values.map((one) => wrong(parameter, String(one))).find(Boolean);
    const last = values.at(-1);
    return html`<div class="field parameter">
        <label for=${id}>${name}</label>
        <span class="row">
            <${Words} id=${id} value=${values.filter((one) => one !== "").map(String)} change=${set} commas=${parameter && parameter.type !== "string"} placeholder="one value, or several with blanks" invalid=${bad || isWrong(errors, at) ? "true" : undefined} describedby="${id}-help ${id}-wrong" />
            ${typeof last === "number" && last > 0 && html`<button type="button" class="small" title="one value more: twice the last" aria-label="add ${2 * last} to ${name}" onClick=${() => put([...values, 2 * last])}>+ ${2 * last}</button>`}
            <button type="button" class="small" aria-label="Remove ${name} of ${tool}" onClick=${() => put(undefined)}>×</button>
        </span>
        <span class="help" id="${id}-help">${parameter?.help}${parameter && html`, default ${String(parameter.default) || "empty"}`}${parameter?.choices && `: ${parameter.choices.join(", ")}`}</span>
        ${bad ? html`<span class="wrong" id="${id}-wrong" aria-live="polite">${bad}</span>` : html`<${Wrong} id="${id}-wrong" errors=${errors} path=${at} />`}
    </div>`;
}

function Tool({ tool, at, errors, edit, remove, about }) {
    const parameters = tool.parameters ?? {};
    const name = toolTitle(tool);
    const others = (about?.parameters ?? []).filter((one) => !(one.name in parameters) && !isFile(one));
    const put = (key, value) =>
        edit((one) => {
            one.parameters = { ...one.parameters, [key]: value };
            if (value === undefined) delete one.parameters[key];
            if (Object.keys(one.parameters).length === 0) delete one.parameters;
        });
    const vary = (event) => {
        const key = event.target.value;
        event.target.value = "";
        if (key) put(key, about.parameters.find((one) => one.name === key).default);
    };
    const own = new Map([...errors].filter(([path]) => !path.startsWith(`${at}/parameters/`)));
    return html`<div class="chosen" role="group" aria-label="Tool ${name}">
        <div class="row">
            <h4>${name}</h4>
            <span class="muted description">${tool.path ?? about?.description}</span>
            <span class="spacer"></span>
            <button type="button" class="small" aria-label="Remove the tool ${name}" onClick=${remove}>×</button>
        </div>
        <${ErrorNotice} error=${about?.error} />
        <${Wrong} errors=${own} path=${at} />
        ${Object.entries(parameters).map(([key, value]) => html`<${Parameter} key=${key} tool=${name} name=${key} about=${about} value=${value} at="${at}/parameters/${key}" errors=${errors} put=${(next) => put(key, next)} />`)}
        ${others.length > 0 &&
        html`<select aria-label="Set a parameter of ${name}" value="" onChange=${vary}>
            <option value="">Set a parameter …</option>
            ${others.map((one) => html`<option value=${one.name}>${one.name}: ${one.help}</option>`)}
        </select>`}
        ${about?.parameters && about.parameters.every(isFile) && html`<span class="muted">It has no parameters.</span>`}
    </div>`;
}

function Tools({ value, errors, change }) {
    const tools = value.tools ?? [];
    const all = useGet("/tools");
    const groups = useMemo(() => grouped(all.value?.tools ?? []), [all.value]);
    const names = [...new Set(tools.flatMap(listed).map((tool) => tool?.name).filter(Boolean))];
    const abouts = useAbouts(names);
    const add = (event) => {
        const name = event.target.value;
        event.target.value = "";
        if (name) change((changed) => (changed.tools = [...(changed.tools ?? []), { name }]));
    };
    return html`<section aria-label="Tools">
        <h3>Tools</h3>
        ${tools.length === 0 ? html`<p class="muted">Choose at least one tool.</p>` : html`<${Wrong} errors=${errors} path="tools" only />`}
        ${tools.map((choice, number) => {
            const together = Array.isArray(choice);
            const members = listed(choice).map((tool, member) => {
                const at = `tools/${number}${together ? `/${member}` : ""}`;
                const edit = (work) => change((changed) => work(together ? changed.tools[number][member] : changed.tools[number]));
                const remove = () =>
                    change((changed) => {
                        if (together && choice.length > 1) changed.tools[number].splice(member, 1);
                        else changed.tools.splice(number, 1);
                    });
                return html`<${Tool} key=${member} tool=${tool ?? {}} at=${at} errors=${errors} edit=${edit} remove=${remove} about=${abouts[tool?.name]} />`;
            });
            return together ? html`<div class="together" role="group" aria-label="Applied together"><span class="muted">applied together</span>${members}</div>` : members;
        })}
        <${ErrorNotice} error=${all.error} again=${all.reload} />
        <select aria-label="Add a tool" value="" onChange=${add}>
            <option value="">Add a tool …</option>
            ${groups.map((group) => html`<optgroup label=${group.title}>${group.tools.map((tool) => html`<option value=${toolName(tool)}>${tool.name}: ${tool.description}</option>`)}</optgroup>`)}
        </select>
    </section>`;
}

/** The dimensions in which runs differ, and their values: { program: [...], size: [...] }. */
export function dimensionsOf(value) {
    const found = { program: (value.programs ?? []).map(programTitle), input: (value.programs ?? []).flatMap((one) => (one?.inputs ?? []).map((input) => input?.name)), tool: (value.tools ?? []).map(choiceTitle), repeat: Array.from({ length: Number(value.repeat ?? 1) || 1 }, (_, number) => String(number)) };
    for (const tool of (value.tools ?? []).flatMap(listed)) {
        for (const [name, values] of Object.entries(tool?.parameters ?? {})) found[name] = [...(found[name] ?? []), ...listed(values).map(String)];
    }
    return Object.fromEntries(Object.entries(found).map(([name, values]) => [name, [...new Set(values.filter((one) => one !== undefined && one !== ""))]]));
}

function Exceptions({ value, errors, change }) {
    const exceptions = value.except ?? [];
    const dimensions = dimensionsOf(value);
    const usable = Object.keys(dimensions).filter((name) => dimensions[name].length > 1);
    const edit = (number, work) =>
        change((changed) => {
            work(changed.except[number]);
            if (Object.keys(changed.except[number]).length === 0) changed.except.splice(number, 1);
            if (changed.except.length === 0) delete changed.except;
        });
    const add = (event) => {
        const name = event.target.value;
        event.target.value = "";
        if (name) change((changed) => (changed.except = [...(changed.except ?? []), { [name]: dimensions[name].at(-1) }]));
    };
    return html`<section aria-label="Exceptions">
        <h3>Left out</h3>
        ${exceptions.map((exception, number) => html`<div class="chosen row" key=${number} role="group" aria-label="Exception ${number + 1}">
            ${Object.entries(exception ?? {}).map(([name, condition], place) => html`<span class="row condition">
                ${place > 0 && html`<span class="muted">and</span>`}
                <label>${name} ${Array.isArray(condition)
                    ? html`<code>${condition.join(", ")}</code>`
                    : html`<select value=${String(condition)} onChange=${(event) => edit(number, (one) => (one[name] = event.target.value))}>
                          ${[...new Set([...(dimensions[name] ?? []), String(condition)])].map((text) => html`<option value=${text} selected=${text === String(condition)}>${text}</option>`)}
                      </select>`}</label>
                <button type="button" class="small" aria-label="Remove the condition on ${name}" onClick=${() => edit(number, (one) => delete one[name])}>×</button>
            </span>`)}
            <select aria-label="One condition more" value="" onChange=${(event) => {
                const name = event.target.value;
                event.target.value = "";
                if (name) edit(number, (one) => (one[name] = dimensions[name].at(-1)));
            }}>
                <option value="">and …</option>
                ${usable.filter((name) => !(name in (exception ?? {}))).map((name) => html`<option value=${name}>${name}</option>`)}
            </select>
            <${Wrong} errors=${errors} path="except/${number}" />
        </div>`)}
        ${usable.length === 0
            ? html`<p class="muted">There is nothing to choose from yet: each part has one value.</p>`
            : html`<select aria-label="Leave runs out" value="" onChange=${add}>
                  <option value="">Leave runs out, by …</option>
                  ${usable.map((name) => html`<option value=${name}>${name}</option>`)}
              </select>`}
    </section>`;
}

function NumberField({ label, value, change, placeholder, invalid, help }) {
    const id = useId();
    return html`<div class="field narrow">
        <label for=${id}>${label}</label>
        <input id=${id} inputmode="numeric" placeholder=${placeholder} value=${value ?? ""} aria-invalid=${invalid} title=${help} onInput=${(event) => change(event.target.value.replace(/\D/g, "") === "" ? undefined : Number(event.target.value.replace(/\D/g, "")))} />
    </div>`;
}

export function CampaignForm({ value, errors, change }) {
    const id = useId();
    const programs = useGet("/programs");
    const limit = (key) => (number) =>
        change((changed) => {
            changed.limits = { ...changed.limits, [key]: number };
            if (number === undefined) delete changed.limits[key];
            if (Object.keys(changed.limits).length === 0) delete changed.limits;
        });
    if (value === null || typeof value !== "object" || Array.isArray(value)) return html`<${Notice} kind="error" hint="The view JSON shows the text.">A campaign is an object: {"campaign": ...}.<//>`;
    return html`<div class="campaign-form stack">
        <div class="row">
            <div class="field">
                <label for="${id}-title">Title</label>
                <input id="${id}-title" value=${value.campaign ?? ""} aria-invalid=${isWrong(errors, "campaign")} onInput=${(event) => change((changed) => (changed.campaign = event.target.value))} />
            </div>
            <${NumberField} label="Repeats" placeholder="1" value=${value.repeat} invalid=${isWrong(errors, "repeat")} change=${(number) => change((changed) => (number === undefined ? delete changed.repeat : (changed.repeat = number)))} help="how often each run is made" />
            <${NumberField} label="Seconds at most" placeholder="300" value=${value.limits?.seconds} invalid=${isWrong(errors, "limits/seconds")} change=${limit("seconds")} help="of each run" />
            <${NumberField} label="Memory, MB" placeholder="2048" value=${value.limits?.memory_mb} invalid=${isWrong(errors, "limits/memory_mb")} change=${limit("memory_mb")} help="of each run" />
        </div>
        ${[...errors].filter(([path]) => !/^(programs|tools|except)\b/.test(path)).map(([path, messages]) => html`<${Notice} kind="error">${path && html`<b>${path}: </b>`}${messages.join("; ")}<//>`)}
        <${Programs} value=${value} errors=${errors} change=${change} known=${programs.value?.programs ?? []} />
        <${Tools} value=${value} errors=${errors} change=${change} />
        <${Exceptions} value=${value} errors=${errors} change=${change} />
    </div>`;
}
