// memory: an engineer looks for memory, in a program in C++: which call paths allocate, what grows, what is forgotten. The numbers on the
// screen are those of the text reports of the same run, and what the program's source says. Names are shown as C++ writes them, and found by
// either.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { atomc, browse, check, equal, keys, programs, readable, run as execute, scratch, testCase, top, until, workbench } from "../lib/webdriver.mjs";

const plain = (text) => text.replace(/[\u2009 ]/g, "");
const entry = 48; // bytes of a ledger::Entry

await testCase(async () => {
    const server = await workbench();
    const page = await browse(server.address);
    const api = (path, body, method = "POST") =>
        page.evaluate(
            (to, sent, how) => fetch(`/api/v1${to}`, sent ? { method: how, headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent) } : {}).then((answer) => answer.json()),
            path,
            body ?? null,
            method,
        );
    await page.see("main h1");
    const program = await api("/programs", { path: join(programs, "ledger") });
    const bytesPage = readFileSync(join(top, "tests/web/programs/bytes.atd"), "utf8");
    await api("/sources/mine", { files: { "bytes.atd": { text: bytesPage, digest: null } } }, "PUT");

    // ---- runs of two sizes, asked for on the page ----
    const turns = { small: 300, large: 2000 };
    const runs = {};
    for (const [size, number] of Object.entries(turns)) {
        await page.evaluate((to) => (location.hash = to), `#/run?${new URLSearchParams({ program: program.id, tools: "dynmem,third,mine/bytes", "dynmem.wrappers": "*make*", arguments: String(number) })}`);
        await until("the tools", async () => (await page.texts(".chosen .form, .chosen > p")).length === 3);
        await page.choose("Run", "main button");
        await page.read("Finished", ".live");
        await page.click(".live .button.primary");
        await page.see(".tables table.rows tbody tr");
        runs[size] = Number(new URLSearchParams((await page.address()).split("?")[1]).get("run"));
    }
    const folders = {};
    for (const [size, number] of Object.entries(runs)) {
        const out = join(scratch, "project", (await api(`/runs/${number}`)).folder, "out");
        folders[size] = join(out, readdirSync(out)[0]);
    }
    /** The text report of a run: its rows, each by the titles. */
    const report = async (size, tool) => {
        const file = readdirSync(folders[size]).find((name) => name.startsWith(`${tool}.`) && name.endsWith(".rows"));
        const [titles, ...rows] = (await execute(atomc, ["merge", "--format=text", join(folders[size], file)])).trimEnd().split("\n").map((line) => line.split("\t"));
        return rows.map((row) => Object.fromEntries(titles.map((title, at) => [title, row[at]])));
    };
    const { tables } = await api(`/runs/${runs.large}/tables`);
    const table = (tool) => tables.find((one) => one.tool === tool);
    const shown = () =>
        page.evaluate(() => {
            const titles = [...document.querySelectorAll(".tables table.rows thead th")].map((one) => one.innerText.replace(/ [▾▴]$/, "").trim());
            return [...document.querySelectorAll(".tables table.rows tbody tr")].map((row) => Object.fromEntries([...row.cells].map((cell, at) => [titles[at], cell.title.includes("\n_Z") ? cell.title.split("\n")[0] : cell.innerText.trim()])));
        });

    // ---- who allocates: dynmem's table, with names that can be read ----
    const sites = await report("large", "dynmem");
    await page.evaluate((to) => (location.hash = to), `#/results?run=${runs.large}&table=${table("dynmem").id}`);
    const rows = await until("the table of dynmem", async () => {
        const found = await shown();
        return found.length === sites.length && found.some((row) => row.Procedure.startsWith("ledger::")) && found;
    });
    const numbers = ["Blocks", "Bytes", "Freed blocks", "Freed bytes", "Left blocks", "Left bytes", "Peak"];
    const words = (list, name) => list.map((row, at) => [name(row, at), row.Site, ...numbers.map((title) => plain(row[title]))].join(" ")).sort();
    const names = await readable(sites.map((row) => row.Procedure));
    equal("sites", words(rows, (row) => row.Procedure.replace(/\s+/g, " ")), words(sites, (_, at) => names[at]));
    equal("mangled", rows.filter((row) => /_Z/.test(row.Procedure)), []);
    // The first row stands for all: the sums are those of the others, and its own.
    const all_of = sites.find((row) => row.Procedure === "all");
    const totals = await until("the sums", async () => {
        const cells = await page.evaluate(() => [...document.querySelectorAll(".tables table.rows tfoot td")].map((one) => one.innerText.trim()));
        return cells.length > 0 && cells;
    });
    // The tab counts all rows.
    check("sums/words", /^total, \d+ rows without 'all'$/.test(totals[0]), totals[0]);
    equal("sums", [totals[0].replace(/\D/g, ""), plain(totals[3]), plain(totals[4])], [String(sites.length - 1), all_of.Blocks, all_of.Bytes]);
    // Peaks do not add up: the greatest one is named so, and is not the peak of all.
    const titles = await page.evaluate(() => [...document.querySelectorAll(".tables table.rows thead th")].map((one) => one.innerText.trim()));
    equal("sums/peak", totals[titles.indexOf("Peak")].replace(/[\u2009]/g, ""), `max ${Math.max(...sites.filter((row) => row.Procedure !== "all").map((row) => Number(row.Peak)))}`);
    // Bars are of parts: the longest is whole.
    const bars = await page.evaluate(() => [...document.querySelectorAll(".tables table.rows tbody tr")].map((row) => [row.cells[0].innerText, Number.parseFloat(row.querySelector("td.bar")?.style.getPropertyValue("--part") ?? "0")]));
    equal("bars-of-parts", [bars.find(([name]) => name === "all")[1], Math.max(...bars.map(([, part]) => part))], [0, 100]);
    await page.choose("Chart", '[role="tab"]');
    await page.see(".chart svg");
    equal("chart-of-parts", (await page.evaluate(() => [...document.querySelectorAll(".chart .hidden table th")].map((one) => one.textContent))).filter((name) => name === "all" || /_Z/.test(name)), []);
    const own = (name) => rows.find((row) => row.Procedure === `ledger::${name}(long)`);
    const bytes = (count) => String(entry * count);
    equal("keep", [own("keep").Blocks, own("keep").Bytes, own("keep")["Left bytes"], own("keep").Peak].map(plain), [String(turns.large), bytes(turns.large), "0", bytes(turns.large)]);

    // ---- what is forgotten: the column that says so; found by the readable name, and by the linker's ----
    const left = table("dynmem").columns.findIndex((column) => column.title === "Left bytes");
    await page.choose("Left bytes", ".tables th button");
    await until("sorted", async () => (await page.address()).includes(`sort=-${left}`));
    const least = () => page.choose("Left bytes ▾", ".tables th button");
    await least();
    await until("the least that is left is first", async () => plain((await shown())[0]["Left bytes"]) === "0");
    await page.back();
    const sorted = [...sites].sort((one, other) => other["Left bytes"] - one["Left bytes"]);
    await until("the most that is left is first", async () => plain((await shown())[1]["Left bytes"]) === sorted[1]["Left bytes"]);
    for (const words of ["ledger::forget(", "ledgerL6forget"]) {
        await page.press("/");
        await page.type("input[data-filter]", words);
        const found = await until(`found by ${words}`, async () => {
            const rows = await shown(); // looked at once: the next reading may be of a table that is drawn again
            return rows.length === 1 && rows;
        });
        equal(`forgotten/${words}`, [found[0].Procedure, ...["Left blocks", "Left bytes", "Freed bytes"].map((title) => plain(found[0][title]))], ["ledger::forget(long)", String(turns.large / 10), bytes(turns.large / 10), "0"]);
    }
    await page.choose("ledger::forget(long)", ".tables td");
    await page.read("ledger::forget(long)", ".procedure-name");
    await page.read("make(number)->number", ".results-code");
    const counted = await until("bytes beside the line", () =>
        page.evaluate(() => {
            const editor = document.querySelector('.results-code .cm-content[aria-label="Source"]')?.closest(".cm-editor");
            return [...(editor?.querySelectorAll(".code-count .cm-gutterElement") ?? [])].map((one) => one.innerText.trim()).filter(Boolean);
        }).then((found) => found.length > 0 && found));
    check("beside-the-line", counted.map(plain).includes(String(turns.large / 10)) || counted.map(plain).includes(bytes(turns.large / 10)), counted);
    await page.looks("left");
    await page.type("input[data-filter]", "");
    await page.press(keys.Enter);

    // ---- third says the same of it: the leak, and the way there ----
    const [leak] = await report("large", "third");
    await page.evaluate((to) => (location.hash = to), `#/results?run=${runs.large}&table=${table("third").id}&view=facts`);
    const [told] = await until("the leak", async () => {
        const rows = await shown();
        return rows[0]?.Error === "leak" && rows;
    });
    equal("leak", [told.Procedure, plain(told.Times), plain(told.Bytes)], [...(await readable([leak.Procedure])), leak.Times, leak.Bytes]);
    equal("leak-of-dynmem", [leak.Times, leak.Bytes], [String(turns.large / 10), bytes(turns.large / 10)]);
    check("leak-by", told.Callers.startsWith("ledger::forget(long) "), told.Callers);

    // ---- which call paths: the flame graph of bytes, the tree, the sandwich ----
    const ways = (await report("large", "bytes")).map((row) => ({ way: row.Way.split(";"), bytes: Number(row.Bytes) }));
    const all = ways.reduce((sum, one) => sum + one.bytes, 0);
    const through = (name) => ways.filter(({ way }) => way.includes(name)).reduce((sum, one) => sum + one.bytes, 0);
    await page.evaluate((to) => (location.hash = to), `#/results?run=${runs.large}&view=flame`);
    await page.see(".flame canvas[data-drawn]");
    await page.read("bytes", ".flame-said");
    for (const [words, name] of [["ledger::keep", "_ZN6ledgerL4keepEl"], ["ledgerL4look", "_ZN6ledgerL4lookEl"]]) {
        await page.type('input[aria-label="Search frames"]', words);
        await page.read(`found: ${((100 * through(name)) / all).toFixed(1)} %`, ".flame-said");
    }
    check("flame-total", Number(plain(/(\S+) bytes/.exec((await page.text(".flame-said")).replaceAll("\u2009", ""))?.[1] ?? "")) > 0, await page.text(".flame-said"));
    await page.choose("Tree", '[role="tab"]');
    await page.see(".tree-table tbody tr");
    const first = await page.evaluate(() => [...document.querySelector(".tree-table tbody tr").cells].map((cell) => cell.innerText.trim()));
    equal("tree", [first[0].replace(/^[▾▸]\s*/, ""), plain(first[1])], ["_start", String(all)]);
    await page.evaluate(() => (location.hash = `${location.hash.replace(/&view=[^&]*/, "")}&view=sandwich&name=_ZN6ledgerL4makeEl`));
    await page.read("ledger::make(long)", ".sandwich-self strong");
    const callers = await page.evaluate(() => [...document.querySelectorAll(".sandwich-sides > div:first-child tbody tr")].map((row) => [row.cells[0].innerText, row.cells[1].innerText]));
    const from = (caller) => String(ways.filter(({ way }) => way[way.indexOf("_ZN6ledgerL4makeEl") - 1] === caller && way.includes("_ZN6ledgerL4makeEl")).reduce((sum, one) => sum + one.bytes, 0));
    equal("sandwich", callers.map(([name, amount]) => [name, plain(amount)]), [["ledger::keep(long)", from("_ZN6ledgerL4keepEl")], ["ledger::forget(long)", from("_ZN6ledgerL6forgetEl")]]);
    equal("sandwich-by-source", callers.map(([, amount]) => plain(amount)), [bytes(turns.large), bytes(turns.large / 10)]);
    await page.evaluate(() => (location.hash = location.hash.replace("view=sandwich", "view=flame")));
    await page.see(".flame canvas[data-drawn]");
    await page.looks("flame");
    await page.documented("memory");

    // ---- what grows: the small run and the large one ----
    await page.evaluate((to) => (location.hash = to), `#/compare?a=${runs.small}&b=${runs.large}`);
    await page.see(".compare-group.more tbody tr");
    await page.choose("dynmem", '[role="tab"]');
    await until("dynmem", async () => (await page.text(".compare-group.more thead"))?.includes("Left bytes"));
    const grown = await page.evaluate(() => {
        const titles = [...document.querySelectorAll(".compare-group.more col")].map((one) => one.dataset.title);
        return [...document.querySelectorAll(".compare-group.more tbody tr")].map((row) => Object.fromEntries([...row.cells].map((cell, at) => [titles[at], cell.title.includes("\n_Z") ? cell.title.split("\n")[0] : cell.innerText.trim()])));
    });
    const more = (name) => grown.find((row) => row.Procedure === `ledger::${name}(long)`);
    equal("grown", plain(more("forget")["Left bytes B-A"] ?? ""), `+${bytes((turns.large - turns.small) / 10)}`);
    const small = await report("small", "dynmem");
    const byName = (list, name) => list.filter((row) => row.Procedure === name).reduce((sum, row) => sum + Number(row.Bytes), 0);
    // By place: compilers make one allocating call of the procedure, or several.
    const grownBytes = grown.filter((row) => row.Procedure === "ledger::keep(long)").reduce((sum, row) => sum + Number(plain(row["Bytes B-A"] ?? "")), 0);
    equal("grown-bytes", `+${grownBytes}`, `+${byName(sites, "_ZN6ledgerL4keepEl") - byName(small, "_ZN6ledgerL4keepEl")}`);
    await page.looks("grown");

    // ---- which calls allocate: the tree that dynmem writes, as a flame graph ----
    await page.evaluate((to) => (location.hash = to), `#/run?${new URLSearchParams({ program: program.id, tools: "dynmem", "dynmem.callers": "30", arguments: "300" })}`);
    await until("the tool", async () => (await page.texts(".chosen .form, .chosen > p")).length === 1);
    await page.choose("Run", "main button");
    await page.read("Finished", ".live");
    await page.click(".live .button.primary");
    await page.see(".tables table.rows tbody tr");
    const run = Number(new URLSearchParams((await page.address()).split("?")[1]).get("run"));
    const calls = (await api(`/runs/${run}/tables`)).tables.find((one) => one.report === "dynmem.out.tree");
    const tree = await page.evaluate((id) => fetch(`/api/v1/tables/${id}/tree`).then((answer) => answer.json()), calls.id);
    const allocated = tree.metrics.find((one) => one.title === "Bytes").values.map(Number);
    const called = (at) => tree.names[tree.name[at]];
    const above = (at) => (tree.parent[at] ? called(tree.parent[at] - 1) : "");
    const made = (caller) => allocated.reduce((sum, one, at) => sum + (called(at) === "_ZN6ledgerL4makeEl" && above(at) === caller ? one : 0), 0);
    equal("made-by", [made("_ZN6ledgerL4keepEl"), made("_ZN6ledgerL6forgetEl")].map(String), [bytes(300), bytes(30)]);
    await page.evaluate((to) => (location.hash = to), `#/results?run=${run}&table=${calls.id}&view=flame`);
    await page.see(".flame canvas[data-drawn]");
    await page.type('input[aria-label="Search frames"]', "ledger::make");
    await page.read(`found: ${((100 * 330 * entry) / allocated.reduce((sum, one) => sum + one)).toFixed(1)} %`, ".flame-said");
    await page.quiet();
    await page.close();
    await server.stop();
});
