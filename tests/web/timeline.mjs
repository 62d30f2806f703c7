// timeline: bbv's intervals as a timeline, whose chosen range is a table of procedures. prof has the same counts of the whole run.
import { join } from "node:path";
import { browse, check, equal, keys, plain, programs, testCase, until, workbench } from "../lib/webdriver.mjs";

await testCase(async () => {
    const server = await workbench();
    const page = await browse(server.address);
    await page.see("main h1");
    const api = page.api;
    const rows = () => page.evaluate(() => [...document.querySelectorAll(".timeline tbody tr")].map((row) => [row.cells[0].querySelector("[title]")?.title.split("\n").at(-1) ?? row.cells[0].innerText.trim(), row.cells[1].innerText, row.cells[3].innerText]));
    const open = async (name, interval, others = {}) => {
        const { id, run, tables } = await page.open(join(programs, name), [{ name: "bbv", parameters: { interval } }, { name: "prof" }], others);
        const counted = await api(`/tables/${tables[0].id}/rows?sort=-1&limit=200`);
        const file = run.artifacts.find((one) => one.name === "bbv.out");
        const text = await page.evaluate((to) => fetch(to).then((answer) => answer.text()), `/api/v1/runs/${id}/files/${encodeURIComponent(file.path)}`);
        const sums = text.split("\n").filter((line) => line.startsWith("T")).map((line) => [...line.matchAll(/:\d+:(\d+)/g)].reduce((all, [, count]) => all + Number(count), 0));
        await page.go(`${server.origin}/#/results?run=${id}&view=timeline`);
        await page.see(".timeline tbody tr");
        // Of the whole run, the counts of each procedure are those of prof, and nothing is a block without a procedure.
        await until(`${name}: all rows`, async () => (await rows()).length === Math.min(200, counted.total ?? counted.rows.length), 120);
        const found = (await rows()).map(([, count]) => Number(plain(count)));
        equal(`${name}/as-prof`, found, counted.rows.map((row) => row[1]).slice(0, found.length));
        check(`${name}/no-block`, (await rows()).every(([shown]) => !/^block \d+$/.test(shown)), (await rows()).filter(([shown]) => /^block/.test(shown)));
        return { id, sums };
    };
    const said = async () => plain(await page.text(".timeline-said span"));
    const queens = await open("queens", 5000);
    const all = queens.sums.reduce((one, other) => one + other, 0);
    equal("whole", await said(), `all${queens.sums.length}intervals:instructions1to${all}of${all}`);
    await page.looks("all");

    // ---- by keys: the first interval, the second, both of the second and the third ----
    await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector(".timeline-columns")).focus());
    await page.press(keys.Right);
    await until("the first interval", async () => (await page.address()).includes("range=0-0"), 60);
    await page.press(keys.Right, `Shift+${keys.Right}`);
    await until("two intervals", async () => (await page.address()).includes("range=1-2"), 60);
    const [first, second, third] = queens.sums;
    await until("what is said", async () => (await said()) === `intervals2to3of${queens.sums.length}:instructions${first + 1}to${first + second + third}of${all}`, 60);
    const two = await rows();
    equal("range/sum", two.reduce((sum, [, count]) => sum + Number(plain(count)), 0), second + third);
    check("range/less", two.some(([, count, whole]) => Number(plain(count)) < Number(plain(whole))), two);
    await page.looks("range", [], [0, 3]);
    // By the address, by a click on a procedure, and back to all.
    await page.go(`${server.origin}/#/results?run=${queens.id}&view=timeline&range=1-2`);
    await until("the same range", async () => JSON.stringify(await rows()) === JSON.stringify(two), 60);
    await page.click(".timeline tbody button");
    await until("the procedure is chosen", async () => (await page.address()).includes(`name=${two[0][0]}`), 60);
    await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector(".timeline-columns")).focus());
    await page.press(keys.Escape);
    await until("all again", async () => !(await page.address()).includes("range="), 60);

    // ---- libraries: blocks are numbered over all objects; many intervals are few columns ----
    const words = await open("words-dynamic", 1000, { objects: "all" });
    const columns = await page.evaluate(() => [Number(/** @type {HTMLElement} */ (document.querySelector(".timeline-columns")).dataset.drawn), document.querySelectorAll(".timeline-columns rect").length]);
    check("columns", words.sums.length > 3000 && columns[0] < 500 && columns[1] <= 8 * columns[0], `${words.sums.length} intervals, ${columns}`);
    await page.looks("c++", [], [0, 3]);
    await page.quiet();
    await page.close();
    await server.stop();
});
