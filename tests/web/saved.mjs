// saved: results of other programs beside one's own, figures and metrics of runs, charts of answers, saved screens.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { browse, check, equal, programs, scratch, testCase, until, workbench } from "../lib/webdriver.mjs";

const api = (page, path, body) => page.evaluate((to, sent) => fetch(`/api/v1${to}`, sent ? { method: "POST", headers: { "Content-Type": "application/json" }, body: sent } : {}).then((answer) => answer.json()), path, body ? JSON.stringify(body) : null);

await testCase(async () => {
    const server = await workbench();
    const page = await browse(server.address);
    await page.see(".open");
    await api(page, "/programs", { path: join(programs, "same") });
    for (const word of ["", "a"]) {
        const { id } = await api(page, "/runs", { program: { path: join(programs, "same") }, tools: [{ name: "prof" }], arguments: word ? [word] : [] });
        await until(`run ${id}`, async () => (await api(page, `/runs/${id}`)).state === "finished");
    }

    // ---- import: by path, and from where the browser is; what is wrong is said in the field ----
    const stacks = join(scratch, "others.folded");
    writeFileSync(stacks, "main;parse 20\nmain;solve 10\n");
    writeFileSync(join(scratch, "bad.info"), "SF:a.c\nDA:1\n");
    await page.reload();
    await page.see(".runs-table");
    await page.type(".import input.path", join(scratch, "bad.info"));
    await page.choose("Import", ".import button");
    await page.read("line 2: it is no record", ".import .notice.error");
    await page.type(".import input.path", stacks);
    await page.choose("Import", ".import button");
    await until("its results", async () => (await page.address()).startsWith("#/results?run=3"));
    await page.read("solve");

    // ---- the list: first counts, and a line of them; equal to the server's ----
    await page.evaluate(() => (location.hash = "#/project"));
    await page.see(".sparkline");
    const { runs } = await api(page, "/runs/figures?runs=1,2,3");
    const plain = (text) => text.replaceAll("\u2009", "");
    const counts = await page.evaluate(() => [...document.querySelectorAll(".runs-table tbody tr")].map((row) => row.cells[5].innerText));
    equal("first-counts", counts.map(plain), [3, 2, 1].map((run) => `${runs[run].main.value} ${runs[run].main.title}`));
    equal("lines", await page.evaluate(() => document.querySelectorAll(".sparkline").length), 1);

    // ---- SQL: a chart; a metric, which is a column of the list ----
    await page.evaluate(() => (location.hash = `#/sql?asked=1&text=${encodeURIComponent("SELECT run, Procedure, max(Instructions) AS Most FROM \"prof prof.out 1\" GROUP BY run")}`));
    await page.read("rows in", ".sql-answer");
    await page.choose("Chart", "[role=tab]");
    await page.see(".answer-chart svg");
    check("bars", (await page.evaluate(() => document.querySelectorAll(".answer-chart [aria-label=bar] rect").length)) === 2);
    await page.choose("line", ".answer-chart select option");
    await page.choose("run", ".answer-chart label:nth-of-type(3) option");
    await until("a line", () => page.evaluate(() => document.querySelectorAll(".answer-chart svg [aria-label=line] path").length >= 1 && document.querySelectorAll(".answer-chart svg [aria-label=dot] circle").length === 2));
    await page.looks("chart");
    const drawn = await page.address();
    await page.reload();
    await page.see(".answer-chart [aria-label=line]");
    equal("address", await page.address(), drawn);
    await page.choose("Save as metric …", "button");
    await page.type("[aria-label='Name of the metric']", "busiest <b>");
    await page.type("[aria-label='Unit of the metric']", "instr");
    await page.choose("Save", ".sql-answer form button");
    await page.read("It is a column of the lists of runs now.");
    await page.read("busiest <b>", ".sql-tables button");

    // ---- a saved screen: named in the footer, listed in Project, opened, removed ----
    await page.choose("Save this screen …", "footer button");
    await page.type("footer input", "my <i>chart</i>");
    await page.choose("Save", "footer button");
    await page.read("Saved: it stands in Project.", "footer");
    await page.evaluate(() => (location.hash = "#/project"));
    await page.read("my <i>chart</i>", "[aria-label='Saved screens']");
    await until("the metric's column", async () => (await page.texts(".runs-table th")).includes("busiest <b>, instr"));
    const [metric] = (await api(page, "/metrics")).metrics;
    const figures = await api(page, "/runs/figures?runs=1,2,3");
    equal("metric", (await page.evaluate(() => [...document.querySelectorAll(".runs-table tbody tr")].map((row) => row.cells[7].innerText))).map(plain), ["", String(figures.runs[2].metrics[metric.id]), String(figures.runs[1].metrics[metric.id])]);
    await page.looks("project");
    await page.choose("my <i>chart</i>", "[aria-label='Saved screens'] a");
    await page.see(".answer-chart [aria-label=line]");
    const words = (address) => [...new URLSearchParams(address.split("?")[1])].sort();
    equal("opened", words(await page.address()), words(drawn));

    // ---- Places: each instruction of the program is in the view place; the example that needs it has the lines of procedures ----
    await page.evaluate(() => (location.hash = "#/sql"));
    await page.choose("Places", "button");
    const { rows: procedures } = await api(page, "/programs/1/procedures?limit=10000");
    const instructions = procedures.reduce((sum, one) => sum + one.instructions, 0);
    await until("places are there", async () => plain(await page.text(".sql-answer [role=status]")) === `${instructions} instructions are in the view place`);
    await page.choose("prof prof.out 1 by source line, after Places", "select[aria-label=Examples] option");
    await page.read("rows in", ".sql-answer");
    const main = procedures.find((one) => one.name === "main");
    const lines = await page.evaluate(() => [...document.querySelectorAll(".sql-answer tbody tr")].map((row) => [...row.cells].map((cell) => cell.innerText.trim())));
    const ofRuns = await api(page, "/sql", { text: 'SELECT sum(Instructions) FROM "prof prof.out 1" WHERE Procedure = \'main\'' });
    check("places", lines.some(([file, line, count]) => file.endsWith("same.c") && line === String(main.line) && plain(count) === String(ofRuns.rows[0][0])), [lines.slice(0, 5), main, ofRuns.rows]);

    await page.evaluate(() => (location.hash = "#/project"));
    await page.see("[aria-label='Saved screens'] table button");
    await page.click("[aria-label='Saved screens'] table button");
    await page.read("No screen has been saved yet.");
    await page.click("[aria-label='Remove run 3']");
    await page.read("Really remove", "[aria-label='Remove run 3']");
    await page.click("[aria-label='Remove run 3']");
    await until("it is removed", async () => (await page.texts(".runs-table tbody tr")).length === 2);
    await page.evaluate(() => (location.hash = "#/results"));
    await until("the same table in Results", async () => (await page.texts(".runs-table tbody tr")).length === 2);
    await page.looks("results");
    await page.quiet(/status of 400|procedures.* status of 409/);
    await page.close();
    await server.stop();
});
