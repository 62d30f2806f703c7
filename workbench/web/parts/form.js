// form.js: forms made from the parameters of a tool, as atomc --help --json describes them. Values are texts, as in -D
// NAME=; a parameter without value has its default.
import { integer } from "./format.js";
import { html, useId } from "../lib/preact.js";

// The same in the tool's language and in all of stdtools: x & (x - 1) == 0.
const isPowerOfTwo = ({ name, check = "" }) => new RegExp(`\\b${name} & \\(${name} - 1\\)\\)? == 0`).test(check);

/** The error in a value, as far as it can be found without a request to atomc; else undefined. */
export function wrong(parameter, text) {
    if (parameter.type !== "int") return undefined;
    if (!/^-?(\d+|0x[0-9a-fA-F]+)$/.test(text)) return "it must be an integer";
    const value = BigInt(text.startsWith("-") ? text.slice(1) : text) * (text.startsWith("-") ? -1n : 1n);
    const { least, greatest } = parameter;
    const outside = (least !== undefined && value < BigInt(least)) || (greatest !== undefined && value > BigInt(greatest));
    const odd = isPowerOfTwo(parameter) && value > 0n && (value & (value - 1n)) !== 0n;
    return outside || odd ? (parameter.check_text ?? `it must hold that ${parameter.check}`) : undefined;
}

/** The parameter to which a diagnostic of atomc refers. */
export const parameterOf = ({ message }) => /parameter '([^']+)'|-D ([\w]+)/.exec(message)?.slice(1).find(Boolean);

/** A text as a job has it. */
export const typedValue = (parameter, text) => (parameter?.type === "boolean" ? text === "true" : parameter?.type === "int" ? Number(text) : text);

const isBytes = ({ help = "" }) => /^bytes of /.test(help);

// One more or less; for sizes, the next power of two above or below.
function step(parameter, text, up) {
    const value = Number(text);
    if (!Number.isFinite(value)) return text;
    if (!isPowerOfTwo(parameter) && !isBytes(parameter)) return String(value + (up ? 1 : -1));
    if (value < 1) return up ? (isBytes(parameter) ? "1024" : "1") : text;
    const power = Math.log2(value);
    return String(2 ** (up ? Math.floor(power) + 1 : Math.ceil(power) - 1));
}

function IntegerField({ id, parameter, value, change, describedby, invalid }) {
    const allowed = (text) => wrong(parameter, text) === undefined;
    const go = (up) => {
        const next = step(parameter, value, up);
        if (allowed(next)) change(next);
    };
    const onKey = (event) => {
        if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
        event.preventDefault();
        go(event.key === "ArrowUp");
    };
    const readable = isBytes(parameter) && Number(value) >= 1024 && Number(value) % 1024 === 0 ? `${integer(Number(value) / 1024)} KiB` : "";
    const doubles = isPowerOfTwo(parameter) || isBytes(parameter);
    return html`<span class="stepper">
        <input id=${id} inputmode="numeric" autocomplete="off" value=${value} aria-invalid=${invalid} aria-describedby=${describedby} onInput=${(event) => change(event.target.value.trim())} onKeyDown=${onKey} />
        <button type="button" class="small" title=${doubles ? "half" : "one less"} aria-label="${doubles ? "÷2" : "−"} ${parameter.name}" onClick=${() => go(false)}>
            ${doubles ? "÷2" : "−"}
        </button>
        <button type="button" class="small" title=${doubles ? "twice" : "one more"} aria-label="${doubles ? "×2" : "+"} ${parameter.name}" onClick=${() => go(true)}>
            ${doubles ? "×2" : "+"}
        </button>
        <span class="muted">${readable}</span>
    </span>`;
}

function Field({ parameter, given, error, names, change }) {
    const id = useId();
    const { name, type, choices, help } = parameter;
    const value = String(given ?? parameter.default);
    const is_default = value === String(parameter.default);
    const set = (text) => change(text === String(parameter.default) ? undefined : text);
    const message = wrong(parameter, value) ?? error;
    const invalid = message ? "true" : undefined;
    const described = `${id}-help ${id}-wrong`;
    const below = html`<span class="help" id="${id}-help">
            ${help}${is_default ? "" : html` <button type="button" class="plain" onClick=${() => change(undefined)}>default: ${String(parameter.default) || "empty"}</button>`}
        </span>
        <span class="wrong" id="${id}-wrong" aria-live="polite">${message}</span>`;
    if (type === "boolean")
        return html`<div class="field">
            <label class="check ${is_default ? "" : "changed"}" for=${id}>
                <input type="checkbox" id=${id} checked=${value === "true"} aria-describedby=${described} onChange=${(event) => set(String(event.target.checked))} />
                <b>${name}</b>
            </label>
            ${below}
        </div>`;
    const field = choices
        ? html`<select id=${id} aria-invalid=${invalid} aria-describedby=${described} onChange=${(event) => set(event.target.value)}>
              ${choices.map((choice) => html`<option value=${choice} selected=${String(choice) === value}>${choice}</option>`)}
          </select>`
        : type === "int"
          ? html`<${IntegerField} id=${id} parameter=${parameter} value=${value} change=${set} invalid=${invalid} describedby=${described} />`
          : html`<input id=${id} class="mono" list=${names ? `${id}-names` : undefined} onFocus=${() => names?.typed(value)} autocomplete="off" spellcheck="false" value=${value} placeholder="empty" aria-invalid=${invalid} aria-describedby=${described} onInput=${(event) => (names?.typed(event.target.value), set(event.target.value))} />
                ${names && html`<datalist id="${id}-names">${names.names.map((one) => html`<option value=${one} />`)}</datalist>`}`;
    return html`<div class="field">
        <label for=${id} class=${is_default ? "" : "changed"}>${name}</label>
        ${field} ${below}
    </div>`;
}

/** Parameters for the path of a report are omitted: runs have their own files. */
export const isFile = ({ name, type, help }) => type === "string" && name === "out" && /^the file of/.test(help ?? "");

/**
 * The form of one tool. `given` has the values that differ from the defaults, by name; change(name, text or undefined).
 * `errors` by name. `names(parameter)`, for patterns, has texts for completion, and receives the typed text: { names,
 * typed(text) }.
 */
export function ParameterForm({ parameters, given, change, errors = {}, names = (_parameter) => undefined }) {
    const shown = parameters.filter((parameter) => !isFile(parameter));
    if (shown.length === 0) return html`<p class="muted">This tool has no parameters.</p>`;
    return html`<div class="form">
        ${shown.map((parameter) => html`<${Field}
            key=${parameter.name}
            parameter=${parameter}
            given=${given[parameter.name]}
            error=${errors[parameter.name]}
            names=${names(parameter)}
            change=${(text) => change(parameter.name, text)}
        />`)}
    </div>`;
}
