// upload.js: files on the browser's machine. They are sent to the project's objects/, and can be used in place of a
// path.
import { base, get, remove, upload, useGet } from "../api.js";
import { bytes } from "./format.js";
import { ErrorNotice } from "./notice.js";
import { PathField } from "./path.js";
import { html, useId, useRef, useState } from "../lib/preact.js";

/** Lets the user choose a file and sends it; done({ path, name, bytes, sha256 }). */
export function UploadButton({ done, label = "Upload …", describes = "" }) {
    const [share, setShare] = useState(null);
    const [error, setError] = useState(null);
    const field = useRef();
    const control = useRef();
    const send = async (file) => {
        setError(null);
        setShare(0);
        control.current = new AbortController();
        try {
            done(await upload(file, { progress: setShare, signal: control.current.signal }));
        } catch (failed) {
            if (failed.name !== "AbortError") setError(failed);
        }
        setShare(null);
        field.current.value = "";
    };
    return html`<input type="file" class="hidden" tabindex="-1" aria-hidden="true" ref=${field} onChange=${(event) => event.target.files[0] && send(event.target.files[0])} />
        ${share === null
            ? html`<button type="button" aria-label=${describes ? `${label} ${describes}` : undefined} onClick=${() => field.current.click()}>${label}</button>`
            : html`<span class="muted" role="status">${Math.round(100 * share)} %</span><button type="button" onClick=${() => control.current.abort()}>Cancel</button>`}
        <${ErrorNotice} error=${error} />`;
}

/** The contents of an .xz file, which the server uncompresses: it is no upload of the project afterwards, unless it was one before. */
export async function unpackXz(file) {
    const { objects } = await get("/objects");
    const sent = await upload(file);
    try {
        const answer = await fetch(`${base}/objects/${sent.sha256}/unpacked`);
        if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
        const { error, hint } = await answer.json();
        throw Object.assign(new Error(error), { error: `${file.name}: ${error}`, hint });
    } finally {
        if (!objects.some((one) => one.sha256 === sent.sha256)) await remove(`/objects/${sent.sha256}`);
    }
}

/** The files that were uploaded to this project: { uploads, reload, find(path) }. */
export function useUploads() {
    const { value, reload } = useGet("/objects");
    const uploads = value?.objects ?? [];
    return { uploads, reload, find: (path) => uploads.find((one) => one.path === path) };
}

/** A field for a file: a path that the server can read, or an upload. change(path, name). `is_removed`: the surrounding
    component removes it. */
export function FileField({ id, value, change, all, placeholder, describedby, what, is_removed = false }) {
    const own = useId();
    const name = id ?? own;
    const chosen = value && all.find(value);
    const inputs = all.uploads.filter((one) => !one.is_program);
    const done = (one) => {
        all.reload();
        change(one.path, one.name);
    };
    return html`<div class="file">
        ${/^objects\//.test(value ?? "")
            ? html`<span id=${name} class="upload mono" title=${value}>${chosen ? `${chosen.name}` : value}</span> ${chosen && html`<span class="muted">${bytes(chosen.bytes)}, uploaded</span>`}
                  ${!is_removed && html`<button type="button" class="small" aria-label="Take away the ${what}" onClick=${() => change("", "")}>Take away</button>`}`
            : html`<${PathField} id=${name} placeholder=${placeholder} value=${value ?? ""} change=${(path) => change(path)} describedby=${describedby} />
                  <${UploadButton} done=${done} describes=${`a file as the ${what}`} />`}
        ${inputs.length > 0 &&
        !/^objects\//.test(value ?? "") &&
        html`<select aria-label="Earlier uploads, for the ${what}" value="" onChange=${(event) => event.target.value && change(event.target.value, inputs.find((one) => one.path === event.target.value)?.name)}>
            <option value="">Earlier uploads …</option>
            ${inputs.map((one) => html`<option value=${one.path}>${one.name} (${bytes(one.bytes)})</option>`)}
        </select>`}
    </div>`;
}
