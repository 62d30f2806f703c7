// vscode.mjs VSIX MODULES ATOMC: looks into the extension, and runs it without VS Code: `vscode` is a stub of what the client library uses.
// The library starts `atomc lsp`, and what it registers with VS Code is asked as VS Code asks.
import { createRequire } from "node:module";
import Module from "node:module";
import { mkdtemp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const [vsix, modules, atomc] = process.argv.slice(2);
const require = createRequire(join(modules, "package.json"));
const check = (test, condition, found) => console.log(condition ? `ok editors/vscode/${test}` : `not ok editors/vscode/${test}: ${JSON.stringify(found)}`);

// ---- what is in it ----
const files = {};
await new Promise((done, fail) =>
    require("yauzl").open(vsix, { lazyEntries: true }, (error, zip) => {
        if (error) return fail(error);
        zip.on("entry", (entry) =>
            zip.openReadStream(entry, (_, stream) => {
                const parts = [];
                stream.on("data", (part) => parts.push(part)).on("end", () => {
                    files[entry.fileName] = Buffer.concat(parts).toString();
                    zip.readEntry();
                });
            }),
        );
        zip.on("end", done);
        zip.readEntry();
    }),
);
const manifest = JSON.parse(files["extension/package.json"]);
check("manifest", manifest.main === "./out/extension.js" && !manifest.devDependencies && manifest.contributes.languages[0].extensions[0] === ".atd", manifest);
check("files", Object.keys(files).sort().join(" ") === "[Content_Types].xml extension.vsixmanifest extension/LICENCES.txt extension/LICENSE.txt extension/README.md extension/language-configuration.json extension/out/extension.js extension/package.json extension/syntaxes/atd.tmLanguage.json", Object.keys(files));
check("grammar", JSON.parse(files["extension/syntaxes/atd.tmLanguage.json"]).scopeName === manifest.contributes.grammars[0].scopeName);
check("licences", /^vscode-languageclient 9/m.test(files["extension/LICENCES.txt"]), files["extension/LICENCES.txt"].slice(0, 200));
check("no-address", !/registry\.|node_modules\/\.bin/.test(files["extension/package.json"]) && !files["extension/out/extension.js"].includes(process.cwd()));

// ---- the stub ----
class Position {
    constructor(line, character) { Object.assign(this, { line, character }); }
}
class Range {
    constructor(start, end, line, character) { Object.assign(this, line === undefined ? { start, end } : { start: new Position(start, end), end: new Position(line, character) }); }
}
class Uri {
    constructor(text) { Object.assign(this, { scheme: "file", fsPath: text.replace("file://", ""), path: text.replace("file://", "") }); }
    toString() { return `file://${this.path}`; }
    with() { return this; }
    static parse(text) { return new Uri(text); }
    static file(path) { return new Uri(path); }
}
class EventEmitter {
    listeners = [];
    event = (listener, self) => (this.listeners.push(self ? listener.bind(self) : listener), { dispose() {} });
    fire(value) { for (const listener of this.listeners) listener(value); }
    dispose() {}
}
const holder = (...names) => class { constructor(...values) { names.forEach((name, at) => (this[name] = values[at])); } };
const providers = {}, diagnostics = new Map(), shown = [], opened = new EventEmitter(), documents = [];
let seen = () => {};
const register = (kind) => (_, provider) => ((providers[kind] = provider), { dispose() {} });
const enumeration = () => new Proxy({}, { get: (_, name) => (typeof name === "string" ? name : undefined) });
const event = () => ({ dispose() {} });
// What is not told here: a class, events that never happen, an enumeration.
const loose = (known) => new Proxy(known, { get: (object, name) => (name in object ? object[name] : /^on[A-Z]/.test(String(name)) ? event : /^register/.test(String(name)) ? event : /^[A-Z]/.test(String(name)) ? (object[name] = holder("value")) : undefined) });
const vscode = loose({
    Position, Range, Uri, EventEmitter, version: "1.90.0",
    Diagnostic: holder("range", "message", "severity"),
    Location: holder("uri", "range"),
    Hover: holder("contents", "range"),
    CompletionItem: holder("label", "kind"),
    CompletionList: holder("items", "isIncomplete"),
    MarkdownString: class { constructor(value = "") { this.value = value; } appendCodeblock(text) { this.value += text; } },
    Disposable: class { constructor(dispose) { this.dispose = dispose ?? (() => {}); } static from() { return new this(); } },
    CancellationError: class extends Error {},
    DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
    CompletionItemKind: { Text: 0, Method: 1, Function: 2, Constructor: 3, Field: 4, Variable: 5 },
    CodeActionKind: { Empty: { append: (text) => ({ value: text }) }, QuickFix: { value: "quickfix" } },
    SymbolKind: { File: 0 }, SymbolTag: {}, CompletionItemTag: {}, DiagnosticTag: {}, CodeActionTriggerKind: {}, InsertTextFormat: {}, TextDocumentChangeReason: {}, TextDocumentSaveReason: {}, FileType: {}, ViewColumn: {},
    CancellationTokenSource: class { token = { isCancellationRequested: false, onCancellationRequested: event }; cancel() {} dispose() {} },
    env: { language: "en", appName: "stub" },
    l10n: { t: (text) => text },
    commands: loose({ executeCommand: async () => {} }),
    window: loose({
        createOutputChannel: () => loose({ append() {}, appendLine() {}, show() {}, dispose() {}, clear() {} }),
        showErrorMessage: async (text) => void shown.push(text),
        showInformationMessage: async () => {},
        tabGroups: loose({ all: [] }),
        visibleTextEditors: [],
    }),
    languages: loose({
        createDiagnosticCollection: () => ({ set: (uri, list) => (diagnostics.set(String(uri), list ?? []), seen()), delete: (uri) => diagnostics.delete(String(uri)), clear: () => diagnostics.clear(), dispose() {} }),
        match: (selector, document) => (document.languageId === "atd" ? 10 : 0),
        registerCompletionItemProvider: register("completion"),
        registerHoverProvider: register("hover"),
        registerDefinitionProvider: register("definition"),
    }),
    workspace: loose({
        textDocuments: documents, workspaceFolders: undefined, notebookDocuments: [],
        onDidOpenTextDocument: opened.event,
        getConfiguration: () => ({ get: (name) => (name === "path" ? atomc : undefined) }),
        createFileSystemWatcher: () => loose({ dispose() {} }),
    }),
});
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

// ---- run ----
const folder = await mkdtemp(join(process.cwd(), "vscode-"));
await mkdir(join(folder, "out"));
await writeFile(join(folder, "out/extension.js"), files["extension/out/extension.js"]);
const limit = setTimeout(() => { check("ended", false, { shown, asked: Object.keys(providers) }); process.exit(1); }, 60000);
const extension = createRequire(join(folder, "package.json"))("./out/extension.js");
const { client } = await extension.activate({ subscriptions: [] });
check("started", client() && shown.length === 0, shown);
// Registration follows the server's answer.
while (!providers.completion || !providers.hover || !providers.definition) await new Promise((done) => setTimeout(done, 20));

const text = 'tool t "text"\nset own = procz p where p.name == "main"\ncounter calls[procs]\nfor p in procs where p.name == "main" { before p calls[p]++ }\n';
const uri = Uri.file(join(folder, "page.atd"));
await writeFile(uri.fsPath, text);
const document = { uri, languageId: "atd", version: 1, getText: () => text, fileName: uri.fsPath, isClosed: false };
documents.push(document);
const reported = new Promise((done) => (seen = done));
opened.fire(document);
await reported;
const [first] = diagnostics.get(String(uri)) ?? [];
check("diagnostics", /no set is called 'procz'/.test(first?.message) && first.range.start.line === 1 && first.range.start.character === 10 && first.severity === 0, first);
const none = { isCancellationRequested: false, onCancellationRequested: event };
const at = (word, inside) => { const lines = text.slice(0, text.lastIndexOf(word) + inside).split("\n"); return new Position(lines.length - 1, lines.at(-1).length); };
const list = await providers.completion.provideCompletionItems(document, at("p.name", 2), none, { triggerKind: 0 });
const labels = (list.items ?? list).map((item) => item.label?.label ?? item.label);
check("completion", labels.includes("name") && labels.includes("nblocks"), labels);
const hover = await providers.hover.provideHover(document, at("p.name", 4), none);
check("hover", JSON.stringify(hover).includes("name"), hover);
const definition = await providers.definition.provideDefinition(document, at("calls[p]", 2), none);
const place = [definition].flat()[0];
check("definition", String(place?.uri) === String(uri) && place.range.start.line === 2, place);
await extension.deactivate();
check("stopped", client() === undefined);
clearTimeout(limit);
console.log("# end");
process.exit(0);
