// tree_changes.js: the row above the flame graph and the tree: the possible changes for the chosen function, the changes that were made, and how
// much of all the picture shows. TreeChanges({ shown, name, changes, whole, libraries, notes, change(list) })
// shown: the tree of the picture; name: the chosen function; changes: of tree_changed.js; whole: the sum of the tree without
// changes; libraries: functions of libraries can be collapsed; notes: more to be said.
import { fixed, integer } from "./format.js";
import { bothNames, shortName } from "./names.js";
import { kinds } from "./tree_changed.js";
import { nodeOfName } from "./tree_data.js";
import { html, useMemo } from "../lib/preact.js";

const ofFunctions = ["focus", "hide", "collapse"];
const same = (left, right) => left.what === right.what && left.name === right.name;

/** The changes with one more; a change that is the last one already is not made again. */
export const withChange = (changes, change) => (changes.length > 0 && same(changes.at(-1), change) ? changes : [...changes, change]);

/** The change of a key that was pressed on a picture of calls; undefined: there is none. */
export function changeOfKey(event, name) {
    const what = ofFunctions.find((one) => kinds[one].key === event.key);
    return what && name && !event.ctrlKey && !event.altKey && !event.metaKey && !/^(INPUT|SELECT)$/.test(event.target.tagName) ? { what, name } : undefined;
}

export function TreeChanges({ shown, name, changes, whole, libraries, notes, change }) {
    const is_shown = useMemo(() => Boolean(name) && nodeOfName(shown, name) >= 0, [shown, name]);
    const without = (at) => change(changes.filter((_, other) => other !== at));
    const unit = (shown.metric?.title ?? "").toLowerCase();
    const has_libraries = libraries && !changes.some(({ what }) => what === "libraries");
    if (!is_shown && !has_libraries && changes.length === 0 && notes.length === 0) return null;
    return html`<div class="row tree-changes" role="group" aria-label="Functions in the picture">
        ${is_shown &&
        html`<span class="tree-changes-name" data-brief title=${bothNames(name)}>${shortName(name)}</span>
            ${ofFunctions.map((what) => html`<button class="small" title="${kinds[what].help} (key ${kinds[what].key})" onClick=${() => change(withChange(changes, { what, name }))}>${kinds[what].title}</button>`)}`}
        ${has_libraries && html`<button class="small" title=${kinds.libraries.help} onClick=${() => change([...changes, { what: "libraries" }])}>${kinds.libraries.title}</button>`}
        ${changes.map(({ what, name: of }, at) => html`<button class="small chip" title="Take this back: ${kinds[what].title}${of === undefined ? "" : ` ${bothNames(of)}`}" onClick=${() => without(at)}>${kinds[what].title}${of === undefined ? "" : html` <span data-brief>${shortName(of)}</span>`} ×</button>`)}
        ${changes.length > 1 && html`<button class="small plain" onClick=${() => change([])}>take all back</button>`}
        ${changes.length > 0 && html`<span class="muted tree-changes-sum">${shown.sum === whole ? `all ${integer(whole)} ${unit}` : `${integer(shown.sum)} of ${integer(whole)} ${unit} (${fixed(whole > 0 ? (100 * shown.sum) / whole : 0, 1)} %)`}</span>`}
        ${notes.map((note) => html`<span class="tree-changes-note">${note}</span>`)}
    </div>`;
}
