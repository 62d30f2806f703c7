// results_large: tables of many rows are paged, sorted and filtered in 200 ms once a column is indexed; a flame graph of many nodes is
// drawn in 50 ms. With SIZE=all a million rows and 350,000 nodes, which are loaded in 10 s.
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atomc, bar, browse, check, equal, keys, run, scratch, size, testCase, until, workbench } from "../lib/webdriver.mjs";

// make bench-workbench measures at full size, too.
const full = size === "all" || process.env.BARS;
const many = full ? 1000000 : 120000;
const nodes = full ? 350000 : 60000;
const plain = (text) => text.replace(/[\u2009 ]/g, "");

function rowsFile(name, report, columns, rows) {
    const header = { rows: 1, tool: "large", report, process: 7, parent: 1, program: "large", program_digest: "0".repeat(64), parameters: {}, places: [], columns };
    const lines = [JSON.stringify(header)];
    for (const row of rows) lines.push(JSON.stringify(row));
    lines.push(JSON.stringify({ end: true, rows: lines.length - 1 }), "");
    writeFileSync(join(scratch, "large", name), lines.join("\n"));
}

const middle = (list) => [...list].sort((left, right) => left - right)[Math.floor((list.length - 1) / 2)];
const column = (title, type, role, merge, others = {}) => ({ title, type, role, merge, ...others });
const count = (i) => (i * 7919) % 1000003;

function* table() {
    for (let i = 0; i < many; i++) yield [`0x${(0x120000000 + 4 * i).toString(16)}`, count(i), `procedure_${Math.floor(i / 100)}`, i % 3000];
}

/** A tree of 40 levels and many siblings; each node has a name of its own and counts 1. */
function* tree() {
    const parents = [0];
    for (let node = 1; node <= nodes; node++) {
        const depth = node === 1 ? 1 : Math.min(parents.length, 2 + ((Math.imul(node, 2654435761) >>> 8) % 40));
        parents.length = depth;
        yield [node, parents.at(-1), `f${node}`, 1];
        parents.push(node);
    }
}

/** The milliseconds from an action to what it shows, as the page's clock has it. */
const timed = (page, action, done) =>
    page.evaluate(
        async (act, condition) => {
            const begin = performance.now();
            new Function(act)();
            const holds = new Function(`return ${condition}`);
            while (!holds()) {
                if (performance.now() - begin > 20000) return 20000;
                await new Promise((next) => setTimeout(next, 2));
            }
            return Math.round(performance.now() - begin);
        },
        action,
        done,
    );

