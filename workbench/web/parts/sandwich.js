// sandwich.js: one procedure between its callers and its callees, over all call paths: as lists, as a map of its callers or callees, as a
// graph of the calls around it. Sandwich({ tree, answer, metric, calls, active, form, onForm(id), onSelect(name, address) })
// answer, metric: from which the tree was made; calls: of each node; form: lists, callers, map or graph
import { CallGraph, CallMap } from "./around.js";
import { fixed, integer } from "./format.js";
import { bothNames, readable, shortName } from "./names.js";
import { Notice } from "./notice.js";
import { Tabs } from "./tabs.js";
import { sandwichOf, share } from "./tree_data.js";
import { html, useMemo } from "../lib/preact.js";

function Side({ title, what, list, tree, whole, onSelect }) {
    return html`<div>
        <table class="plain">
            <caption class="hidden">${title}</caption>
            <thead>
                <tr>
                    <th scope="col">${title}</th>
                    <th scope="col" class="number">${what}</th>
                    <th scope="col" class="number">%</th>
                </tr>
            </thead>
            <tbody>
                ${list.map((one) => html`<tr>
                    <td class="tree-name">${one.address === null && one.name.startsWith("(") ? html`<span class="muted">${one.name}</span>` : html`<button class="plain" data-brief title=${bothNames(one.name)} onClick=${() => onSelect(one.name, one.address)}>${shortName(one.name)}</button>`}</td>
                    <td class="number bar" style=${{ "--part": `${whole > 0 ? (100 * one.total) / whole : 0}%` }}>${integer(one.total)}</td>
                    <td class="number">${fixed(share(tree, one.total))}</td>
                </tr>`)}
            </tbody>
        </table>
        ${list.length === 0 && html`<${Notice}>None.<//>`}
    </div>`;
}

const forms = [
    { id: "lists", title: "Lists" },
    { id: "callers", title: "Caller map" },
    { id: "map", title: "Callee map" },
    { id: "graph", title: "Call graph" },
];

export function Sandwich({ tree, answer, metric, calls, active, form = "lists", onForm, onSelect }) {
    const found = useMemo(() => (active ? sandwichOf(tree, active) : null), [tree, active]);
    if (!active) return html`<${Notice} hint="Choose one in the table or in the flame graph.">No procedure is chosen.<//>`;
    if (found.nodes === 0) return html`<${Notice} hint="It may have been inlined, or not called in this run.">The call tree has no procedure '${readable(active)}'.<//>`;
    const what = tree.metric?.title ?? "Total";
    return html`<div class="sandwich">
        <div class="row sandwich-self">
            <strong data-brief title=${bothNames(active)}>${shortName(active)}</strong>
            <span>with all that it calls ${integer(found.total)} (${fixed(share(tree, found.total))} %)</span>
            <span>itself ${integer(found.self)} (${fixed(share(tree, found.self))} %)</span>
            <span class="muted">${integer(found.nodes)} ${found.nodes === 1 ? "call path" : "call paths"}</span>
            <span class="spacer"></span>
            <${Tabs} label="Form" list=${forms} chosen=${form} choose=${onForm} panel="sandwich-panel" />
        </div>
        <div id="sandwich-panel" class="sandwich-panel" role="tabpanel" aria-label=${forms.find(({ id }) => id === form)?.title}>
        ${(form === "map" || form === "callers") && html`<${CallMap} answer=${answer} metric=${metric} name=${active} up=${form === "callers"} onSelect=${onSelect} />`}
        ${form === "graph" && html`<${CallGraph} tree=${tree} calls=${calls} name=${active} onSelect=${(name) => onSelect(name)} />`}
        ${form === "lists" && html`<div class="columns sandwich-sides">
            <${Side} title="Callers" what=${what} list=${found.callers} tree=${tree} whole=${found.total} onSelect=${onSelect} />
            <${Side} title="Callees" what=${what} list=${found.callees} tree=${tree} whole=${found.total} onSelect=${onSelect} />
        </div>`}
        </div>
    </div>`;
}
