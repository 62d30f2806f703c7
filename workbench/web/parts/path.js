// path.js: a field for a path, with completion: the names in the typed folder, if the server may read it.
import { get, query } from "../api.js";
import { html, useEffect, useId, useState } from "../lib/preact.js";

// The folders that may be read, each with a / at its end. They change only when a folder is allowed, which is rare.
let allowed;
const roots = () => (allowed ??= get("/files").then((answer) => answer.files.map((file) => file.name.replace(/\/*$/, "/"))));

/** What a path that begins like this may be. Only folders that may be read are requested. */
async function complete(folder, signal) {
    const all = await roots();
    if (folder.startsWith("/") && !all.some((root) => folder.startsWith(root))) return all;
    if (folder === "") return all;
    const answer = await get(`/files${query({ folder })}`, { signal });
    return answer.files.map((file) => folder + file.name + (file.folder ? "/" : ""));
}

export function PathField({ id, value, change, placeholder, invalid, describedby, label }) {
    const [names, setNames] = useState([]);
    const list = useId();
    const folder = value.slice(0, value.lastIndexOf("/") + 1);
    useEffect(() => {
        const control = new AbortController();
        // A folder that does not exist has no names. The error in the path is reported when the path is used.
        complete(folder, control.signal).then(setNames, (failed) => failed.name === "AbortError" || setNames([]));
        return () => control.abort();
    }, [folder]);
    return html`<input
            id=${id}
            aria-label=${label}
            class="path mono"
            list=${list}
            placeholder=${placeholder}
            autocomplete="off"
            spellcheck="false"
            value=${value}
            aria-invalid=${invalid ? "true" : undefined}
            aria-describedby=${describedby}
            onInput=${(event) => change(event.target.value)}
        /><datalist id=${list}>${names.map((name) => html`<option value=${name} />`)}</datalist>`;
}
