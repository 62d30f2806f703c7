// languages: a program in C++, one with threads and, in make check-all, sqlite3: what the pages show is what the text reports of the
// same program say, source beside disassembly.
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { atomc, browse, check, equal, keys, programs, readable, run as execute, scratch, size, testCase, until, workbench } from "../lib/webdriver.mjs";

// Whose counts do not depend on the environment: names of the program's own procedures.
const all = [
    { name: "shapes", tools: ["prof", "pixie", "coverage"], words: "", input: "", own: /^(main|.*shapes)/, opened: "main" },
    { name: "sums", tools: ["prof", "hiprof", "pixie"], words: "", input: "", own: /^(main|add_up|collatz)$/, opened: "add_up", picture: "results" },
    { name: "sqlite3", tools: ["prof"], words: ":memory:", input: "queries.sql", own: /^(sqlite3Vdbe|sqlite3Parser|yy_reduce)/, opened: "sqlite3VdbeExec" },
].filter(({ name }) => size === "all" || name !== "sqlite3");

const rowsOf = (text) => text.trim().split("\n").map((line) => line.split("\t"));

const plain = (text) => text.replace(/[\u2009 ]/g, "");
const reports = (folder, test) => {
    const out = join(folder, "out");
    return readdirSync(out).flatMap((process) => readdirSync(join(out, process)).filter((file) => test.test(file)).map((file) => join(out, process, file)));
};

/** Behind a call: how often it was made, and what it cost with all below; as the rows of the tree have it. */
async function costs(page, run, folder) {
    const lines = reports(folder, /^hiprof\..*\.rows$/).map((file) => readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line)));
    const [header, ...rows] = lines.find(([first]) => first.report === "hiprof.out.tree");
    const at = (title) => header.columns.findIndex((column) => column.title === title);
    const nodes = new Map(rows.filter(Array.isArray).map((row) => [row[at("Node")], { parent: row[at("Parent")], name: row[at("Procedure")], self: row[at("Instructions")], calls: row[at("Calls")] }]));
    let [inclusive, calls] = [0, 0];
    for (const node of nodes.values()) {
        if (node.name === "pthread_create" && nodes.get(node.parent)?.name === "main") calls += node.calls;
        for (let one = node; one; one = nodes.get(one.parent)) if (one.name === "pthread_create" && nodes.get(one.parent)?.name === "main") inclusive += node.self;
    }
    const pc = rows.find((row) => row[at("Procedure")] === "main")[at("PC")];
    await page.evaluate((to) => (location.hash = to), `#/results?run=${run}&view=flame&procedure=${pc}&name=main&code=code`);
    const said = await until("the call's cost", async () => (await page.texts(".code-callee")).find((text) => text.startsWith("→ pthread_create")));
    check("cost-of-a-call", calls === 4 && plain(said) === `→pthread_create×${calls}${inclusive}`, { said, calls, inclusive });
}

/** The coverage as a tree: the numbers of the file in lcov's format, and the lines that were never executed, shaded. */
async function covered(page, run, folder) {
    const [file] = reports(folder, /^coverage\.out$/);
    const hits = new Map();
    const branches = new Map();
    let [source, shapes] = ["", ""];
    for (const line of readFileSync(file, "utf8").split("\n")) {
        if (line.startsWith("SF:")) source = line.slice(3);
        if (!source.endsWith("shapes.cc")) continue;
        shapes = source;
        const [first, second, third, taken] = line.slice(line.indexOf(":") + 1).split(",");
        if (line.startsWith("DA:")) hits.set(Number(first), Number(second));
        if (line.startsWith("BRDA:")) branches.set(`${first},${second},${third}`, taken === "-" ? 0 : Number(taken));
    }
    await page.evaluate((to) => (location.hash = to), `#/results?run=${run}&view=coverage`);
    const row = await until("the row of the source", () => page.evaluate(() => [...document.querySelectorAll(".coverage-table tbody tr")].map((one) => [...one.cells].map((cell) => cell.textContent.replace(/\s+/g, " ").trim())).find(([name]) => /shapes\.cc$/.test(name))));
    const part = (values) => {
        const hit = values.filter((count) => count > 0).length;
        return `${hit} / ${values.length}`;
    };
    check("coverage-lines", row[1].endsWith(part([...hits.values()])) && hits.size > 5, { row, expected: part([...hits.values()]) });
    check("coverage-branches", row[3].endsWith(part([...branches.values()])), { row, expected: part([...branches.values()]) });
    // By keys, to the procedure, whose source is shown.
    await page.evaluate(() => [...document.querySelectorAll(".coverage-table tbody tr")].find((one) => /shapes\.cc/.test(one.cells[0].textContent)).focus());
    await page.press(keys.Right);
    await page.press(keys.Down);
    await page.see(".code-never");
    const never = await page.evaluate(() => [...document.querySelectorAll(".code-never")].map((one) => one.textContent));
    const text = readFileSync(shapes, "utf8").split("\n");
    const zero = [...hits].filter(([, count]) => count === 0).map(([line]) => text[line - 1]);
    check("coverage-shaded", never.length > 0 && never.every((line) => zero.includes(line)), { never, zero });
    const procedures = await page.evaluate(() => [...document.querySelectorAll(".coverage-table tbody td:first-child")].map((one) => one.innerText.trim()));
    check("coverage-names", procedures.some((one) => one.startsWith("shapes::Regular<3>::area() const ")) && !procedures.some((one) => /_Z/.test(one)), procedures);
    await page.documented("coverage");
    await page.looks("coverage");
}

