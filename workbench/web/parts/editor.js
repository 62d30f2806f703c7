// editor.js: one file of a tool as a text: diagnostics in the gutter and under the text, with quick fixes; completion
// and help of words from the language server; bands at the statements that select places. Editor({ name, text, turn,
// change, diagnostics, bands, at, keys }) diagnostics: [{ from, to, severity, message, hint, replacement }], units of
// the text; bands: [{ from, to, band, title }]; at: { line, column } to go to; keys: { "Mod-s": f, ... }. A text of
// another `turn` replaces the editor's text.
import { post } from "../api.js";
import { atdLanguage } from "./editor_words.js";
import { html, useEffect, useRef } from "../lib/preact.js";
import {
    Annotation,
    Compartment,
    Decoration,
    EditorState,
    EditorView,
    GutterMarker,
    StateEffect,
    StateField,
    StreamLanguage,
    autocompletion,
    bracketMatching,
    c,
    classHighlighter,
    closeBrackets,
    closeBracketsKeymap,
    completionKeymap,
    defaultKeymap,
    drawSelection,
    forEachDiagnostic,
    gutter,
    highlightActiveLine,
    history,
    historyKeymap,
    hoverTooltip,
    indentUnit,
    keymap,
    lineNumbers,
    lintGutter,
    lintKeymap,
    searchKeymap,
    setDiagnostics,
    syntaxHighlighting,
} from "../lib/codemirror.js";

const isPage = (name) => /\.(atd|inc)$/.test(name);
const fromOutside = Annotation.define();

// ---- bands ----

class Band extends GutterMarker {
    constructor(band, title) {
        super();
        Object.assign(this, { band, title });
    }
    eq(other) {
        return this.band === other.band && this.title === other.title;
    }
    toDOM() {
        const element = document.createElement("span");
        element.className = `band band-${this.band % 8}`;
        element.textContent = String(this.band);
        element.title = this.title;
        return element;
    }
}

const setBands = StateEffect.define();
const bandField = StateField.define({
    create: () => [],
    update(value, transaction) {
        for (const effect of transaction.effects) if (effect.is(setBands)) return effect.value;
        if (!transaction.docChanged) return value;
        return value.map((one) => ({ ...one, from: transaction.changes.mapPos(one.from), to: transaction.changes.mapPos(one.to) }));
    },
    provide: (field) =>
        EditorView.decorations.from(field, (bands) =>
            Decoration.set(
                bands.filter((one) => one.to > one.from).map((one) => Decoration.mark({ class: `banded band-${one.band % 8}`, attributes: { title: one.title } }).range(one.from, one.to)),
                true,
            ),
        ),
});

const bandGutter = gutter({
    class: "code-sites",
    lineMarker(view, block) {
        const found = view.state.field(bandField).find((one) => one.from >= block.from && one.from <= block.to);
        return found ? new Band(found.band, found.title) : null;
    },
    lineMarkerChange: (update) => update.startState.field(bandField) !== update.state.field(bandField),
    initialSpacer: () => new Band(1, ""),
});

// ---- words ----

/** Two windows do not end each other's questions. */
const topic = Math.random().toString(36).slice(2);

/** The language server's answer for a position; null if it has none. A newer question of a kind ends an older one. */
async function ask(kind, view, position) {
    const line = view.state.doc.lineAt(position);
    try {
        const { result } = await post("/language", { ask: kind, text: view.state.doc.toString(), line: line.number - 1, character: position - line.from, document: topic });
        return result;
    } catch {
        return null; // missing help is no error of the text
    }
}

/** Like ask, but null if the text has changed in the meantime, because the lines in the answer refer to the text of the
    request. */
async function askOfText(kind, view, position) {
    const asked = view.state.doc;
    const result = await ask(kind, view, position);
    return view.state.doc.eq(asked) ? result : null;
}

const kinds = { 3: "function", 6: "variable", 10: "property", 12: "constant", 14: "keyword", 20: "type" };

async function complete(context) {
    const word = context.matchBefore(/[$\w]*/);
    const behindDot = context.matchBefore(/\.\w*/);
    if (!context.explicit && !behindDot && word.from === word.to) return null;
    const answer = await ask("completion", context.view, context.pos);
    if (!answer || context.aborted) return null;
    // A completed word needs no completion: then Enter begins a new line.
    const options = answer.items.filter((item) => item.label !== word.text).map((item) => ({ label: item.label, type: kinds[item.kind], detail: item.detail, info: item.documentation }));
    return { from: word.from, options, validFor: /^[$\w]*$/ };
}

