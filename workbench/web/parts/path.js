// path.js: a field for a path, with completion: the names of the folder that is typed, as far as the server may see them.
import { get, query } from "../api.js";
import { html, useEffect, useId, useState } from "../lib/preact.js";

export function PathField({ id, value, change, placeholder, invalid, describedby }) {
    const [names, setNames] = useState([]);
    const list = useId();
    const folder = value.slice(0, value.lastIndexOf("/") + 1);
    useEffect(() => {
        const control = new AbortController();
        // A folder that is not there has no names; that the path is wrong is said when it is used.
        get(`/files${query({ folder })}`, { signal: control.signal }).then(
            (answer) => setNames(answer.files.map((file) => folder + file.name + (file.folder ? "/" : ""))),
            (failed) => failed.name === "AbortError" || setNames([]),
        );
        return () => control.abort();
    }, [folder]);
    return html`<input
            id=${id}
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
