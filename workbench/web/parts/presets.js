// presets.js: values of a tool's parameters under a name, kept in the project.
import { post, remove, useGet } from "../api.js";
import { ErrorNotice } from "./notice.js";
import { html, useId, useState } from "../lib/preact.js";

const same = (one, other) => JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());

/** `given` are the texts that are chosen, by parameter; choose(texts) replaces all of them. */
export function Presets({ name, given, choose }) {
    const [tool, pack = ""] = name.split("/").reverse();
    const all = useGet(`/presets?tool=${encodeURIComponent(tool)}`);
    const [naming, setNaming] = useState(null);
    const [error, setError] = useState(null);
    const id = useId();
    const presets = (all.value?.presets ?? []).filter((preset) => preset.package === pack).map((preset) => ({ ...preset, parameters: Object.fromEntries(Object.entries(preset.parameters).map(([key, value]) => [key, String(value)])) }));
    const current = presets.find((preset) => same(preset.parameters, given));
    const count = Object.keys(given).length;
    const attempt = async (work) => {
        setError(null);
        try {
            await work();
            all.reload();
            setNaming(null);
        } catch (failed) {
            setError(failed);
        }
    };
    const save = () => naming?.trim() && attempt(() => post("/presets", { package: pack, tool, name: naming.trim(), parameters: given }));
    const onKey = (event) => {
        // Enter saves; it does not run.
        if (event.key === "Enter") {
            event.preventDefault();
            save();
        } else if (event.key === "Escape") setNaming(null);
    };
    if (presets.length === 0 && count === 0) return null;
    return html`<div class="presets row">
            <label for=${id}>Preset</label>
            <select id=${id} onChange=${(event) => event.target.value !== "other" && choose(presets.find((preset) => String(preset.id) === event.target.value)?.parameters ?? {})}>
                <option value="" selected=${count === 0}>the defaults</option>
                ${presets.map((preset) => html`<option value=${preset.id} selected=${preset === current}>${preset.name}</option>`)}
                ${count > 0 && !current && html`<option value="other" selected>as below</option>`}
            </select>
            ${count > 0 && !current && naming === null && html`<button type="button" class="small" onClick=${() => setNaming("")}>Keep as a preset …</button>`}
            ${naming !== null &&
            html`<input autofocus aria-label="Name of the preset" placeholder="its name" value=${naming} onInput=${(event) => setNaming(event.target.value)} onKeyDown=${onKey} />
                <button type="button" class="small" disabled=${naming.trim() === ""} onClick=${save}>Keep</button>`}
            ${current && count > 0 && html`<button type="button" class="small" onClick=${() => attempt(() => remove(`/presets/${current.id}`))}>Remove the preset</button>`}
        </div>
        <${ErrorNotice} error=${error} />`;
}
