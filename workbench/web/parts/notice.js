// notice.js: the text in a pane that is empty, is waiting, or has an error. Each pane shows the reason why it is empty.
import { html, useEffect, useState } from "../lib/preact.js";

/** A line with a reason: kind is "note", "warning", "error" or "good". */
export function Notice({ kind = "note", hint, action, children }) {
    return html`<div class="notice ${kind}" role=${kind === "error" ? "alert" : "status"}>
        <div>${children}</div>
        ${hint && html`<div class="hint">${hint}</div>`} ${action}
    </div>`;
}

/** A Failure of api.js, with the server's text. */
export function ErrorNotice({ error, again }) {
    if (!error) return null;
    return html`<${Notice} kind="error" hint=${error.hint} action=${again && html`<button onClick=${again}>Try again</button>`}>
        ${error.error ?? error.message}
    <//>`;
}

/** Text for waiting. It appears after a moment, so that the pane does not flicker. */
export function Waiting({ children = "Loading …" }) {
    const [long, setLong] = useState(false);
    useEffect(() => {
        const timer = setTimeout(() => setLong(true), 300);
        return () => clearTimeout(timer);
    }, []);
    return long ? html`<${Notice}>${children}<//>` : null;
}
