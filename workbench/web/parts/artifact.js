// artifact.js: a file that a run has written, shown by its kind: text, JSON, tables (CSV), pictures (SVG), stacks
// (folded) as a flame graph. The file is not trusted: its content never becomes HTML, and a picture is shown as an
// image, whose scripts and links are inactive.
//     Artifact({ run, file, as, set })
// file: as GET /runs/N has it; as: "text" if that was chosen; set({ file, as }): of the address.
import { base } from "../api.js";
import { Flame } from "./flame.js";
import { bytes, integer } from "./format.js";
import { ErrorNotice, Notice, Waiting } from "./notice.js";
import { foldedTree, kindOf, readTable, textOf } from "./artifact_data.js";
import { readable } from "./names.js";
import { html, useEffect, useMemo, useState } from "../lib/preact.js";

const mostBytes = 4000000;
const mostRows = 1000;
const mostLines = 20000;

/** The first bytes of it: { data, whole }. */
async function beginning(path, signal, mostBytes) {
    const answer = await fetch(path, { signal });
    if (!answer.ok) throw new Error(`the file cannot be read: ${answer.status}`);
    const reader = answer.body.getReader();
    const parts = [];
    let length = 0;
    for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        parts.push(value);
        length += value.length;
        if (length > mostBytes) {
            reader.cancel();
            break;
        }
    }
    const data = new Uint8Array(Math.min(length, mostBytes));
    let at = 0;
    for (const part of parts) {
        data.set(part.subarray(0, data.length - at), at);
        at = Math.min(data.length, at + part.length);
    }
    return { data, whole: length <= mostBytes };
}

/** The beginning of a file of a run: { data, whole } or { error }; {}: it is being read. */
export function useFile(path, most = mostBytes) {
    const [state, setState] = useState(/** @type {any} */ ({ path: "" }));
    useEffect(() => {
        const control = new AbortController();
        beginning(path, control.signal, most).then(
            ({ data, whole }) => setState({ path, data, whole }),
            (error) => error.name === "AbortError" || setState({ path, error }),
        );
        return () => control.abort();
    }, [path]);
    return state.path === path ? state : {};
}

function Text({ text }) {
    const lines = text.split("\n");
    const shown = lines.length > mostLines ? lines.slice(0, mostLines).join("\n") : text;
    return html`<pre class="artifact-text" tabindex="0" role="region" aria-label="Text">${shown}</pre>
        ${lines.length > mostLines && html`<p class="muted">The first ${integer(mostLines)} of ${integer(lines.length)} lines.</p>`}`;
}

function Rows({ text }) {
    const { rows, numbers } = useMemo(() => readTable(text, mostRows + 1), [text]);
    const [titles, ...others] = rows;
    return html`<div class="artifact-table" tabindex="0" role="region" aria-label="Table">
        <table class="plain rows">
            <thead><tr>${titles.map((title, at) => html`<th scope="col" class="plain-head ${numbers[at] ? "number" : ""}">${title}</th>`)}</tr></thead>
            <tbody>${others.slice(0, mostRows).map((row) => html`<tr>${titles.map((_, at) => html`<td class=${numbers[at] ? "number" : "text"} title=${row[at] ?? ""}>${readable(row[at] ?? "")}</td>`)}</tr>`)}</tbody>
        </table>
        ${others.length >= mostRows && html`<p class="muted">The first ${integer(mostRows)} rows.</p>`}
    </div>`;
}

function Picture({ data, name }) {
    const address = useMemo(() => {
        let letters = "";
        for (let at = 0; at < data.length; at += 8192) letters += String.fromCharCode(...data.subarray(at, at + 8192));
        return `data:image/svg+xml;base64,${btoa(letters)}`;
    }, [data]);
    const [wrong, setWrong] = useState(false);
    if (wrong) return html`<${Notice} kind="warning" hint="As text it can be looked at all the same.">It is no picture that a browser can draw.<//>`;
    return html`<div class="artifact-picture"><img src=${address} alt="The picture ${name}" onError=${() => setWrong(true)} /></div>`;
}

function Stacks({ text }) {
    const tree = useMemo(() => foldedTree(text, readable), [text]);
    const [zoom, setZoom] = useState(-1);
    const [selected, setSelected] = useState(-1);
    if (!tree) return html`<${Notice}>There is no stack in it.<//>`;
    return html`<${Flame} tree=${tree} zoom=${zoom} selected=${selected} onZoom=${setZoom} onSelect=${setSelected} />`;
}

export function Artifact({ run, file, as, set }) {
    const path = `${base}/runs/${run.id}/files/${encodeURIComponent(file.path)}`;
    const { data, whole, error } = useFile(path);
    const text = useMemo(() => (data ? textOf(data) : undefined), [data]);
    const kind = data ? kindOf(file, text) : undefined;
    const shown = as === "text" && text !== null ? "text" : kind;
    const what = { text: "text", json: "JSON", table: "a table", picture: "a picture", folded: "stacks", lcov: "coverage, in lcov's format", page: "a page in HTML" };
    const isOutput = file.format === "output";
    return html`<div class="artifact">
        <div class="row artifact-head">
            <button class="small" onClick=${() => set({ file: "", as: "" })}>All files</button>
            <strong class="mono">${isOutput ? file.name.trim() : file.name}</strong>
            <span class="muted">${kind && text !== null ? what[kind] : ""}${file.process ? ` of process ${file.process}` : ""}</span>
            <span class="spacer"></span>
            ${text !== null && kind && kind !== "text" && kind !== "page" && kind !== "lcov" && html`<label class="check"><input type="checkbox" checked=${shown === "text"} onChange=${(event) => set({ as: event.target.checked ? "text" : "" })} /> as text</label>`}
            <a class="button small" href=${path} download>Save</a>
        </div>
        <${ErrorNotice} error=${error} />
        ${!data && !error && html`<${Waiting}>Reading the file …<//>`}
        ${data && !whole && html`<${Notice}>It is large: this is its first part, ${bytes(mostBytes)}.<//>`}
        ${data && data.length === 0 && html`<${Notice}>The file is empty.<//>`}
        ${text === null && html`<${Notice} hint="It can be saved.">This is no text, and no kind of file that is shown here.<//>`}
        ${kind === "page" && html`<${Notice}>A tool wrote this page: it is not opened here. This is its text; saved, a browser shows it.<//>`}
        ${kind === "lcov" && html`<${Notice} action=${html`<button class="small" onClick=${() => set({ view: "coverage", file: "" })}>Coverage</button>`}>The tab Coverage shows what it says, beside the source.<//>`}
        ${data?.length > 0 && ["text", "page", "lcov"].includes(shown) && html`<${Text} text=${text} />`}
        ${shown === "json" && html`<${Text} text=${JSON.stringify(JSON.parse(text), null, 2)} />`}
        ${shown === "table" && html`<${Rows} text=${text} />`}
        ${shown === "picture" && html`<${Picture} data=${data} name=${file.name} />`}
        ${shown === "folded" && html`<${Stacks} text=${text} />`}
    </div>`;
}
