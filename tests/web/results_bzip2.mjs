// results_bzip2: a run of bzip2 is looked at: what the screen says is what the text reports of the same run say; table, flame graph, tree,
// sandwich, source and disassembly show the same procedure; by keys; the address keeps it all; SQL says the same once more.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { atomc, browse, check, equal, keys, programs, run, scratch, testCase, until, workbench } from "../lib/webdriver.mjs";

const plain = (text) => text.replace(/[\u2009 ]/g, "");

await testCase(async () => {
    if (!existsSync(join(programs ?? "", "bzip2"))) return console.log("skipped: bzip2 is not there");
    const server = await workbench();
    const page = await browse(server.address);
    await page.see("main h1");

    // ---- a run ----
    const id = await page.evaluate(
        (folder) =>
            import("/web/api.js").then(async ({ post }) => {
                await post("/programs", { path: `${folder}/bzip2` });
                const job = {
                    program: { path: `${folder}/bzip2` },
                    tools: [{ name: "pixie", parameters: { instructions: true } }, { name: "branch" }, { name: "hiprof" }],
                    arguments: ["-c"],
                    input: { path: `${folder}/text` },
                };
                return (await post("/runs", job)).id;
            }),
        programs,
    );
    const about = await page.finished(id);
    equal("state", about.state, "finished");

    // ---- the text reports of that run, by other code than the server's ----
    const out = join(scratch, "project", about.folder, "out");
    const folder = join(out, readdirSync(out)[0]);
    const text = async (test) => {
        const file = readdirSync(folder).find((name) => test.test(name) && test.test(JSON.parse(readFileSync(join(folder, name), "utf8").split("\n", 1)[0]).tool + name));
        const lines = (await run(atomc, ["merge", "--format=text", join(folder, file)])).trimEnd().split("\n");
        const titles = lines[0].split("\t");
        return lines.slice(1).map((line) => Object.fromEntries(line.split("\t").map((cell, index) => [titles[index], cell])));
    };
    const reports = {};
    for (const name of readdirSync(folder).filter((one) => one.endsWith(".rows"))) {
        const { report } = JSON.parse(readFileSync(join(folder, name), "utf8").split("\n", 1)[0]);
        reports[report] = () => text(new RegExp(`${name.replace(/\./g, "\\.")}$`));
    }
    const procedures = (await reports["hiprof.out"]()).sort((left, right) => right.Instructions - left.Instructions);
    const instructions = await reports["pixie.out.instructions"]();
    const branches = await reports["branch.out"]();

    // ---- the table ----
    await page.evaluate((number) => (location.hash = `#/results?run=${number}`), id);
    await page.see("table.rows tbody tr");
    await page.choose(`hiprof ${procedures.length}`, '[role="tab"]');
    const readTable = () =>
        page.evaluate(() => {
            const titles = [...document.querySelectorAll("table.rows thead th")].map((one) => one.innerText.replace(/ [▾▴]$/, "").trim());
            return [...document.querySelectorAll("table.rows tbody tr")].map((row) => Object.fromEntries([...row.cells].map((cell, index) => [titles[index], cell.innerText.trim()])));
        });
    const page_rows = Math.min(100, procedures.length);
    const rows = await until("the table of hiprof", async () => {
        const found = await readTable();
        return found.length === page_rows && "Calls" in found[0] && found;
    });
    if (procedures.length > page_rows) {
        await page.choose("Last", ".pager button");
        rows.push(...(await until("the last rows", async () => (await page.address()).includes("offset=") && (await readTable()).length === procedures.length - page_rows && readTable())));
        await page.choose("First", ".pager button");
    }
    const words = (list) => list.map((one) => [one.Procedure, plain(one.Instructions), plain(one.Total), plain(one.Calls)].join(" ")).sort();
    equal("table", words(rows), words(procedures));
    equal("sorted", plain(rows[0].Instructions), procedures[0].Instructions);
    const sum = procedures.reduce((all, one) => all + BigInt(one.Instructions), 0n);
    const totals = await until("totals", () => page.evaluate(() => document.querySelector("table.rows tfoot")?.innerText));
    check("totals", plain(totals).includes(String(sum)) && totals.includes("total"), totals);

    // ---- a filter, by keys ----
    await page.press("/", ..."mainSort");
    await until("one row", async () => (await readTable()).length === 1);
    check("filter-address", (await page.address()).includes("filter=mainSort"), await page.address());
    await page.type("input[data-filter]", "> 1000000");
    const many = procedures.filter((one) => Number(one.Instructions) > 1000000).length;
    await until(`${many} rows`, async () => (await readTable()).length === many);
    await page.type("input[data-filter]", "no such procedure");
    await page.read("No row of");
    await page.choose("Show all rows", "button");
    await until("all rows", async () => (await readTable()).length === page_rows);

    // ---- a row shows its procedure everywhere ----
    await page.choose("mainGtU", "table.rows td");
    const chosen = procedures.find((one) => one.Procedure === "mainGtU");
    await page.read("mainGtU", ".procedure-name");
    await page.read(`mainGtU`, ".flame-said");
    check("procedure-address", (await page.address()).includes(`procedure=${chosen.PC}`), await page.address());
    await page.choose("Disassembly", '[role="tab"]');
    await page.see(".code .cm-line");
    // Counts beside the disassembly, of what is visible.
    const beside = await until("counts beside the disassembly", async () => {
        const found = await page.evaluate(() => {
            const lines = [...document.querySelectorAll('.code .cm-content[aria-label="Disassembly"] .cm-line, .code .cm-line')].map((one) => one.innerText);
            const gutters = [...document.querySelectorAll(".code .cm-gutter")].map((gutter) => [...gutter.querySelectorAll(".cm-gutterElement")].filter((one) => one.style.visibility !== "hidden" && one.getBoundingClientRect().height > 0).map((one) => one.innerText.trim()));
            return { lines: lines.length, gutters };
        });
        return found.lines > 5 && found.gutters.some((gutter) => gutter.some((one) => /^\d[\d\u2009]*$/.test(one) && one.length > 5)) && found;
    });
    // The last digits of the addresses.
    const addresses = beside.gutters.find((gutter) => gutter.filter((one) => /^[0-9a-f]{6,9}$/.test(one) && Number(`0x${one}`) % 4 === 0).length > 5 && gutter[0].endsWith(chosen.PC.slice(-4)));
    const size = instructions.filter((one) => one.Procedure === "mainGtU");
    const expected = size.map((one) => one.Executed);
    const counted = beside.gutters.map((gutter) => gutter.filter((one) => /^[\d\u2009]+$/.test(one)).map(plain)).find((gutter) => gutter.length > 5 && expected.includes(gutter[0]) && expected.includes(gutter.at(-1)) && gutter[0].length > 3);
    const byAddress = new Map(size.map((one) => [one.PC.slice(-6), one.Executed]));
    const pairs = (addresses ?? []).map((one) => one.slice(-6)).filter((one) => byAddress.has(one));
    check("disassembly-addresses", pairs.length > 5, beside.gutters.map((one) => one.slice(0, 4)));
    equal("disassembly-counts", (counted ?? []).slice(0, pairs.length), pairs.map((one) => byAddress.get(one)).slice(0, (counted ?? []).length));
    const branch = branches.filter((one) => one.Procedure === "mainGtU")[0];
    const shares = branches.filter((one) => one.Procedure === "mainGtU").map((one) => ((100 * one.Taken) / (Number(one.Taken) + Number(one["Not Taken"]))).toFixed(1));
    const said = await until("branch shares", async () => {
        const found = await page.evaluate(() => [...document.querySelectorAll(".code .cm-gutterElement")].map((one) => one.innerText.trim()).filter((one) => /^\d+\.\d %$/.test(one)));
        return found.length > 0 && found;
    });
    check("branches", branch && said.every((one) => shares.includes(one.slice(0, -2))), { said, shares });

    // ---- flame graph, tree, sandwich: one procedure, the same numbers ----
    const flame = await page.text(".flame-said");
    check("flame", plain(flame).includes(plain(chosen.Total)), flame);
    await page.evaluate(() => document.querySelector(".flame canvas").focus());
    await page.press(keys.Up);
    await page.read("mainSort", ".flame-said");
    await page.press(keys.Enter);
    await until("zoomed", async () => (await page.address()).includes("zoom="));
    await page.press(keys.Home);
    await until("not zoomed", async () => !(await page.address()).includes("zoom="));
    await page.type('input[aria-label="Search frames"]', "mainGtU");
    await page.read("found: ", ".flame-said");
    const share = ((100 * Number(chosen.Total)) / Number(sum)).toFixed(1);
    check("flame-search", (await page.text(".flame-said")).includes(`found: ${share} %`), await page.text(".flame-said"));
    await page.choose("Tree", '[role="tab"]');
    const inTree = await until("the row of the tree", () => page.evaluate(() => document.querySelector('.tree-table tr[aria-selected="true"]')?.innerText));
    check("tree", /mainSort/.test(inTree), inTree);
    await page.choose("Sandwich", '[role="tab"]');
    await page.read("mainSort", ".sandwich-self");
    const callees = await page.texts(".sandwich-sides > div:last-child tbody td:first-child");
    check("sandwich", callees.includes("mainGtU"), callees);
    await page.choose("mainGtU", ".sandwich button");
    await page.read("mainGtU", ".sandwich-self");
    check("sandwich-total", plain(await page.text(".sandwich-self")).includes(plain(chosen.Total)), await page.text(".sandwich-self"));
    // Which call paths allocate: the callers of malloc, by calls; each call has one of them.
    const allocating = procedures.find((one) => one.Procedure === "malloc");
    if (allocating) {
        await page.evaluate(() => (location.hash = location.hash.replace(/&name=[^&]*/, "") + "&name=malloc"));
        await page.read("malloc", ".sandwich-self strong");
        const select = 'select[aria-label="Counts of the tree"]';
        await page.evaluate((css) => {
            const field = document.querySelector(css);
            field.value = [...field.options].find((one) => one.text === "Calls").value;
            field.dispatchEvent(new Event("change", { bubbles: true }));
        }, select);
        await page.read("Calls", ".sandwich-sides th.number");
        const callers = await page.texts(".sandwich-sides > div:first-child tbody td:nth-child(2)");
        const names = await page.texts(".sandwich-sides > div:first-child tbody td:first-child");
        const own = plain((await page.text(".sandwich-self")).split("itself")[1].split("(")[0]);
        equal("malloc-calls", own, allocating.Calls);
        check("malloc-callers", names.length > 1 && callers.length === names.length, names);
        await page.choose("mainSort", "table.rows td");
        await page.read("mainSort", ".procedure-name");
        await page.choose("mainGtU", "table.rows td");
        await page.read("mainGtU", ".procedure-name");
    }
    await page.choose("Chart", '[role="tab"]');
    await page.see(".chart svg");
    const drawn = await page.evaluate(() => [...document.querySelectorAll(".chart table tr")].map((row) => [row.cells[0].innerText || row.cells[0].textContent, row.cells[1].textContent]));
    equal("chart", drawn.slice(0, 5).map(([name, value]) => `${name} ${plain(value)}`), procedures.slice(0, 5).map((one) => `${one.Procedure} ${one.Instructions}`));
    await page.choose("Facts", '[role="tab"]');
    await page.read("finished", "#lower-panel");

    // ---- back, and the address in another page ----
    const there = await page.address();
    await page.back();
    await until("back", async () => (await page.address()) !== there);
    await page.read("Instructions by Procedure", ".chart");
    const kept = await page.address();
    await page.reload();
    await page.see(".chart svg");
    equal("reload", await page.address(), kept);
    await page.read("mainGtU", ".procedure-name");

    // ---- SQL ----
    const view = await page.evaluate(() => import("/web/api.js").then(({ get }) => get("/sql")).then(({ tables }) => tables.find((one) => one.name.startsWith("hiprof hiprof.out ")).name));
    await page.evaluate((statement) => (location.hash = `#/sql?asked=1&text=${encodeURIComponent(statement)}`), `SELECT sum(Instructions) AS n FROM "${view}"`);
    await until("the sum by SQL", async () => plain((await page.text(".sql-answer td")) ?? "") === String(sum));
    await page.evaluate(() => (location.hash = "#/sql?asked=1&text=DROP+TABLE+run"));
    await page.read("not authorized");

    // ---- how it looks ----
    await page.evaluate((number) => (location.hash = `#/results?run=${number}&view=flame`), id);
    await page.see(".flame canvas[data-drawn]");
    await page.read("mainSort", ".procedure-name");
    await page.looks("results");
    await page.choose("Sandwich", '[role="tab"]');
    await page.looks("sandwich");
    await page.evaluate((statement) => (location.hash = `#/sql?asked=1&text=${encodeURIComponent(statement)}`), `SELECT Procedure, Instructions FROM "${view}" ORDER BY 2 DESC LIMIT 20`);
    await page.see(".sql-answer td");
    await page.looks("sql");
    await page.quiet(/\/api\/v1\/sql /);
});
