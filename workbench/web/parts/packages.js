// packages.js: the packages of tools that atomc finds here, and the gallery: adds them to the project, packs, trusts
// and removes them.
import { address } from "../address.js";
import { base, post, remove, useGet } from "../api.js";
import { toolName } from "../groups.js";
import { takeFocus } from "./focus.js";
import { ErrorNotice, Notice, Waiting } from "./notice.js";
import { PathField } from "./path.js";
import { UploadButton } from "./upload.js";
import { html, useId, useState } from "../lib/preact.js";

const toolsOf = (one) => (one.tools ?? []).map((file) => ({ name: file.replace(/\.atd$/, ""), package: one.name }));

function ToolLinks({ one, state }) {
    return toolsOf(one).map((tool) => html`<a class="tool-link" href=${address("tools", { ...state, packages: undefined, tool: toolName(tool) })}>${tool.name}</a> `);
}

/** C that atomc would run: the user accepts the package in its present state, by its digest. */
function Trust({ one, attempt }) {
    if (!one.runs_host_code) return null;
    if (one.trusted) return html`<span class="chip" title="its C may run inside of atomc, as it is now">trusted</span>`;
    return html`<${Notice} kind="warning" hint="Digest ${one.digest}" action=${html`<button onClick=${() => attempt(() => post(`/packages/${one.name}/trust`, { digest: one.digest }))}>Trust ${one.name}</button>`}>
        It has C that runs inside of atomc, with your rights. Look at it in ${one.folder}; its tools are not used until you trust it.
    <//>`;
}

function Remove({ one, attempt }) {
    const [asked, setAsked] = useState(false);
    if (!asked) return html`<button class="small" aria-label="Remove ${one.name} …" onClick=${() => setAsked(true)}>Remove …</button>`;
    return html`<button class="small danger" ref=${takeFocus} onClick=${() => attempt(() => remove(`/packages/${one.name}`))}>Remove ${one.name} and its files</button>
        <button class="small" onClick=${() => setAsked(false)}>Keep it</button>`;
}

function Package({ one, state, own, attempt }) {
    if (one.error) return html`<article class="package"><h4>${one.name}</h4><${Notice} kind="error" hint=${one.folder}>${one.error}<//>${own && html`<${Remove} one=${one} attempt=${attempt} />`}</article>`;
    return html`<article class="package" aria-label=${one.name}>
        <div class="row">
            <h4>${one.name}</h4>
            <span class="muted">${one.version}</span>
            <span class="chip" title=${one.folder}>${own ? "in this project" : "on this machine"}</span>
            <span class="spacer" />
            <a class="button small" href="${base}/packages/${encodeURIComponent(one.name)}/archive" download aria-label="Pack ${one.name}">Pack</a>
            ${own && html`<${Remove} one=${one} attempt=${attempt} />`}
        </div>
        <p>${one.description}</p>
        <p><span class="muted">Tools:</span> <${ToolLinks} one=${one} state=${state} /></p>
        <${Trust} one=${one} attempt=${attempt} />
    </article>`;
}

function Add({ attempt }) {
    const [path, setPath] = useState("");
    const id = useId();
    const add = async () => path.trim() && (await attempt(() => post("/packages", { path: path.trim() }))) && setPath("");
    return html`<form class="row package-add" onSubmit=${(event) => (event.preventDefault(), add())}>
        <label for=${id}>Add</label>
        <${PathField} id=${id} value=${path} change=${setPath} placeholder="path of a folder, or of a .tar.zst file" />
        <button disabled=${path.trim() === ""}>Add to the project</button>
        <${UploadButton} done=${(sent) => attempt(() => post("/packages", { path: sent.path }))} describes="a package, a .tar.zst file" />
    </form>`;
}

/** changed(): called after the tools have changed. */
export function Packages({ state, changed }) {
    const packages = useGet("/packages"), gallery = useGet("/gallery"), project = useGet("/project");
    const [error, setError] = useState(null);
    const [said, setSaid] = useState("");
    const attempt = async (work) => {
        setError(null);
        setSaid("");
        let good = true;
        try {
            const answer = await work();
            if (answer?.name) setSaid(`${answer.name} is in the project now.`);
        } catch (failed) {
            setError(failed);
            good = false;
        }
        packages.reload();
        gallery.reload();
        changed();
        return good;
    };
    const own = project.value && `${project.value.path}/tools/`;
    const read_only = project.value?.read_only;
    const found = packages.value?.packages;
    return html`<div class="stack packages">
        <h2>Packages of tools</h2>
        ${read_only ? html`<${Notice} hint=${read_only}>Nothing can be added: the project is open to be read only.<//>` : html`<${Add} attempt=${attempt} />`}
        <${ErrorNotice} error=${error ?? packages.error} />
        ${said && html`<${Notice} kind="good">${said}<//>`}
        ${!packages.value && !packages.error && html`<${Waiting} />`}
        ${found?.length === 0 && html`<${Notice} hint="Add one of the gallery below, a folder or a file; or write one on the screen Author.">There are no packages in this project or on this machine.<//>`}
        ${found?.map((one) => html`<${Package} key=${one.folder} one=${one} state=${state} own=${Boolean(own && one.folder.startsWith(own) && !read_only)} attempt=${attempt} />`)}
        <h3>Gallery</h3>
        <p class="muted">Recipes of the cookbook, with parameters and pictures. One that is added is copied into the project.</p>
        <${ErrorNotice} error=${gallery.error} again=${gallery.reload} />
        ${gallery.value?.packages.length === 0 && html`<${Notice}>This atomc has come without its gallery.<//>`}
        <ul class="gallery">
            ${gallery.value?.packages.map((one) => html`<li class="package" key=${one.name}>
                <div class="row">
                    <h4>${one.name}</h4>
                    <span class="muted">${toolsOf(one).map((tool) => tool.name).join(", ")}</span>
                    <span class="spacer" />
                    ${one.added ? html`<span class="chip good">added</span>` : !read_only && html`<button class="small" aria-label="Add ${one.name}" onClick=${() => attempt(() => post("/packages", { gallery: one.name, digest: one.digest }))}>Add</button>`}
                </div>
                <p>${one.description}</p>
            </li>`)}
        </ul>
    </div>`;
}
