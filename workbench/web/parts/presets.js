// presets.js: values of a tool's parameters under a name, kept in the project.
import { post, remove, useGet } from "../api.js";
import { takeFocus } from "./focus.js";
import { ErrorNotice } from "./notice.js";
import { html, useId, useState } from "../lib/preact.js";

const same = (one, other) => JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());

const asTexts = (preset) => ({ ...preset, parameters: Object.fromEntries(Object.entries(preset.parameters).map(([key, value]) => [key, String(value)])) });

/** `given` are the texts that are chosen, by parameter; choose(texts) replaces all of them. `of_package`: the presets that its package has. */
export function Presets({ name, given, choose, of_package = [] }) {
    const [tool, pack = ""] = name.split("/").reverse();
    const all = useGet(`/presets?tool=${encodeURIComponent(tool)}`);
    const [naming, setNaming] = useState(null);
    const [error, setError] = useState(null);
    const id = useId();
    const kept = (all.value?.presets ?? []).filter((preset) => preset.package === pack).map((preset) => ({ ...asTexts(preset), key: String(preset.id) }));
    const presets = [...of_package.map((preset, index) => ({ ...asTexts(preset), key: `package ${index}` })), ...kept];
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
            <select id=${id} onChange=${(event) => event.target.value !== "other" && choose(presets.find((preset) => preset.key === event.target.value)?.parameters ?? {})}>
                <option value="" selected=${count === 0}>the defaults</option>
                ${presets.map((preset) => html`<option value=${preset.key} selected=${preset === current}>${preset.name}</option>`)}
                ${count > 0 && !current && html`<option value="other" selected>as below</option>`}
            </select>
            ${count > 0 && !current && naming === null && html`<button type="button" class="small" onClick=${() => setNaming("")}>Keep as a preset …</button>`}
            ${naming !== null &&
            html`<input ref=${takeFocus} aria-label="Name of the preset" placeholder="its name" value=${naming} onInput=${(event) => setNaming(event.target.value)} onKeyDown=${onKey} />
                <button type="button" class="small" disabled=${naming.trim() === ""} onClick=${save}>Keep</button>`}
            ${current?.id !== undefined && count > 0 && html`<button type="button" class="small" onClick=${() => attempt(() => remove(`/presets/${current.id}`))}>Remove the preset</button>`}
        </div>
        <${ErrorNotice} error=${error} />`;
}
