// author_model.js: the tool that is being written: its files, their saved texts, and atomc's diagnostics. The tool is
// kept when another screen is shown, and when the page is reloaded, until the window is closed.
import { get, post, put } from "../api.js";
import { unitsOf } from "./editor_words.js";
import { useEffect, useLayoutEffect, useRef, useState } from "../lib/preact.js";

/**
 * @typedef {{ text: string, saved: string | null, digest: string | null, turn?: number }} File saved: as it is on disk, null: it is not there
 * @typedef {{ package: string, page: string, description?: string, files: { [name: string]: File } }} Tool
 */

const place = "atomc.author";
let kept;
const watchers = new Set();

/** @returns {Tool | null} */
function current() {
    if (kept !== undefined) return kept;
    try {
        kept = JSON.parse(sessionStorage.getItem(place));
    } catch {
        kept = null;
    }
    return kept;
}

export function setTool(tool) {
    kept = tool;
    try {
        if (tool) sessionStorage.setItem(place, JSON.stringify(tool));
        else sessionStorage.removeItem(place);
    } catch {
        // The text is larger than the browser stores: it is kept as long as the page.
    }
    watchers.forEach((changed) => changed(tool));
}

export function useTool() {
    const [tool, set] = useState(current);
    useLayoutEffect(() => {
        watchers.add(set);
        return () => watchers.delete(set);
    }, []);
    return tool;
}

export const isPage = (name) => name.endsWith(".atd");
export const isHostCode = (name) => name.includes(".inst.");
export const isChanged = (file) => file.text !== file.saved;
export const anyChanged = (tool) => Object.values(tool.files).some(isChanged);

/** Changed by the editor itself, or by other code: in that case the editor replaces its text (its `turn` differs). */
export function changeText(name, text, byAnother = false) {
    const tool = current();
    const file = tool.files[name];
    setTool({ ...tool, files: { ...tool.files, [name]: { ...file, text, turn: (file.turn ?? 0) + (byAnother ? 1 : 0) } } });
}

/** A tool from texts that are not saved: { NAME: text }. */
export function begin(page, texts, description) {
    const files = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, { text, saved: null, digest: null }]));
    setTool({ package: "", page, description, files });
}

const savedFile = ({ text, digest }) => ({ text, saved: text, digest });

/** One of the project's packages, as stored on disk. */
export async function openPackage(name, page) {
    const answer = await get(`/sources/${encodeURIComponent(name)}`);
    const files = Object.fromEntries(answer.files.map((file) => [file.name, savedFile(file)]));
    const pages = Object.keys(files).filter(isPage);
    setTool({ package: name, page: pages.includes(page) ? page : (pages[0] ?? `${name}.atd`), files: pages.length ? files : { ...files, [`${name}.atd`]: { text: "", saved: null, digest: null } } });
}

/** A copy of any tool: its page and the files beside it. Resolves to the names of files in other folders, which are not
    copied. */
export async function copyTool(name) {
    const answer = await get(`/sources?tool=${encodeURIComponent(name)}`);
    begin(answer.page, Object.fromEntries(answer.files.map((file) => [file.name, file.text])));
    return answer.elsewhere;
}

/** A page of the documentation's examples, with its C. */
export async function copyExample(path) {
    const folder = `/docs/${path.slice(0, path.lastIndexOf("/") + 1)}`;
    const read = async (name) => {
        const response = await fetch(folder + name);
        if (!response.ok) throw new Error(`${folder}${name}: ${response.status}`);
        return response.text();
    };
    const page = path.slice(path.lastIndexOf("/") + 1);
    const texts = { [page]: await read(page) };
    for (const [, name] of texts[page].matchAll(/\b(?:analysis|include|from)\s+"([\w.-]+)"/g)) texts[name] = await read(name);
    begin(page, texts);
}

/** The page and the other files, in the form for requests. C that runs inside of atomc is omitted, because no user has
    accepted it. */
export function asRequest(tool) {
    const others = Object.entries(tool.files).filter(([name]) => name !== tool.page && !isHostCode(name));
    return { name: tool.page, text: tool.files[tool.page].text, c: Object.fromEntries(others.map(([name, file]) => [name, file.text])) };
}

/** Saves the changed files. For a Failure of 409, `where` is the file that another program has changed. */
export async function save(tool, name) {
    const changed = Object.entries(tool.files).filter(([, file]) => isChanged(file) || name !== tool.package);
    const files = Object.fromEntries(changed.map(([file, { text, digest }]) => [file, { text, digest: name === tool.package || tool.package === "" ? digest : null }]));
    const description = /^tool\s+\w+\s+"([^"]*)"/m.exec(tool.files[tool.page].text)?.[1];
    const answer = await put(`/sources/${encodeURIComponent(name)}`, { files, description });
    const now = current();
    // Text that was typed during the saving is not saved.
    const after = Object.fromEntries(answer.files.map((file) => [file.name, { ...now.files[file.name], text: now.files[file.name]?.text ?? file.text, saved: file.text, digest: file.digest }]));
    setTool({ ...now, package: name, files: after });
}

/** The files as they are on disk now. The next saving replaces them. */
export function acknowledge({ file, text, digest }, takeTheirs) {
    const tool = current();
    const mine = tool.files[file];
    const next = { ...tool, files: { ...tool.files, [file]: { text: takeTheirs ? (text ?? "") : mine.text, turn: (mine.turn ?? 0) + 1, saved: text ?? null, digest: digest ?? null } } };
    setTool(next);
    return next;
}

