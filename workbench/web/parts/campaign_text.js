// campaign_text.js: the text of a campaign's definition in an editor, with atomc's diagnostics at their positions.
import { EditorState, EditorView, bracketMatching, defaultKeymap, history, historyKeymap, keymap, lineNumbers, lintGutter, setDiagnostics } from "../lib/codemirror.js";
import { placeOf } from "./json_places.js";
import { html, useEffect, useRef } from "../lib/preact.js";

export function CampaignText({ text, diagnostics, change }) {
    const holder = useRef();
    const view = useRef();
    const latest = useRef(change);
    latest.current = change;
    const shows = useRef(false); // a text from outside of the editor, which the user has not typed
    useEffect(() => {
        view.current = new EditorView({
            parent: holder.current,
            state: EditorState.create({
                doc: text,
                extensions: [
                    lineNumbers(),
                    history(),
                    bracketMatching(),
                    lintGutter(),
                    keymap.of([...defaultKeymap, ...historyKeymap]),
                    EditorView.lineWrapping,
                    EditorView.contentAttributes.of({ "aria-label": "Definition of the campaign, JSON", spellcheck: "false" }),
                    EditorView.updateListener.of((update) => update.docChanged && !shows.current && latest.current(update.state.doc.toString())),
                ],
            }),
        });
        return () => view.current.destroy();
    }, []);
    useEffect(() => {
        const now = view.current.state.doc.toString();
        if (now === text) return;
        shows.current = true;
        view.current.dispatch({ changes: { from: 0, to: now.length, insert: text } });
        shows.current = false;
    }, [text]);
    useEffect(() => {
        const length = view.current.state.doc.length;
        const marks = diagnostics.map((one) => {
            const from = Math.min(one.line ? placeOf(text, one.line, one.column) : 0, length);
            const to = Math.min(one.end_line ? placeOf(text, one.end_line, one.end_column) : from, length);
            return { from, to: Math.max(from, to), severity: one.severity === "warning" ? "warning" : "error", message: one.hint ? `${one.message}\n${one.hint}` : one.message };
        });
        view.current.dispatch(setDiagnostics(view.current.state, marks));
    }, [diagnostics]);
    return html`<div class="campaign-text code" ref=${holder}></div>
        <ul class="problems" aria-live="polite">
            ${diagnostics.map((one) => html`<li class=${one.severity === "warning" ? "" : "wrong"}>
                ${one.line
                    ? html`<button type="button" class="plain" onClick=${() => {
                          const at = Math.min(placeOf(text, one.line, one.column), view.current.state.doc.length);
                          view.current.dispatch({ selection: { anchor: at }, scrollIntoView: true });
                          view.current.focus();
                      }}>line ${one.line}, column ${one.column}</button> `
                    : ""}${one.message}${one.hint && html`<span class="muted"> ${one.hint}</span>`}
            </li>`)}
        </ul>`;
}
