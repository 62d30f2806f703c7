// saved.js: saves the state of a screen, which is its address, under a name; the screen Project lists these names.
import { parse } from "../address.js";
import { post } from "../api.js";
import { takeFocus } from "./focus.js";
import { html, useEffect, useState } from "../lib/preact.js";

export function SaveScreen() {
    const [name, setName] = useState(null);
    const [said, setSaid] = useState("");
    useEffect(() => {
        const timer = setTimeout(() => setSaid(""), 5000);
        return () => clearTimeout(timer);
    }, [said]);
    const save = async (event) => {
        event.preventDefault();
        const { screen, state } = parse();
        try {
            await post("/views", { name: name.trim(), screen: screen || "project", state });
            setSaid("Saved: it stands in Project.");
            setName(null);
        } catch (failed) {
            setSaid(failed.message);
        }
    };
    if (name === null)
        return html`<span class="muted" role="status">${said}</span><button class="small" onClick=${() => (setName(""), setSaid(""))}>Save this screen …</button>`;
    return html`<form onSubmit=${save} onKeyDown=${(event) => event.key === "Escape" && setName(null)}>
        <span class="wrong" role="status">${said}</span>
        <input ref=${takeFocus} aria-label="Name of the saved screen" placeholder="its name" value=${name} onInput=${(event) => setName(event.target.value)} />
        <button class="small" disabled=${name.trim() === ""}>Save</button>
        <button class="small" type="button" onClick=${() => setName(null)}>Cancel</button>
    </form>`;
}
