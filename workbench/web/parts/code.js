// code.js: a procedure's source and disassembly, side by side, in turn, or the disassembly alone, with the counts of a
// run. The size of files does not matter: only visible rows are drawn (CodeMirror).
//     Code({ program, procedure, annotation, costs, metric, mode, selected, onSelect, onFollow })
// procedure: what GET /programs/P/procedures/PC answers; annotation: GET /runs/N/annotation?procedure=PC, or undefined; costs: of its calls
// (callCosts of tree_data.js), if a tree is known; metric: an id of annotation.metrics; annotation.sites: by address, [{ band, title }] of a
// tool that is being written; mode: "both", "mixed", "code"; selected: an address; onSelect(address), onFollow(address of a procedure).
import { get, post, put, query } from "../api.js";
import { amount, hottest, instructionRows, interleavedRows, lineKey, lineValues, sourceRows, takenShare, warmth } from "./code_rows.js";
import { fixed, integer, plural } from "./format.js";
import { ErrorNotice, Notice, Waiting } from "./notice.js";
import { html, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../lib/preact.js";
import { Decoration, EditorState, EditorView, Facet, GutterMarker, StateEffect, StateField, StreamLanguage, ViewPlugin, WidgetType, c, classHighlighter, cpp, fortran, gutter, syntaxHighlighting } from "../lib/codemirror.js";

// ---- what an editor shows beside the text: from the rows ----

export const rowsOf = Facet.define({ combine: (values) => values[0] ?? { rows: [], greatest: 0, total: 0 } });
const mark = StateEffect.define();
const primary = Decoration.line({ class: "code-selected", attributes: { "aria-current": "true" } });
const related = Decoration.line({ class: "code-related" });
const marked = StateField.define({
    create: () => ({ row: -1, lines: Decoration.none }),
    update(value, transaction) {
        for (const effect of transaction.effects) {
            if (!effect.is(mark)) continue;
            const line = (index) => transaction.state.doc.line(index + 1).from;
            const ranges = effect.value.rows.map((index) => (index === effect.value.row ? primary : related).range(line(index)));
            return { row: effect.value.row, lines: Decoration.set(ranges, true) };
        }
        return value;
    },
    provide: (field) => EditorView.decorations.from(field, (value) => value.lines),
});

class Cell extends GutterMarker {
    constructor(text, warm, title) {
        super();
        Object.assign(this, { text, warm, title });
    }
    eq(other) {
        return this.text === other.text && this.warm === other.warm;
    }
    toDOM() {
        const element = document.createElement("span");
        element.textContent = this.text;
        if (this.title) element.title = this.title;
        if (this.warm) element.style.setProperty("--warm", `${Math.round(78 * this.warm)}%`);
        if (this.warm) element.className = "warm";
        return element;
    }
}

class Taken extends GutterMarker {
    constructor(branch, share) {
        super();
        Object.assign(this, { branch, share });
    }
    eq(other) {
        return this.share === other.share && this.branch.taken === other.branch.taken;
    }
    toDOM() {
        const element = document.createElement("span");
        const bar = document.createElement("span");
        bar.className = "bar";
        bar.style.setProperty("--share", `${this.share}%`);
        element.className = "taken";
        element.title = `taken ${integer(this.branch.taken)}, not taken ${integer(this.branch.untaken)}`;
        element.append(bar, `${fixed(this.share, 1)} %`);
        return element;
    }
}

/** A gutter whose cells are made from rows: cell(row, all) answers a marker or null. */
const column = (name, widest, cell, side = "before") =>
    gutter({
        class: `code-${name}`,
        side,
        lineMarker(view, block) {
            const all = view.state.facet(rowsOf);
            const row = all.rows[view.state.doc.lineAt(block.from).number - 1];
            return row ? cell(row, all) : null;
        },
        initialSpacer: (view) => new Cell(widest(view.state.facet(rowsOf))),
        updateSpacer: (spacer, update) => {
            const text = widest(update.state.facet(rowsOf));
            return /** @type {Cell} */ (spacer).text === text ? spacer : new Cell(text);
        },
    });

const widest = (texts) => texts.reduce((most, text) => (text.length > most.length ? text : most), "");
export const lineColumn = column(
    "line",
    ({ rows }) => String(Math.max(9, ...[rows.at(-1)?.line ?? 9, rows[0]?.line ?? 9])),
    (row) => (row.line > 0 && (row.kind === "source" || row.starts || row.newLine) ? new Cell(String(row.line)) : null),
);
export const countColumn = column(
    "count",
    ({ greatestText }) => greatestText,
    (row, { greatest }) => (row.value !== undefined ? new Cell(integer(row.value), warmth(row.value, greatest)) : row.sum !== undefined ? new Cell(integer(row.sum), 0, "all of this line's instructions") : null),
);
export const shareColumn = column(
    "share",
    ({ total }) => (total > 0 ? "99.99" : ""), // without counts there is no empty column before the text
    (row, { total }) => (amount(row.value) > 0 && total > 0 ? new Cell(fixed((100 * amount(row.value)) / total, 2)) : null),
);
export const addressColumn = column(
    "address",
    () => "000000",
    (row) => (row.kind === "instruction" ? new Cell(row.pc.slice(-6), 0, row.pc) : null),
);
const branchColumn = column(
    "branch",
    ({ hasBranches }) => (hasBranches ? "100.0 % xxxxxx" : ""),
    (row) => {
        const share = takenShare(row.branch);
        return share === undefined ? null : new Taken(row.branch, share);
    },
    "after",
);

/** Places of a tool that is being written: one square a statement, in its colour and with its number. */
class Sites extends GutterMarker {
    constructor(sites) {
        super();
        this.sites = sites;
    }
    eq(other) {
        return this.sites === other.sites;
    }
    toDOM() {
        const element = document.createElement("span");
        const bands = [...new Set(this.sites.map((one) => one.band))];
        element.className = "sites";
        element.title = this.sites.slice(0, 20).map((one) => `${one.band}: ${one.title}`).join("\n");
        for (const band of bands.slice(0, 3)) {
            const square = document.createElement("span");
            square.className = `band band-${band % 8}`;
            square.textContent = String(band);
            element.append(square);
        }
        if (bands.length > 3) element.append("+");
        return element;
    }
}

const siteColumn = column(
    "sites",
    ({ rows }) => "x".repeat(2 * Math.min(4, Math.max(0, ...rows.map((row) => new Set(row.sites?.map((one) => one.band)).size)))),
    (row) => (row.sites?.length ? new Sites(row.sites) : null),
);

/** Text after a call: the callees, the number of calls and their cost. */
class Callee extends WidgetType {
    constructor(row) {
        super();
        this.row = row;
    }
    eq(other) {
        return this.row.to === other.row.to && this.row.call === other.row.call && this.row.cost === other.row.cost;
    }
    toDOM() {
        const element = document.createElement("span");
        const { to, to_name, call, cost } = this.row;
        element.className = "code-callee";
        element.dataset.to = to;
        element.textContent = `→ ${to_name}`;
        element.title = `${to_name} (click, or Enter on the line)`;
        // The calls from this place. The calls in the tree belong to this place, too, if it is the only one.
        const alone = cost?.sites === 1;
        const calls = call?.calls ?? (alone ? cost.total : undefined);
        if (calls !== undefined && calls !== null) element.textContent += ` × ${integer(calls)}`;
        if (cost) {
            const inclusive = document.createElement("span");
            inclusive.className = "code-inclusive";
            inclusive.textContent = alone ? integer(cost.inclusive) : `${integer(cost.inclusive)} in ${integer(cost.sites)} places`;
            element.append(" ", inclusive);
            element.title = `${to_name}: ${integer(cost.inclusive)} ${cost.title} with all that it calls${alone ? ", when called from here" : `, when called from the ${integer(cost.sites)} places of this procedure that call it: the tree of calls does not tell them apart`} (click, or Enter on the line)`;
        }
        return element;
    }
    ignoreEvent() {
        return false;
    }
}

const rowClass = { source: Decoration.line({ class: "code-source" }), note: Decoration.line({ class: "code-note" }), starts: Decoration.line({ class: "code-block" }), never: Decoration.line({ class: "code-never" }) };
const mnemonic = Decoration.mark({ class: "code-mnemonic" });

/** Made for visible lines only: mnemonics, callees, blocks. */
export const looks = ViewPlugin.fromClass(
    class {
        constructor(view) {
            this.decorations = this.make(view);
        }
        update(update) {
            if (update.docChanged || update.viewportChanged || update.startState.facet(rowsOf) !== update.state.facet(rowsOf)) this.decorations = this.make(update.view);
        }
        make(view) {
            const { rows, mixed } = view.state.facet(rowsOf);
            const ranges = [];
            for (const { from, to } of view.visibleRanges) {
                for (let at = from; at <= to; ) {
                    const line = view.state.doc.lineAt(at);
                    const row = rows[line.number - 1];
                    if (row?.kind === "instruction") {
                        if (row.starts) ranges.push(rowClass.starts.range(line.from));
                        if (line.length > 0) ranges.push(mnemonic.range(line.from, line.from + row.mnemonic.length));
                        if (row.to) ranges.push(Decoration.widget({ widget: new Callee(row), side: 1 }).range(line.to));
                    } else if (row?.never) ranges.push(rowClass.never.range(line.from));
                    else if (row && (mixed || row.kind === "note")) ranges.push(rowClass[row.kind].range(line.from));
                    at = line.to + 1;
                }
            }
            return Decoration.set(ranges, true);
        }
    },
    { decorations: (plugin) => plugin.decorations },
);

export function languageOf(file) {
    if (/\.(cc|cpp|cxx|C|hh|hpp|hxx|tcc|ipp)$/.test(file) || !/\.[A-Za-z0-9]+$/.test(file)) return [StreamLanguage.define(cpp)];
    if (/\.[ch]$/.test(file)) return [StreamLanguage.define(c)];
    if (/\.f(or|90|95)?$/i.test(file)) return [StreamLanguage.define(fortran)];
    return [];
}

// ---- one editor ----

/** How rows are drawn together: the greatest value, for heat, and the sum, for shares. */
export function withValues(rows, total, mixed) {
    const greatest = rows.reduce((most, row) => Math.max(most, amount(row.value)), 0);
    let line = 0;
    for (const row of rows) {
        if (row.kind !== "instruction") continue;
        row.newLine = !mixed && row.line !== line;
        line = row.line;
    }
    return { rows, mixed, total, greatest, greatestText: widest(rows.map((row) => integer(row.value ?? row.sum))), hasBranches: rows.some((row) => takenShare(row.branch) !== undefined) };
}

/** Marks beside the scroll bar at the rows with the greatest counts. A click scrolls to the row. */
function Marks({ all, go }) {
    const canvas = useRef();
    useLayoutEffect(() => {
        const element = canvas.current;
        const draw = () => {
            const height = element.clientHeight;
            const context = element.getContext("2d");
            element.height = height;
            element.width = 10;
            context.fillStyle = getComputedStyle(element).color;
            all.rows.forEach((row, index) => {
                const warm = warmth(row.value, all.greatest);
                if (warm <= 0) return;
                context.globalAlpha = 0.15 + 0.85 * warm;
                context.fillRect(1, Math.floor((index * height) / all.rows.length), 8, Math.max(2, height / all.rows.length));
            });
        };
        const watcher = new ResizeObserver(draw);
        watcher.observe(element);
        const scheme = matchMedia("(prefers-color-scheme: dark)");
        scheme.addEventListener("change", draw);
        return () => {
            watcher.disconnect();
            scheme.removeEventListener("change", draw);
        };
    }, [all]);
    const click = (event) => go(Math.floor((event.offsetY / canvas.current.clientHeight) * all.rows.length));
    return html`<canvas class="code-marks" ref=${canvas} onClick=${click} aria-hidden="true" />`;
}

/**
 * An editor of rows. chosen: { row, rows }, indices to mark; `lead` says that it was not chosen here, so that it must be scrolled to.
 * choose(row) is told of arrows and clicks, follow(row) of Enter and of clicks on a callee.
 */
function Pane({ label, rows, total, mixed = false, extensions, chosen, choose, follow, file = "" }) {
    const host = useRef();
    const view = useRef(null);
    const here = useRef({});
    const all = useMemo(() => withValues(rows, total, mixed), [rows, total, mixed]);
    here.current = { all, chosen, choose, follow };
    const go = useCallback((index) => {
        const { all, choose } = here.current;
        const row = Math.max(0, Math.min(all.rows.length - 1, index));
        if (all.rows.length) choose(row);
    }, []);
    useLayoutEffect(() => {
        const page = () => Math.max(1, Math.floor(view.current.scrollDOM.clientHeight / view.current.defaultLineHeight) - 1);
        // Starts at the row with the greatest count, until a key is pressed.
        let rank = -1;
        const hot = (step) => {
            const order = hottest(here.current.all.rows);
            rank = Math.max(0, Math.min(order.length - 1, rank + step));
            if (order.length) go(order[rank]);
        };
        const keys = {
            ArrowDown: () => go(here.current.chosen.row + 1),
            ArrowUp: () => go(here.current.chosen.row - 1),
            PageDown: () => go(here.current.chosen.row + page()),
            PageUp: () => go(here.current.chosen.row - page()),
            Home: () => go(0),
            End: () => go(Infinity),
            "]": () => hot(1),
            "[": () => hot(-1),
            Enter: () => here.current.follow(here.current.chosen.row),
            "/": () => /** @type {HTMLElement} */ (document.querySelector("main [data-filter]"))?.focus(),
        };
        const keydown = (event) => {
            const act = !event.ctrlKey && !event.altKey && !event.metaKey && keys[event.key];
            if (!act) return false;
            event.preventDefault();
            if (!"[]".includes(event.key)) rank = -1;
            act();
            return true;
        };
        const click = (event, editor) => {
            const to = event.target.closest?.(".code-callee");
            const position = editor.posAtCoords({ x: event.clientX, y: event.clientY }, false);
            const row = editor.state.doc.lineAt(position).number - 1;
            choose_at(row, Boolean(to));
            return false;
        };
        const choose_at = (row, to) => (to ? here.current.follow(row) : here.current.choose(row));
        const gutterClick = (event) => {
            const editor = view.current;
            if (!event.target.closest(".cm-gutters")) return;
            const block = editor.lineBlockAtHeight(event.clientY - editor.documentTop);
            go(editor.state.doc.lineAt(block.from).number - 1);
        };
        const { all } = here.current;
        view.current = new EditorView({
            parent: host.current,
            state: EditorState.create({
                doc: all.rows.map((row) => row.text).join("\n"),
                extensions: [
                    rowsOf.of(all),
                    EditorState.readOnly.of(true),
                    EditorView.editable.of(false),
                    EditorView.contentAttributes.of({ tabindex: "0", "aria-label": label, "aria-readonly": "true" }),
                    EditorView.domEventHandlers({ keydown, click }),
                    ...extensions,
                    marked,
                    looks,
                    syntaxHighlighting(classHighlighter),
                    ...(mixed ? [] : languageOf(file)),
                ],
            }),
        });
        host.current.addEventListener("click", gutterClick);
        const parent = host.current;
        return () => {
            parent.removeEventListener("click", gutterClick);
            view.current.destroy();
            view.current = null;
        };
    }, [all, extensions, file, label]);
    useLayoutEffect(() => {
        const editor = view.current;
        if (!editor || chosen.rows.some((row) => row >= editor.state.doc.lines)) return;
        const effects = [mark.of(chosen)];
        if (chosen.row >= 0) {
            const { from } = editor.state.doc.line(chosen.row + 1);
            const block = editor.lineBlockAt(from);
            const top = editor.scrollDOM.scrollTop;
            const visible = block.top >= top && block.bottom <= top + editor.scrollDOM.clientHeight;
            if (!visible || !chosen.own) effects.push(EditorView.scrollIntoView(from, { y: chosen.own ? "nearest" : "center", x: "start", yMargin: 20 }));
        }
        editor.dispatch({ effects });
    }, [chosen, all, extensions, file]);
    return html`<div class="code-pane"><div class="code-host" ref=${host} /><${Marks} all=${all} go=${go} /></div>`;
}

// ---- sources ----

/** { text, state, ... } of each requested path, as the answers arrive. */
function useSources(program, paths) {
    const [sources, setSources] = useState({ program: null, known: new Map() });
    const [turn, setTurn] = useState(0);
    const wanted = paths.join("\n");
    useEffect(() => {
        let current = true;
        setSources((before) => (before.program === program && turn === before.turn ? before : { program, turn, known: new Map() }));
        for (const path of paths) {
            get(`/programs/${program}/source${query({ path })}`).then(
                (answer) => current && setSources((before) => ({ ...before, known: new Map(before.known).set(path, answer) })),
                (error) => current && setSources((before) => ({ ...before, known: new Map(before.known).set(path, { state: "failed", path, error }) })),
            );
        }
        return () => (current = false);
    }, [program, wanted, turn]);
    return { known: sources.known, reload: () => setTurn((before) => before + 1) };
}

/** Folders of sources that are not at the path in the debug information. */
function Missing({ program, source, reload }) {
    const [folder, setFolder] = useState("");
    const [error, setError] = useState(null);
    const map = async (event) => {
        event.preventDefault();
        try {
            await put(`/programs/${program}/mapping`, { prefix: source.folder, folder });
            reload();
        } catch (failed) {
            setError(failed);
        }
    };
    const allow = () => post("/project/allow", { folder: source.folder }).then(reload, setError);
    const outside = source.state === "outside";
    return html`<div class="stack code-missing">
        <${Notice} kind="warning" hint=${outside ? "Only the disassembly is shown until its folder is allowed." : "Only the disassembly is shown. If the sources are elsewhere now, say where."}>
            ${outside ? "The source may not be read: " : "The source is not there: "}<span class="mono">${source.path}</span>
        <//>
        ${source.error ? html`<${ErrorNotice} error=${source.error} />` : null}
        ${outside
            ? html`<div><button onClick=${allow}>Allow folder ${source.folder}</button></div>`
            : source.folder &&
              html`<form onSubmit=${map} class="field">
                  <label for="code-folder">Folder that has what was in <span class="mono">${source.folder}</span></label>
                  <div class="row">
                      <input id="code-folder" class="mono path" value=${folder} onInput=${(event) => setFolder(event.target.value)} spellcheck="false" autocomplete="off" />
                      <button disabled=${folder === ""}>Use this folder</button>
                  </div>
              </form>`}
        <${ErrorNotice} error=${error} />
    </div>`;
}

const baseName = (path) => path.slice(path.lastIndexOf("/") + 1);
const codeColumns = [siteColumn, lineColumn, countColumn, addressColumn, branchColumn];
const sourceColumns = [siteColumn, lineColumn, countColumn, shareColumn];
const mixedColumns = [siteColumn, lineColumn, countColumn, addressColumn, branchColumn];

/** The rows to mark: rows of the address, and rows of its line. */
function marksOf(rows, index, chosen) {
    if (!chosen) return { row: -1, rows: [], own: false };
    const isPrimary = (row) => (chosen.kind === "instruction" ? row.kind === "instruction" && row.pc === chosen.pc : row.kind === "source" && row.file === chosen.file && row.line === chosen.line);
    const same = index.get(lineKey(chosen.file, chosen.line)) ?? [];
    const own = (chosen.kind === "instruction" ? index.get(chosen.pc) : same)?.find((at) => isPrimary(rows[at]));
    const all = [...new Set(own === undefined ? same : [...same, own])].sort((left, right) => left - right);
    return { row: own ?? all[0] ?? -1, rows: all, own: own !== undefined };
}

function indexOf(rows) {
    const index = new Map();
    const add = (key, at) => (index.has(key) ? index.get(key).push(at) : index.set(key, [at]));
    rows.forEach((row, at) => {
        if (row.kind === "instruction") add(row.pc, at);
        if (row.line > 0) add(lineKey(row.file, row.line), at);
    });
    return index;
}

export function Code({ program, procedure, annotation, costs, metric, mode = "both", selected, onSelect, onFollow }) {
    const used = metric ?? annotation?.metrics?.[0]?.id;
    const code = useMemo(() => instructionRows(procedure, annotation, used, costs), [procedure, annotation, used, costs]);
    const values = useMemo(() => lineValues(code, annotation, used), [code, annotation, used]);
    const total = useMemo(() => amount(annotation?.metrics?.find((one) => one.id === used)?.total) || code.reduce((all, row) => all + amount(row.value), 0), [code, annotation, used]);
    const files = procedure.sources;
    const [file, setFile] = useState(null);
    const main = files.some((one) => one.path === file) ? file : (files.find((one) => one.path === procedure.file) ?? files[0])?.path;
    const wanted = mode === "code" || !main ? [] : mode === "both" ? [main] : files.map((one) => one.path);
    const { known, reload } = useSources(program, wanted);
    const source = known.get(main);
    const never = annotation?.metrics?.find((one) => one.id === used)?.never;
    const texts = useMemo(() => {
        const all = new Map();
        for (const [path, one] of known) if (one.text) all.set(path, one.text.split("\n"));
        return all;
    }, [known]);
    const text = useMemo(() => (source?.text ? sourceRows(source.text, main, code, values, never) : []), [source, main, code, values, never]);
    const mixed = useMemo(() => (mode === "mixed" ? interleavedRows(code, texts, values) : []), [mode, code, texts, values]);
    const indices = useMemo(() => ({ code: indexOf(code), text: indexOf(text), mixed: indexOf(mixed) }), [code, text, mixed]);
    const [chosen, setChosen] = useState(null);
    // The address was set outside of this component, or the procedure has changed. Done immediately, so that the next
    // key acts on the new state.
    useLayoutEffect(() => {
        const row = code.find((one) => one.pc === selected) ?? code[0];
        setChosen((before) => (before && before.pc === selected && code.some((one) => one.pc === before.pc) ? before : row));
    }, [selected, code]);
    const choose = (rows) => (at) => {
        const row = rows[at];
        if (!row || row.kind === "note") return;
        setChosen(row);
        if (row.pc) onSelect?.(row.pc);
    };
    const follow = (rows) => (at) => rows[at]?.to && onFollow?.(rows[at].to);
    const late = source?.text && code.some((row) => row.file === main && row.line > text.length);
    const differs = source?.state === "differs" || late;
    const inCode = useMemo(() => marksOf(code, indices.code, chosen), [code, indices, chosen]);
    const inText = useMemo(() => marksOf(text, indices.text, chosen), [text, indices, chosen]);
    const inMixed = useMemo(() => marksOf(mixed, indices.mixed, chosen), [mixed, indices, chosen]);
    const none = files.length === 0;
    return html`<div class="code code-${mode}">
        ${mode !== "code" && none && html`<${Notice} hint="Compile with -g, and do not strip: atomc only needs the line numbers.">There is no debug information for this procedure: the disassembly only.<//>`}
        ${differs && mode !== "code" && html`<${Notice} kind="warning">This source differs from the one that was compiled${late ? ": it has fewer lines" : ": it is newer than the program"}. <span class="mono">${source.found}</span><//>`}
        ${mode === "both" && files.length > 1 && html`<div class="row code-files">
            <label for="code-file">Source</label>
            <select id="code-file" value=${main} onChange=${(event) => setFile(event.target.value)}>
                ${files.map((one) => html`<option value=${one.path}>${baseName(one.path)} (${plural(one.instructions, "instruction")}, ${one.first === one.last ? `line ${one.first}` : `lines ${one.first}–${one.last}`})</option>`)}
            </select>
        </div>`}
        <div class="code-panes">
            ${mode === "both" &&
            !none &&
            html`<div class="code-side">
                ${!source
                    ? html`<${Waiting}>Reading the source …<//>`
                    : source.text
                      ? html`<${Pane} label="Source" rows=${text} total=${total} extensions=${sourceColumns} file=${main} chosen=${inText} choose=${choose(text)} follow=${(at) => text[at]?.pc && onSelect?.(text[at].pc)} />`
                      : html`<${Missing} key=${main} program=${program} source=${source} reload=${reload} />`}
            </div>`}
            <div class="code-side">
                ${mode === "mixed"
                    ? html`<${Pane} label="Source and disassembly" rows=${mixed} total=${total} mixed=${true} extensions=${mixedColumns} chosen=${inMixed} choose=${choose(mixed)} follow=${follow(mixed)} />`
                    : html`<${Pane} label="Disassembly" rows=${code} total=${total} extensions=${codeColumns} file="x.asm" chosen=${inCode} choose=${choose(code)} follow=${follow(code)} />`}
            </div>
        </div>
    </div>`;
}
