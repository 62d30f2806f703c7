// series: tables that a page writes by `every N of COUNTER` as a timeline: the range that is chosen selects rows of the table and of the
// chart. At each time, the calls of all procedures are the time: the counter has counted each of them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { browse, check, equal, keys, plain, programs, scratch, testCase, until, workbench } from "../lib/webdriver.mjs";

const columns = ".timeline-columns";
const step = 200;

await testCase(async () => {
    const server = await workbench();
    const page = await browse(server.address);
    await page.see("main h1");
    const api = page.api;
    const tool = join(scratch, "series.atd");
    writeFileSync(tool, `tool series "calls as time goes by"
counter calls[procs], twice[procs], all
for p in procs { before p all++, calls[p]++, twice[p] += 2 }
report "ends.out" for p in procs where calls[p] > 0 "Procedure" p.name, "Calls" calls[p]
every ${step} of all report "times.out" for p in procs where calls[p] > 0 "Procedure" p.name, "Calls" calls[p], "Twice" twice[p]
`);
    const path = join(programs, "queens");
    const { id, tables } = await page.open(path, [{ path: tool }]);
    const series = tables.find((table) => table.report === "times.out by all");
    const ends = tables.find((table) => table.report === "ends.out");
    equal("columns", series.columns.map((column) => column.title).slice(0, 4), ["all", "Procedure", "Calls", "Twice"]);
    const { rows } = await api(`/tables/${series.id}/rows?limit=10000&sort=0`);
    const times = [...new Set(rows.map((row) => row[0]))];
    const at = (time) => rows.filter((row) => row[0] === time);
    const last = times.at(-1);
    equal("times", times.slice(0, -1), Array.from({ length: Math.ceil(last / step) - 1 }, (_, number) => step * (number + 1)));
    check("sums", times.length > 5 && times.every((time) => at(time).reduce((sum, row) => sum + row[2], 0) === time), times);
    const whole = await api(`/tables/${ends.id}/rows?limit=10000&sort=0`);
    equal("end", at(last).map((row) => row.slice(1, 3)).sort(), whole.rows.map((row) => row.slice(0, 2)).sort());

    const shown = () => page.evaluate(() => [...document.querySelectorAll("#table-panel tbody tr")].map((row) => [...row.cells].map((cell) => cell.innerText.replace(/\s/g, ""))));
    const said = async () => plain(await page.text(".timeline-said span"));
    const drawn = () => page.evaluate(() => [...document.querySelectorAll(".timeline-columns g")].map((one) => Math.round(Number(one.querySelector("rect")?.getAttribute("height") ?? 0))));
    const focus = () => page.evaluate((css) => /** @type {HTMLElement} */ (document.querySelector(css)).focus(), columns);
    const ofRows = (list) => [...new Set(list.map((row) => Number(row[0])))].sort((left, right) => left - right);
    const count = (list) => until(`${list} rows`, async () => plain(await page.text("#table-panel tfoot td")) === `total,${list}rows`, 60);

    // ---- all: a column for each time, as high as its sum; the sum of several times is not shown ----
    await page.go(`${server.origin}/#/results?run=${id}&view=timeline`);
    await page.see(columns);
    await until("a column for each time", async () => (await drawn()).length === times.length, 60);
    equal("heights", await drawn(), times.map((time) => Math.round((110 * time) / last)));
    equal("said", await said(), `all${times.length}times:all${times[0]}to${last},Calls${times[0]}to${last}`);

    // ---- by keys: the first time, the second, the second and the third ----
    await focus();
    await page.press(keys.Right);
    await until("the first time", async () => (await page.address()).includes(`range=${step}-${step}`), 60);
    await count(at(step).length);
    equal("first/table", ofRows(await shown()), [step]);
    check("first/sum", (await page.evaluate(() => [...document.querySelectorAll("#table-panel tfoot td")].map((cell) => cell.textContent.replace(/\s/g, "")))).includes(String(step)));
    equal("first/said", await said(), `time1of${times.length}:all${step},Calls${step}`);
    const greatest = (list, most = 25) => list.toSorted((left, right) => right[2] - left[2]).slice(0, most).map((row) => row[2]);
    const charted = (list) => until("the chart", async () => JSON.stringify((await page.evaluate(() => [...document.querySelectorAll(".chart caption + tbody td")].map((cell) => Number(cell.textContent.replace(/\s/g, "")))))) === JSON.stringify(greatest(list)), 60);
    await charted(at(step));
    await page.press(keys.Right, `Shift+${keys.Right}`);
    await until("two times", async () => (await page.address()).includes(`range=${2 * step}-${3 * step}`), 60);
    const two = [...at(2 * step), ...at(3 * step)];
    await count(two.length);
    equal("two/table", ofRows(await shown()), [2 * step, 3 * step]);
    check("two/no-sum", (await page.evaluate(() => [...document.querySelectorAll("#table-panel tfoot td")].map((cell) => cell.textContent))).slice(1).every((text) => text === ""));
    await charted(two); // no count of one time is added to one of another
    await page.looks("range", [], [0, 1, 2, 3]);
    // The chart alone has the range, too; and so has who opens the address.
    await page.choose("Chart", "[role=tab]");
    await charted(two);
    const address = await page.address();
    await page.go("about:blank");
    await page.go(`${server.origin}/${address.replace("view=chart", "view=timeline")}`);
    await count(two.length);
    equal("address/table", ofRows(await shown()), [2 * step, 3 * step]);
    await until("what is said", async () => (await said()).startsWith(`times2to3of${times.length}:`), 60);
    // Another count: the columns are of it.
    await page.choose("Twice", "#table-panel th button");
    await until("the other count", async () => (await said()).endsWith(`Twice${4 * step}to${6 * step}`), 60);
    // Escape, and the condition above the table, show all again.
    await focus();
    await page.press(keys.Escape);
    await until("all again", async () => !(await page.address()).includes("range="), 60);
    await count(rows.length);
    // By the mouse: from the first column to the second.
    const box = await page.evaluate((css) => {
        const { left, width, top, height } = document.querySelector(css).getBoundingClientRect();
        return [left, width, top + height / 2];
    }, columns);
    await page.drag([box[0] + (0.5 * box[1]) / times.length, box[2]], [box[0] + (1.5 * box[1]) / times.length, box[2]]);
    await until("dragged", async () => (await page.address()).includes(`range=${step}-${2 * step}`), 60);
    await count(at(step).length + at(2 * step).length);
    await page.click("#table-panel .chip");
    await until("all by the condition", async () => !(await page.address()).includes("range="), 60);
    await count(rows.length);

    // ---- beside bbv: the choice; the range of one is not that of the other; the table that is shown follows ----
    const both = await page.open(path, [{ path: tool }, { name: "bbv", parameters: { interval: 5000 } }]);
    const table = both.tables.find((one) => one.report === "times.out by all");
    await page.go(`${server.origin}/#/results?run=${both.id}&view=timeline&range=1-2`);
    await until("bbv's intervals", async () => (await said()).startsWith("intervals2to3of"), 60);
    await page.choose("series: times.out by all", "option");
    await until("the table's times", async () => (await said()).startsWith(`all${times.length}times:`), 60);
    check("choice", (await page.address()).includes(`time=${table.id}`) && (await page.address()).includes(`table=${table.id}`) && !(await page.address()).includes("range="), await page.address());
    await focus();
    await page.press(keys.Left);
    await until("the last time", async () => (await page.address()).includes(`range=${last}-${last}`), 60);
    await count(at(last).length);
    await page.looks("choice", [], [0, 3]);
    // Another table has all of its rows; the range stays that of the timeline's.
    await page.click("[role=tablist][aria-label=Tables] [role=tab]");
    await count(whole.rows.length);
    await page.quiet();
    await page.close();
    await server.stop();
});