await testCase(async () => {
    const server = await workbench();
    const page = await browse(server.address);
    const api = page.api;
    for (const { name, tools, words, input, own, opened, picture } of all) {
        const program = await api("/programs", { path: join(programs, name) });
        const query = new URLSearchParams({ program: program.id, tools: tools.join(), arguments: words, input: input && join(programs, input) });
        await page.evaluate((to) => (location.hash = to), `#/run?${query}`);
        await until(`${name}: the tools`, async () => (await page.texts(".chosen .form, .chosen > p")).length === tools.length);
        await page.choose("Run", "main button");
        await page.read("Finished", ".live");
        await page.click(".live .button.primary");
        await page.see(".tables table.rows tbody tr");
        const number = Number(new URLSearchParams((await page.address()).split("?")[1]).get("run"));
        const { folder } = await api(`/runs/${number}`);
        const { tables } = await api(`/runs/${number}/tables`);

        // ---- prof: the table on the page, the rows of the run, and a text report of a run by hand ----
        const prof = tables.find((table) => table.tool === "prof");
        await page.evaluate((to) => (location.hash = to), `#/results?run=${number}&table=${prof.id}&offset=0`);
        await page.see('.tables table.rows[aria-label^="prof"] tbody tr');
        await until("names that can be read", () => page.evaluate(() => !/\b_Z/.test(document.querySelector(".tables table.rows").innerText)));
        const shown = await page.evaluate(() => [...document.querySelectorAll(".tables table.rows tbody tr")].map((row) => [...row.cells].map((cell) => (cell.title.includes("\n_Z") ? cell.title.split("\n")[0] : cell.innerText.replaceAll("\u2009", "")))));
        const files = (await execute("find", [join(scratch, "project", folder, "out"), "-name", "prof.*.rows"])).trim().split("\n");
        const merged = rowsOf(await execute(atomc, ["merge", ...files])).slice(1);
        // Of rows that are equal in their counts, which is first is nowhere said: a page may end between them.
        const names = await readable(merged.map((row) => row.at(-1)));
        const known = new Set(merged.map((row, at) => [...row.slice(0, -1), names[at]].join(" ")));
        equal(`${name}-rows`, shown.map((row) => row.join(" ")).filter((row) => !known.has(row)), []);
        equal(`${name}-order`, shown.map((row) => row[1]), merged.slice(0, Math.max(20, shown.length)).map((row) => row[1]));
        equal(`${name}-count`, prof.rows, merged.length);
        const by_hand = join(scratch, `hand-${name}`);
        mkdirSync(by_hand);
        await execute(atomc, ["-t", "prof", join(programs, name), "-o", join(by_hand, "atom")]);
        await execute("sh", ["-c", `qemu-alpha -0 ${name} ./atom ${words} <"$0" >output`, input ? join(programs, input) : "/dev/null"], { cwd: by_hand });
        const mine = (rows) => rows.filter((row) => own.test(row.at(-1))).map((row) => `${row[0]} ${row[1]} ${row.at(-1)}`).sort();
        const text = mine(rowsOf(readFileSync(join(by_hand, "prof.out"), "utf8")));
        check(`${name}-own`, text.length >= 2, text);
        equal(`${name}-text-report`, mine(merged), text);

        // ---- a click on a procedure: its source, if it is there, beside its instructions ----
        await page.evaluate((words) => [...document.querySelectorAll(".tables table.rows tbody tr")].find((row) => row.innerText.includes(words)).setAttribute("data-row", ""), opened);
        await page.click("[data-row] td:last-child");
        await page.read(opened, ".results-code .procedure-name");
        if (name === "sums") {
            await page.read("3 * n + 1", ".results-code");
            await page.choose("Flame graph", "[role=tab]");
            await page.see(".lower canvas");
        }
        if (picture) await page.documented(picture);
        await page.looks(name);
        if (name === "sums") await costs(page, number, join(scratch, "project", folder));
        if (name === "shapes") await covered(page, number, join(scratch, "project", folder));
    }
    await page.quiet();
    await page.close();
    await server.stop();
});
