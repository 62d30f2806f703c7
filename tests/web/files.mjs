// files: what a run leaves beside its tables, opened on the page by its kind: text, JSON, CSV, a picture, stacks. The tool that writes them
// is hostile: nothing of what it writes becomes a part of the page, runs, or asks for anything.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { browse, check, equal, keys, programs, scratch, testCase, until, workbench } from "../lib/webdriver.mjs";

const hostile = `<script>document.title = "taken"</script><img src=http://192.0.2.1/x onerror="document.title = 'taken'">`;
const many = 1500;
const files = {
    "left.txt": `a line\n${hostile}\n`,
    "left.json": JSON.stringify({ name: hostile, list: [1, 2, { three: null }] }),
    "left.csv": `Name,Count,Words\n"a, ""b""",12,"${hostile.replaceAll('"', '""')}"\nc,345,"two\nlines"\n${Array.from({ length: many }, (_, at) => `row${at},${at},x\n`).join("")}`,
    "left.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60" onload="document.title = 'taken'"><script>document.title = "taken"</script><image href="http://192.0.2.1/y.png"/><rect width="120" height="60" fill="teal"/></svg>`,
    "left.folded": `main;parse;${hostile.replace(/;/g, "")} 20\nmain;solve 70\nmain;parse 5\nother 5\n`,
    "broken.json": "{ \"a\": 1,\n",
    "left.html": `<!doctype html><title>${hostile}</title>`,
    "empty.txt": "",
};
const written = (text) => `"${[...Buffer.from(text)].map((byte) => (byte === 10 ? "\\n" : byte === 34 || byte === 92 ? `\\${String.fromCharCode(byte)}` : String.fromCharCode(byte))).join("")}"`;
const routine = `#include <stdio.h>
FILE *atomc_begin_file(const char *file);
void atomc_end_file(void);
static void put(const char *name, const char *text, unsigned long length) {
    FILE *file = atomc_begin_file(name);
    if (!file)
        return;
    fwrite(text, 1, length, file);
    atomc_end_file();
}
void Leave(void) {
${Object.entries(files).map(([name, text]) => `    put("${name}", ${written(text)}, ${Buffer.byteLength(text)});`).join("\n")}
    put("left.bin", "\\0\\1\\2\\377", 4);
}
`;

await testCase(async () => {
    const server = await workbench();
    const page = await browse(server.address);
    const api = (path, body, method = "POST") => page.evaluate((to, sent, how) => fetch(`/api/v1${to}`, sent ? { method: how, headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent) } : {}).then((answer) => answer.json()), path, body ?? null, method);
    await page.see("main h1");
    await api("/programs", { path: join(programs, "same") });
    const saved = await api("/sources/mine", { files: { "left.atd": { text: 'tool left "files of many kinds"\nanalysis "left.c"\nafter program call Leave()\n', digest: null }, "left.c": { text: routine, digest: null } } }, "PUT");
    check("saved", Array.isArray(saved.files), saved);
    const { id } = await api("/runs", { program: { path: join(programs, "same") }, tools: [{ name: "mine/left" }, { name: "hiprof", parameters: { folded: true } }] });
    const about = await page.finished(id);
    equal("state", [about.state, about.exit_status], ["finished", 0]);

    // ---- the list; one is opened by keys ----
    await page.evaluate((to) => (location.hash = to), `#/results?run=${id}&view=files`);
    const paths = Object.fromEntries(about.artifacts.map((file) => [file.name.trim(), file.path]));
    for (const name of [...Object.keys(files), "left.bin", "hiprof.out.folded"]) check(`left/${name}`, name in paths, Object.keys(paths));
    await until("the list", async () => (await page.texts("#lower-panel tbody tr")).length === about.artifacts.length);
    await page.looks("list");
    await page.reach("#lower-panel tbody button", 120);
    await page.press(keys.Enter);
    await page.see(".artifact-head strong");
    check("address", (await page.address()).includes("file="), await page.address());
    await page.choose("All files", "button");
    await page.see("#lower-panel tbody button");
    const open = async (name) => {
        await page.evaluate((to) => (location.hash = to), `#/results?${new URLSearchParams({ run: id, view: "files", file: paths[name] })}`);
        await until(`${name} is opened`, async () => (await page.text(".artifact-head strong")) === name);
    };
    const shown = () => until("its text", () => page.evaluate(() => document.querySelector(".artifact-text")?.textContent));

    // ---- by kind: what the file has, no more and no less ----
    await open("left.txt");
    equal("text", await shown(), files["left.txt"]);
    await open("left.html");
    equal("page-is-text", await shown(), files["left.html"]);
    await page.read("it is not opened here", ".artifact");
    await open("left.json");
    const json = await shown();
    check("json", json.split("\n").length > 5 && JSON.stringify(JSON.parse(json)) === files["left.json"], json);
    await page.looks("json");
    await page.click(".artifact-head input");
    await until("as it is", async () => (await shown()) === files["left.json"]);
    await open("broken.json");
    equal("broken-json", await shown(), files["broken.json"]);
    await open("left.csv");
    const table = await until("the table", () => page.evaluate(() => [...document.querySelectorAll(".artifact-table tr")].map((row) => [...row.cells].map((cell) => cell.textContent))).then((rows) => rows.length > 1 && rows));
    equal("csv", table.slice(0, 4), [["Name", "Count", "Words"], ['a, "b"', "12", hostile], ["c", "345", "two\nlines"], ["row0", "0", "x"]]);
    equal("csv-first-rows", table.length, 1001);
    await page.read("The first 1\u2009000 rows.", ".artifact");
    await page.looks("csv");
    await open("left.svg");
    const size = await until("the picture", () => page.evaluate(() => (({ naturalWidth, naturalHeight, complete }) => complete && [naturalWidth, naturalHeight])(document.querySelector(".artifact-picture img") ?? {})));
    equal("svg", size, [120, 60]);
    await page.looks("svg");
    await open("left.folded");
    await page.see(".artifact .flame canvas[data-drawn]");
    await page.read("5 call paths, 100 counts", ".artifact .flame-said");
    await page.evaluate(() => document.querySelector(".artifact canvas").focus());
    await page.press(keys.Down, keys.Down);
    await page.read("solve 70 counts (70.00 %), itself 70", ".artifact .flame-said");
    await open("empty.txt");
    await page.read("The file is empty.", ".artifact");
    await open("left.bin");
    await page.read("This is no text", ".artifact");

    // ---- a stock tool's stacks: the sum is the tree's ----
    await open("hiprof.out.folded");
    await page.see(".artifact .flame canvas[data-drawn]");
    const out = join(scratch, "project", about.folder);
    const sum = readFileSync(join(out, paths["hiprof.out.folded"]), "utf8").trim().split("\n").reduce((all, line) => all + Number(line.slice(line.lastIndexOf(" "))), 0);
    check("folded-sum", (await page.text(".artifact .flame-said")).replaceAll("\u2009", "").includes(`${sum} counts`), await page.text(".artifact .flame-said"));
    check("folders", readdirSync(out).length > 0);

    // ---- nothing of it has come alive ----
    check("title", /atomc workbench$/.test(await page.evaluate(() => document.title)));
    equal("elements", await page.evaluate(() => document.querySelectorAll('main script, main img:not([src^="data:"])').length), 0);
    await page.quiet();
    await page.close();
    await server.stop();
});