/** The little Markdown of the server's help, as elements: **bold**, and code between fences. */
function helpElement(text) {
    const element = document.createElement("div");
    element.className = "editor-help";
    const add = (parent, tag, words) => {
        const child = document.createElement(tag);
        child.textContent = words;
        parent.append(child);
    };
    text.split(/```\w*\n([^`]*)```/).forEach((part, index) => {
        if (index % 2) add(element, "pre", part.trim());
        else
            for (const paragraph of part.split("\n\n").filter((one) => one.trim())) {
                const block = document.createElement("p");
                paragraph.split(/\*\*([^*]+)\*\*/).forEach((words, at) => (at % 2 ? add(block, "b", words) : block.append(words)));
                element.append(block);
            }
    });
    return element;
}

const help = hoverTooltip(
    async (view, position) => {
        const found = await askOfText("hover", view, position);
        if (!found) return null;
        const at = ({ line, character }) => Math.min(view.state.doc.length, view.state.doc.line(line + 1).from + character);
        return { pos: at(found.range.start), end: at(found.range.end), above: true, create: () => ({ dom: helpElement(found.contents.value) }) };
    },
    { hoverTime: 250 },
);

async function goToDefinition(view) {
    const found = await askOfText("definition", view, view.state.selection.main.head);
    if (!found || !found.uri.startsWith("untitled:")) return;
    const position = view.state.doc.line(found.range.start.line + 1).from + found.range.start.character;
    view.dispatch({ selection: { anchor: position }, effects: EditorView.scrollIntoView(position, { y: "center" }) });
}

// ---- diagnostics ----

const severities = { error: "error", "internal error": "error", warning: "warning", note: "info" };

/** As the editor has them; the quick fix is in the message, behind a button. */
function shown({ from, to, severity, message, hint, replacement }) {
    const fix = (view, begin, end) => view.dispatch({ changes: { from: begin, to: end, insert: replacement }, selection: { anchor: begin + replacement.length } });
    return {
        from,
        to,
        severity: severities[severity] ?? "error",
        message: hint ? `${message}\nhint: ${hint}` : message,
        actions: replacement ? [{ name: `Change to ${replacement}`, apply: fix }] : [],
    };
}

/** The quick fix of the diagnostic at the cursor, or of the first that has one. */
function fixHere(view) {
    const found = [];
    forEachDiagnostic(view.state, (one, from, to) => one.actions?.length && found.push({ one, from, to }));
    const { head } = view.state.selection.main;
    const chosen = found.find(({ from, to }) => from <= head && head <= to) ?? found.find(({ from }) => view.state.doc.lineAt(from).number === view.state.doc.lineAt(head).number) ?? found[0];
    if (chosen) chosen.one.actions[0].apply(view, chosen.from, chosen.to);
    return Boolean(chosen);
}

// ---- the editor ----

export function Editor({ name, text, turn = 0, change, diagnostics, bands, at, keys, readOnly = false }) {
    const place = useRef();
    const view = useRef();
    const latest = useRef({});
    latest.current = { change, keys };
    useEffect(() => {
        const language = new Compartment();
        const own = Object.keys(keys).map((key) => ({ key, preventDefault: true, run: () => (latest.current.keys[key]?.(), true) }));
        view.current = new EditorView({
            parent: place.current,
            state: EditorState.create({
                doc: text,
                extensions: [
                    bandField,
                    bandGutter,
                    lintGutter(),
                    lineNumbers(),
                    history(),
                    drawSelection(),
                    highlightActiveLine(),
                    bracketMatching(),
                    closeBrackets(),
                    indentUnit.of("    "),
                    EditorState.readOnly.of(readOnly),
                    autocompletion({ override: isPage(name) ? [complete] : [], defaultKeymap: false, icons: false, activateOnTypingDelay: 60, interactionDelay: 20 }),
                    ...(isPage(name) ? [help] : []),
                    language.of(isPage(name) ? [] : StreamLanguage.define(c)),
                    syntaxHighlighting(classHighlighter),
                    keymap.of([
                        ...own,
                        { key: "Mod-.", run: fixHere },
                        { key: "F12", run: (editor) => (goToDefinition(editor), true) },
                        ...completionKeymap,
                        ...closeBracketsKeymap,
                        ...lintKeymap,
                        ...searchKeymap,
                        ...historyKeymap,
                        ...defaultKeymap,
                    ]),
                    EditorView.contentAttributes.of({ "aria-label": `${name}, text`, tabindex: "0", spellcheck: "false", autocorrect: "off" }),
                    EditorView.updateListener.of((update) => update.docChanged && !update.transactions.some((one) => one.annotation(fromOutside)) && latest.current.change(update.state.doc.toString())),
                ],
            }),
        });
        let current = true;
        if (isPage(name)) atdLanguage().then((atd) => current && view.current.dispatch({ effects: language.reconfigure(atd) }), () => {});
        return () => {
            current = false;
            view.current.destroy();
        };
    }, [name, readOnly]);
    useEffect(() => {
        const now = view.current.state.doc.toString();
        if (now !== text) view.current.dispatch({ changes: { from: 0, to: now.length, insert: text }, annotations: fromOutside.of(true) });
        // Not for text that was typed here: it arrives late, when more has been typed.
    }, [turn, name]);
    useEffect(() => {
        const { length } = view.current.state.doc;
        const inside = diagnostics.map((one) => ({ ...one, from: Math.min(one.from, length), to: Math.min(Math.max(one.to, one.from), length) }));
        view.current.dispatch(setDiagnostics(view.current.state, inside.map(shown)));
    }, [diagnostics, name]);
    useEffect(() => {
        const { length } = view.current.state.doc;
        view.current.dispatch({ effects: setBands.of(bands.filter((one) => one.to <= length)) });
    }, [bands, name]);
    useEffect(() => {
        if (!at) return;
        const { doc } = view.current.state;
        const line = doc.line(Math.max(1, Math.min(doc.lines, at.line)));
        const position = Math.min(line.to, line.from + Math.max(0, (at.column ?? 1) - 1));
        view.current.dispatch({ selection: { anchor: position }, effects: EditorView.scrollIntoView(position, { y: "center" }) });
        view.current.focus();
    }, [at]);
    return html`<div class="editor code" ref=${place}></div>`;
}
