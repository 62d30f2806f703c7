// compare_tree.js: the trees of two runs as one flame graph: as wide as one of them, coloured by the difference.
//     CompareFlame({ program, path, widths, zoom, node, active, set })
// path: of GET /compare/tree; widths: "b" or "a"; set(values): of the address.
import { useGet } from "../api.js";
import { Flame } from "./flame.js";
import { integer, plural } from "./format.js";
import { readable, shortName, useNames } from "./names.js";
import { ErrorNotice, Notice, Waiting } from "./notice.js";
import { labelOf, nameOf, shortOf, treeOf } from "./tree_data.js";
import { html, useMemo } from "../lib/preact.js";

/** The relative difference of B, from -1 (less) to 1 (more), in units of the larger value. */
export const change = (a, b) => (Math.max(a, b) > 0 ? (b - a) / Math.max(a, b) : 0);

/** Orange is more, blue is less, grey is equal; the stronger, the more it differs. */
export function colourOf(part, dark) {
    const strength = Math.sqrt(Math.min(1, Math.abs(part)));
    if (strength < 0.03) return dark ? "hsl(215 10% 32%)" : "hsl(215 12% 86%)";
    const hue = part > 0 ? 25 : 213;
    return dark ? `hsl(${hue} ${20 + 45 * strength}% ${30 + 4 * strength}%)` : `hsl(${hue} ${45 + 45 * strength}% ${88 - 24 * strength}%)`;
}

export const signed = (value) => (value > 0 ? `+${integer(value)}` : value < 0 ? `−${integer(-value)}` : "0");

export function CompareFlame({ program, path, widths = "b", metric, zoom, node, active, set }) {
    const answer = useGet(path);
    const known = useNames(program);
    const metrics = answer.value?.metrics ?? [];
    const at = Math.max(0, metrics.findIndex((one) => String(one.column) === metric));
    const trees = useMemo(() => {
        if (!answer.value || metrics.length === 0) return null;
        const side = (which) => treeOf({ ...answer.value, metrics: [{ ...metrics[at], values: metrics[at][which] }] }, 0, readable, shortName);
        return { a: side("a"), b: side("b") };
    }, [answer.value, at, known]);
    const colours = useMemo(() => trees && ((dark) => Array.from(trees.b.total, (b, number) => colourOf(change(trees.a.total[number], b), dark))), [trees]);
    if (answer.error) return html`<${ErrorNotice} error=${answer.error} again=${answer.reload} />`;
    if (!answer.value) return html`<${Waiting} />`;
    if (!trees) return html`<${Notice}>The tree counts nothing that adds up.<//>`;
    const tree = trees[widths];
    const number = (text) => (/^\d+$/.test(text ?? "") && Number(text) < tree.count ? Number(text) : -1);
    const say = (chosen) => {
        const [a, b] = [trees.a.total[chosen], trees.b.total[chosen]];
        return html`<strong data-brief title=${labelOf(tree, chosen)}>${shortOf(tree, chosen)}</strong> A ${integer(a)} · B ${integer(b)} · B−A ${signed(b - a)}${a > 0 ? html` · B/A ${(b / a).toFixed(2)}` : " · new in B"}${b === 0 ? " · gone in B" : ""}`;
    };
    const whole = html`${plural(tree.count, "call path")} · A ${integer(trees.a.sum)} · B ${integer(trees.b.sum)} · B−A ${signed(trees.b.sum - trees.a.sum)} ${tree.metric.title.toLowerCase()}`;
    return html`<div class="compare-flame">
        <div class="row compare-code-head">
            <label for="compare-widths">Widths</label>
            <select id="compare-widths" value=${widths} onChange=${(event) => set({ widths: event.target.value === "b" ? "" : "a", zoom: "" })}>
                <option value="b">of B</option>
                <option value="a" title="What is gone is visible">of A</option>
            </select>
            ${metrics.length > 1 &&
            html`<select aria-label="Counts of the tree" value=${metrics[at].column} onChange=${(event) => set({ treemetric: event.target.value })}>
                ${metrics.map((one) => html`<option value=${one.column}>${one.title}</option>`)}
            </select>`}
            <span class="spacer"></span>
            <span class="legend"><span class="swatch more"></span>more in B <span class="swatch less"></span>less in B <span class="swatch"></span>equal</span>
        </div>
        ${tree.sum > 0
            ? html`<${Flame} tree=${tree} zoom=${number(zoom)} selected=${number(node)} active=${active} nodeColours=${colours} say=${say} whole=${whole} onSelect=${(chosen) => set({ node: String(chosen), name: nameOf(tree, chosen) })} onZoom=${(next) => set({ zoom: next < 0 ? "" : String(next) })} />`
            : html`<${Notice}>${widths === "b" ? "B" : "A"} counted nothing in this tree.<//>`}
    </div>`;
}
