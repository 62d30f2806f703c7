// compare_code.js: a procedure of two runs side by side: its sources, if they differ, or its disassembly, with the
// counts of each run. CodeMirror's merge view aligns the lines that are equal.
//     CompareCode({ a, b, name, mode, metric, setMetric })
// a, b: { run, program, program_name }; name: the procedure's; mode: "source" or "code"; metric: "TOOL: TITLE".
import { query, useGet } from "../api.js";
import { addressColumn, countColumn, languageOf, lineColumn, looks, rowsOf, shareColumn, withValues } from "./code.js";
import { amount, instructionRows, lineValues, sourceRows } from "./code_rows.js";
import { integer, plural } from "./format.js";
import { bothNames, readable, shortName } from "./names.js";
import { ErrorNotice, Notice, Waiting } from "./notice.js";
import { html, useLayoutEffect, useMemo, useRef } from "../lib/preact.js";
import { EditorState, EditorView, MergeView, classHighlighter, syntaxHighlighting } from "../lib/codemirror.js";

const metricName = (metric) => `${metric.tool}: ${metric.title}`;

/** The data about the procedure in one run. */
function useSide({ run, program }, name, mode) {
    const list = useGet(name ? `/programs/${program}/procedures${query({ find: name, limit: 200 })}` : null);
    const row = (list.value?.rows ?? []).find((one) => one.name === name || one.demangled === name);
    const pc = list.loading ? null : row?.pc;
    const procedure = useGet(pc ? `/programs/${program}/procedures/${pc}` : null);
    const annotation = useGet(pc ? `/runs/${run}/annotation${query({ procedure: pc })}` : null);
    const file = procedure.value && !procedure.loading ? (procedure.value.file ?? procedure.value.sources[0]?.path) : null;
    const source = useGet(mode === "source" && file ? `/programs/${program}/source${query({ path: file })}` : null);
    const error = list.error ?? procedure.error ?? annotation.error ?? source.error;
    const missing = Boolean(list.value && !list.loading && !row);
    const ready = Boolean(procedure.value && !procedure.loading && annotation.value && !annotation.loading && (mode !== "source" || !file || (source.value && !source.loading)));
    return { error, missing, ready, file, procedure: procedure.value, annotation: annotation.value, source: source.value };
}

/** Its lines, with the counts of the metric; addresses in the code are not compared. */
function rowsOfSide(side, mode, metric) {
    const id = side.annotation?.metrics?.find((one) => metricName(one) === metric)?.id;
    const code = instructionRows(side.procedure, side.annotation, id);
    if (mode === "code") {
        const places = new Map(code.map((row, index) => [row.pc, index]));
        for (const row of code) {
            if (!row.target) continue;
            const at = places.get(row.target);
            row.text = row.text.replace(/0x[0-9a-f]+|\b[0-9a-f]{6,}\b/, at === undefined ? (row.to_name ?? "…") : `+${at}`);
            row.to = undefined;
        }
        return code;
    }
    return side.source?.text ? sourceRows(side.source.text, side.file, code, lineValues(code, side.annotation, id)) : [];
}

function Merged({ a, b, mode, labels }) {
    const host = useRef();
    useLayoutEffect(() => {
        const columns = mode === "code" ? [countColumn, addressColumn] : [lineColumn, countColumn, shareColumn];
        const editor = (side, label) => ({
            doc: side.rows.map((row) => row.text).join("\n"),
            extensions: [
                rowsOf.of(withValues(side.rows, side.total, false)),
                EditorState.readOnly.of(true),
                EditorView.editable.of(false),
                EditorView.contentAttributes.of({ tabindex: "0", "aria-label": label, "aria-readonly": "true" }),
                columns,
                looks,
                syntaxHighlighting(classHighlighter),
                ...(mode === "code" ? [] : languageOf(side.file ?? "")),
            ],
        });
        const view = new MergeView({ parent: host.current, a: editor(a, labels[0]), b: editor(b, labels[1]), gutter: true, highlightChanges: true });
        // The procedure may be anywhere in its file.
        const line = b.rows.findIndex((row) => row.value !== undefined || row.pc);
        if (mode === "source" && line > 3) {
            const show = () => {
                const block = view.b.lineBlockAt(view.b.state.doc.line(line - 1).from);
                view.dom.scrollTop = block.top;
            };
            requestAnimationFrame(show);
        }
        return () => view.destroy();
    }, [a, b, mode, labels[0], labels[1]]);
    return html`<div class="compare-merge code" ref=${host} />`;
}