// ---- what atomc says ----

const tab = Math.random().toString(36).slice(2); // two windows do not end each other's checks
const PAUSE = 200; // milliseconds without typing

/** Sends the request when typing pauses, and aborts the previous request. ask(signal), or null for no request. */
function useAnswer(key, ask, pause = PAUSE) {
    const [answer, setAnswer] = useState({ key: null, value: undefined, error: undefined, milliseconds: 0 });
    useEffect(() => {
        if (key === null) return undefined;
        const control = new AbortController();
        const timer = setTimeout(async () => {
            const begun = performance.now();
            try {
                const value = await ask(control.signal);
                setAnswer({ key, value, milliseconds: performance.now() - begun });
            } catch (error) {
                // A newer one has taken its place.
                if (error.name !== "AbortError" && !control.signal.aborted) setAnswer({ key, error, milliseconds: performance.now() - begun });
            }
        }, pause);
        return () => {
            clearTimeout(timer);
            control.abort();
        };
    }, [key]);
    return { ...answer, current: answer.key === key && key !== null };
}

const keyOf = (tool, given) => JSON.stringify([asRequest(tool), given]);

/** given: texts of parameters, by name. */
export function useCheck(tool, given) {
    const key = tool ? keyOf(tool, given) : null;
    return useAnswer(key, (signal) => post("/check", { ...asRequest(tool), parameters: given, document: tab }, { signal }));
}

/** The parameters that the page declares. If the page has errors, the parameters of the last version without errors. */
export function useParameters(tool, good) {
    const lines = tool.files[tool.page].text.split("\n").filter((line) => /^\s*(param|include)\b/.test(line));
    const answer = useAnswer(good ? JSON.stringify([tool.page, lines]) : null, (signal) => post("/drafts/help", asRequest(tool), { signal }), 0);
    const last = useRef([]);
    if (answer.value) last.current = answer.value.tools?.[0]?.parameters ?? [];
    return lines.length > 0 ? last.current : [];
}

/** The places in a procedure, and the number of places in the program; available after a check without errors. */
export function useSites(tool, good, program, procedure, given) {
    const key = tool && good && program ? `${program} ${keyOf(tool, given)}` : null;
    const body = () => ({ ...asRequest(tool), parameters: given, program: Number(program), document: tab });
    const count = useAnswer(key, (signal) => post("/sites", { ...body(), count: true }, { signal }), 0);
    const here = useAnswer(key && procedure ? `${procedure} ${key}` : null, (signal) => post("/sites", { ...body(), procedures: [procedure] }, { signal }), 0);
    // The previous value is kept during the next request, so that marks do not flicker.
    const last = useRef({});
    if (count.value) last.current.count = count.value;
    if (here.value && here.current) last.current.here = here.value;
    if (!key) last.current = {};
    return { count: last.current.count, here: procedure ? last.current.here : undefined, error: count.error ?? here.error, busy: key !== null && !count.current };
}

/** A diagnostic's place in a text: { from, to }, units. */
export function placeIn(text, diagnostic) {
    if (diagnostic.begin !== undefined) {
        const units = unitsOf(text);
        return { from: units(diagnostic.begin), to: units(diagnostic.end) };
    }
    const lines = text.split("\n");
    const line = Math.min(lines.length, Math.max(1, diagnostic.line ?? 1));
    const begin = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    const words = lines[line - 1];
    // The C compiler counts bytes.
    const column = Math.min(words.length, unitsOf(words)(Math.max(0, (diagnostic.column ?? 1) - 1)));
    const length = /^\w+/.exec(words.slice(column))?.[0].length ?? Math.min(1, words.length - column);
    return { from: begin + column, to: begin + column + length };
}

const baseName = (path) => path.slice(path.lastIndexOf("/") + 1);

/** The tool's file that the diagnostic belongs to; undefined: none. */
export const fileOf = (tool, diagnostic) => (diagnostic.file && baseName(diagnostic.file) in tool.files ? baseName(diagnostic.file) : undefined);

/** The format in which atomc prints it: FILE:LINE:COLUMN: SEVERITY: TEXT */
export const printed = ({ file, line, column, severity, message }) => `${file ? `${file}${line ? `:${line}:${column}` : ""}: ` : ""}${severity}: ${message}`;

/** Statements that select something, numbered in the order of the page: [{ band, file, from, to, sites, skipped, words }]. */
export function bandsOf(tool, count) {
    const statements = (count?.statements ?? []).filter((one) => one.statement && fileOf(tool, one.statement));
    const order = Object.keys(tool.files);
    const key = ({ statement }) => order.indexOf(fileOf(tool, statement)) * 1e9 + (fileOf(tool, statement) === tool.page ? -1e12 : 0) + statement.begin;
    return [...statements].sort((left, right) => key(left) - key(right)).map((one, index) => {
        const file = fileOf(tool, one.statement);
        const { text } = tool.files[file];
        const { from, to } = placeIn(text, one.statement);
        return { band: index + 1, file, from, to, line: one.statement.line, sites: one.sites ?? 0, skipped: one.skipped ?? 0, words: text.slice(from, to), key: `${file}:${one.statement.begin}` };
    });
}