await testCase(async () => {
    mkdirSync(join(scratch, "large"));
    mkdirSync(join(scratch, "project"));
    rowsFile("large.1.rows", "large.out", [column("PC", "address", "key", "same"), column("Count", "integer", "measure", "sum", { unit: "count" }), column("Procedure", "text", "label", "same"), column("Line", "integer", "label", "same")], table());
    rowsFile("large.2.rows", "large.tree", [column("Node", "integer", "node", "same"), column("Parent", "integer", "parent", "same"), column("Procedure", "text", "key", "same"), column("Calls", "integer", "measure", "sum", { unit: "count" })], tree());
    const begin = Date.now();
    await run(atomc, ["collect", join(scratch, "large"), "-o", join(scratch, "project/project.sqlite")]);
    const loaded = (Date.now() - begin) / 1000;
    const megabytes = Math.round(statSync(join(scratch, "project/project.sqlite")).size / 1e6);
    console.log(`# ${many} rows and ${nodes} nodes loaded in ${loaded.toFixed(1)} s, ${megabytes} MB`);
    if (full) bar(`${many} rows and ${nodes} nodes of a tree loaded`, loaded.toFixed(1), "s", 10);
    if (full) bar("the database that has them", megabytes, "MB", 100);
    const server = await workbench();
    const page = await browse(server.address);
    await page.see("main h1");
    await page.evaluate(() => (location.hash = "#/results?run=1&table=1&view=chart&sort=-1"));
    await page.see("table.rows tbody tr");

    // ---- rows ----
    let greatest = 0;
    for (let i = 0; i < many; i++) greatest = Math.max(greatest, count(i));
    const first = () => page.evaluate(() => document.querySelector("table.rows tbody tr").cells[1].innerText);
    equal("sorted", plain(await first()), String(greatest));
    const button = (name) => `[...document.querySelectorAll(".pager button")].find((one) => one.innerText === "${name}").click()`;
    const row = (index) => `document.querySelector("table.rows tbody tr")?.getAttribute("aria-rowindex") === "${index}"`;
    // The buttons are there when the number of rows is known, which can be later than the first rows.
    const buttons = () => until("buttons of the pages", () => page.evaluate(() => [...document.querySelectorAll(".pager button")].some((one) => one.innerText === "Next" && !one.disabled)));
    const times = [];
    await buttons();
    for (let page_number = 1; page_number <= 5; page_number++) times.push(await timed(page, button("Next"), row(100 * page_number + 1)));
    const last = Math.floor((many - 1) / 100) * 100 + 1;
    times.push(await timed(page, button("Last"), row(last)));
    console.log(`# pages of ${many} rows: ${times.join(", ")} ms`);
    if (full) bar("a page of them in the order of a count, the middle of six", middle(times), "ms", 200);
    const least = await page.evaluate(() => [...document.querySelectorAll("table.rows tbody tr")].at(-1).cells[1].innerText);
    let smallest = Infinity;
    for (let i = 0; i < many; i++) smallest = Math.min(smallest, count(i));
    equal("last", plain(least), String(smallest));
    // By texts.
    await page.evaluate(() => (location.hash = "#/results?run=1&table=1&view=chart&sort=2"));
    await until("sorted by procedure", async () => (await page.evaluate(() => document.querySelector("table.rows tbody tr")?.cells[2].innerText)) === "procedure_0");
    const texts = [];
    await buttons();
    for (let page_number = 1; page_number <= 5; page_number++) texts.push(await timed(page, button("Next"), row(100 * page_number + 1)));
    texts.push(await timed(page, button("Last"), row(last)));
    console.log(`# by texts: ${texts.join(", ")} ms`);
    if (full) bar("a page in the order of a text", middle(texts), "ms", 200);
    const names = await page.texts("table.rows tbody tr td:nth-child(3)");
    const expected = Array.from({ length: many }, (_, i) => `procedure_${Math.floor(i / 100)}`).sort().slice(last - 1);
    equal("last-by-text", names, expected);
    const sum = Array.from({ length: many }, (_, i) => count(i)).reduce((all, one) => all + one, 0);
    check("totals", plain(await page.text("table.rows tfoot")).includes(String(sum)), await page.text("table.rows tfoot"));

    // ---- the flame graph ----
    await page.evaluate(() => (location.hash = "#/results?run=1&table=1&view=flame&sort=-1"));
    await page.see(".flame canvas[data-drawn]");
    await page.read(`${nodes.toLocaleString("en").replaceAll(",", "\u2009")} call paths`, ".flame-said");
    const frames = [];
    const draw = async () => frames.push(Number(await page.evaluate(() => document.querySelector(".flame canvas").dataset.milliseconds)));
    await draw();
    await page.evaluate(() => document.querySelector(".flame canvas").focus());
    for (const key of [keys.Down, keys.Down, keys.Down, keys.Enter, keys.Down, keys.Escape, keys.Home]) {
        await page.press(key);
        await draw();
    }
    await page.type('input[aria-label="Search frames"]', "f31");
    await page.read("found: ", ".flame-said");
    await draw();
    console.log(`# frames of ${nodes} nodes: ${frames.join(", ")} ms, ${await page.evaluate(() => document.querySelector(".flame canvas").dataset.drawn)} boxes`);
    if (full) bar(`a frame of a flame graph of ${nodes} nodes`, middle(frames), "ms", 50);
    await page.evaluate(() => (location.hash = "#/results?run=1&table=1&view=tree"));
    await page.see(".tree-table tbody tr");
    equal("tree", plain(await page.evaluate(() => document.querySelector(".tree-table tbody tr").cells[1].innerText)), String(nodes));
    await page.quiet(/programs\/\d+\/procedures/);
});