export function CompareCode({ a, b, name, mode, metric, setMetric }) {
    const sides = [useSide(a, name, mode), useSide(b, name, mode)];
    const ready = sides.every((side) => side.ready);
    const metrics = useMemo(() => {
        const all = new Map();
        for (const side of sides) for (const one of side.annotation?.metrics ?? []) if (!all.has(metricName(one))) all.set(metricName(one), one);
        return [...all.entries()].sort(([, left], [, right]) => Number(right.merge === "sum") - Number(left.merge === "sum") || Number(right.place === "inst") - Number(left.place === "inst")).map(([title]) => title);
    }, [sides[0].annotation, sides[1].annotation]);
    const used = metrics.includes(metric) ? metric : metrics[0];
    const [left, right] = useMemo(
        () =>
            ready
                ? sides.map((side) => {
                      const rows = rowsOfSide(side, mode, used);
                      const whole = amount(side.annotation.metrics.find((one) => metricName(one) === used)?.total);
                      return { rows, file: side.file, total: whole || rows.reduce((sum, row) => sum + amount(row.value), 0) };
                  })
                : [],
        [ready, mode, used, ...sides.flatMap((side) => [side.procedure, side.annotation, side.source])],
    );
    if (!name) return html`<${Notice} hint="Choose a row of a table, or a box of the flame graph: arrow keys or a click.">No procedure is chosen.<//>`;
    const error = sides.find((side) => side.error)?.error;
    if (error) return html`<${ErrorNotice} error=${error} />`;
    const absent = ["A", "B"].filter((_, at) => sides[at].missing);
    if (absent.length > 0) return html`<${Notice} hint="It may have been inlined, removed, or have another name there."><strong title=${bothNames(name)}>${shortName(name)}</strong> is no procedure of the program of ${absent.join(" and of that of ")}.<//>`;
    if (!ready) return html`<${Waiting}>Reading the procedure …<//>`;
    const why = ["A", "B"].map((letter, at) => {
        const side = sides[at];
        if (mode !== "source") return null;
        if (!side.file) return `There is no debug information for it in ${letter}: compile with -g.`;
        return side.source?.text ? null : `The source of ${letter} cannot be read: ${side.file} (${side.source?.why ?? "it is not there"}).`;
    });
    const same = mode === "source" && a.program !== b.program && sides[0].file === sides[1].file;
    return html`<div class="compare-code">
        <div class="row compare-code-head">
            <strong class="procedure-name" data-brief title=${bothNames(name)}>${shortName(name)}</strong>
            ${metrics.length > 0
                ? html`<select aria-label="Counts beside the code" value=${used} onChange=${(event) => setMetric(event.target.value)}>
                      ${metrics.map((one) => html`<option value=${one}>${one}</option>`)}
                  </select>`
                : html`<span class="muted">no report of these runs counts at its places</span>`}
            <span class="spacer"></span>
            <span class="muted">A: ${plural(sides[0].procedure.instructions.length, "instruction")} · B: ${integer(sides[1].procedure.instructions.length)}</span>
        </div>
        ${same && html`<${Notice} kind="warning">Both builds were made from ${sides[0].file}, which is shown as it is now: the lines of A may have been others.<//>`}
        ${why.some(Boolean)
            ? why.filter(Boolean).map((one) => html`<${Notice} kind="warning" hint="The disassembly of both is there in any case. Results: a folder can be named in which sources are.">${one}<//>`)
            : html`<${Merged} a=${left} b=${right} mode=${mode} labels=${[`A: ${readable(name)}`, `B: ${readable(name)}`]} />`}
    </div>`;
}
