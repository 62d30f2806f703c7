// tabs.js: tabs of a pane.
import { integer } from "./format.js";
import { html, useRef } from "../lib/preact.js";

/** Tabs: arrow keys move between them. list: [{ id, title, count, kind, hint }]; kind: a class of the count */
export function Tabs({ label, list, chosen, choose, panel }) {
    const bar = useRef();
    const onKey = (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!step) return;
        event.preventDefault();
        const next = list[(list.findIndex((one) => one.id === chosen) + step + list.length) % list.length];
        choose(next.id);
        bar.current.querySelector(`[data-tab="${CSS.escape(next.id)}"]`)?.focus();
    };
    return html`<div role="tablist" aria-label=${label} ref=${bar} onKeyDown=${onKey}>
        ${list.map((one) => html`<button type="button" role="tab" data-tab=${one.id} aria-selected=${String(one.id === chosen)} aria-controls=${panel} tabindex=${one.id === chosen ? 0 : -1} title=${one.hint} onClick=${() => choose(one.id)}>
            ${one.title}${one.count !== undefined ? html` <span class="count ${one.kind ?? ""}">${integer(one.count)}</span>` : ""}
        </button>`)}
    </div>`;
}
