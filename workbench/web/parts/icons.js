// icons.js: drawings of 16 by 16, one path each, in the colour of the text beside them.
import { html } from "../lib/preact.js";

const draw = (path) => html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d=${path} /></svg>`;

export const icons = {
    project: draw("M2 4.5V13h12V4.5M1.5 2.5h13v2h-13zM6 7.5h4"),
    program: draw("M2.5 2.5h11v11h-11zM2.5 6h11M6 6v7.5"),
    tools: draw("M2 4h6M12 4h2M2 8h2M8 8h6M2 12h7M13 12h1M10 2.2v3.6M6 6.2v3.6M11 10.2v3.6"),
    run: draw("M4.5 2.5l8 5.5-8 5.5z"),
    results: draw("M2.5 13.5V8M6.2 13.5V3M9.8 13.5V6M13.5 13.5V10"),
    compare: draw("M2 5h11M10 2l3 3-3 3M14 11H3M6 8l-3 3 3 3"),
    campaigns: draw("M2.5 2.5h3v3h-3zM6.5 2.5h3v3h-3zM10.5 2.5h3v3h-3zM2.5 6.5h3v3h-3zM6.5 6.5h3v3h-3zM10.5 6.5h3v3h-3zM2.5 10.5h3v3h-3zM6.5 10.5h3v3h-3z"),
    author: draw("M2.5 13.5l.8-3.2 7.6-7.6 2.4 2.4-7.6 7.6zM9.5 4.1l2.4 2.4"),
    sql: draw("M2.5 4c0-2 11-2 11 0v8c0 2-11 2-11 0zM2.5 4c0 2 11 2 11 0M2.5 8c0 2 11 2 11 0"),
    help: draw("M5.2 5.8c0-3.8 5.8-3.6 5.6 0C10.7 8 8 8 8 10M8 12.2v1.3"),
};
