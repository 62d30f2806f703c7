// scrolled: what a row is about, and the titles of the columns, stay when a table is scrolled, to the right and down, in each kind of table.
import { join } from "node:path";
import { browse, check, equal, keys, programs, testCase, until, workbench } from "../lib/webdriver.mjs";

/**
 * Scrolls to the end in both directions. Of the table's titles and of the cells `name` of rows that are in view: how many there are, and
 * those that are not drawn whole where they have to be, or through which something can be seen.
 */
const scrolled = (page, table, name) =>
    page.evaluate(
        (css, nth) => {
            const found = document.querySelector(css);
            let frame = found.parentElement;
            while (frame && !(frame.scrollWidth > frame.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(frame).overflowX))) frame = frame.parentElement;
            if (!frame) return { is_wide: false };
            frame.scrollTo(frame.scrollWidth, frame.scrollHeight);
            const outer = frame.getBoundingClientRect();
            const wrong = [];
            // What is drawn at a cell's ends is the cell itself.
            const whole = (cell, what) => {
                const box = cell.getBoundingClientRect();
                const middle = (box.top + box.bottom) / 2;
                const at = (x, y) => cell.contains(document.elementFromPoint(x, y));
                if (!at(box.left + 2, middle) || !at(Math.min(box.right, outer.right) - 3, middle)) wrong.push(`${what} is covered: ${cell.innerText}`);
                if (box.left < outer.left - 1 || box.left > outer.left + 24) wrong.push(`${what} is at ${box.left - outer.left}: ${cell.innerText}`);
                for (let one = cell; one; one = one.parentElement) {
                    const colour = getComputedStyle(one).backgroundColor;
                    if (one.tagName !== "TD" && one.tagName !== "TH" && one.tagName !== "TR" && one.tagName !== "THEAD") {
                        wrong.push(`${what} has no background: ${cell.innerText}`);
                        break;
                    }
                    if (/^rgb\(/.test(colour)) break;
                }
            };
            const head = found.tHead.getBoundingClientRect();
            const titles = found.tHead.rows[0].cells;
            if (titles[0].getBoundingClientRect().top < outer.top - 1) wrong.push(`the titles are at ${titles[0].getBoundingClientRect().top - outer.top}`);
            whole(titles[nth], "a title");
            if (found.tFoot && getComputedStyle(found.tFoot.rows[0]).backgroundColor !== getComputedStyle(found.tFoot.rows[0].cells[0]).backgroundColor) wrong.push("the sums have several colours");
            const foot = found.tFoot ? found.tFoot.getBoundingClientRect().top : outer.bottom;
            const rows = [...found.tBodies[0].rows].filter((row) => row.getBoundingClientRect().top >= Math.max(outer.top, titles[nth].getBoundingClientRect().bottom) - 1 && row.getBoundingClientRect().bottom <= Math.min(outer.bottom - 12, foot) + 1);
            for (const row of rows) whole(row.cells[nth], "a name");
            return { is_wide: true, moved: frame.scrollLeft > 0, rows: rows.length, wrong, head: head.height > 0 };
        },
        table,
        name,
    );

await testCase(async () => {
    const server = await workbench();
    const page = await browse(server.address);
    await page.see("main h1");
    const api = page.api;
    const path = join(programs, "ledger");
    const { id } = await page.open(path, [{ name: "dynmem" }]);
    const { id: other } = await page.open(path, [{ name: "dynmem" }], { arguments: ["7"] });
    const looks = [1280, 1600].flatMap((width) => [false, true].map((dark) => ({ width, height: 800, dark })));
    /** In all widths and colours; where it is not wider than its frame, there is nothing to scroll. */
    const stays = async (what, table, name, least) => {
        let wide = 0;
        await page.see(`${table} tbody tr`);
        for (const look of looks) {
            await page.look(look);
            await page.settled();
            const found = await scrolled(page, table, name);
            if (!found.is_wide) continue;
            wide++;
            check(`${what}/${look.width}${look.dark ? "-dark" : ""}`, found.moved && found.rows > 0 && found.wrong.length === 0, found);
        }
        check(`${what}/wide`, wide >= least, wide);
        await page.look(looks[0]);
    };

    // ---- a table of a run: the procedure ----
    await page.go(`${server.origin}/#/results?run=${id}`);
    await stays("results", ".tables table.rows", 0, 2);
    // A row that is chosen is wider than its frame: nothing moves sideways, neither by a click nor by keys, and it is scrolled into view.
    await page.evaluate(() => document.querySelector(".tables .table-scroll").scrollTo(0, 0));
    const row = (nth) => page.evaluate((at) => ((one) => (({ top, bottom, left }) => [left + 12, (top + bottom) / 2])(one.getBoundingClientRect()))(document.querySelectorAll(".tables table.rows tbody tr")[at]), nth);
    const moved = () => page.evaluate(() => document.querySelector(".tables .table-scroll").scrollLeft);
    const chosen = () => page.evaluate(() => document.activeElement.getAttribute("aria-rowindex"));
    for (const [wanted, act] of [["3", async () => page.drag(await row(2), await row(2))], ["4", () => page.press(keys.Down)], ["1", () => page.press(keys.Home)]]) {
        await act();
        equal(`chosen/${wanted}`, [await until("a row has the focus", chosen), await moved()], [wanted, 0]);
    }
    // Its name is not the first column: it stays at the left when what is before it has gone.
    const { id: blocks } = await page.open(path, [{ name: "pixie" }]);
    await page.go(`${server.origin}/#/results?run=${blocks}&wide=25`);
    await stays("results/later", ".tables table.rows", 4, 4);
    equal("results/later/name", (await page.texts(".tables th.stuck")).length, 1);
    // ---- Compare: the procedure, not the state before it ----
    await page.go(`${server.origin}/#/compare?a=${id}&b=${other}&threshold=0&wide=30`);
    await page.see(".compare-group table.rows th.stuck");
    const at = await page.evaluate(() => [...document.querySelector(".compare-group table.rows thead tr").cells].findIndex((cell) => cell.innerText.trim() === "Procedure"));
    await stays("compare", ".compare-group table.rows", at, 2);
    // ---- an answer in SQL ----
    const columns = Array.from({ length: 40 }, (_, number) => `number * ${number} AS "a column ${number}"`).join(", ");
    await page.go(`${server.origin}/#/sql?text=${encodeURIComponent(`WITH RECURSIVE n(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM n WHERE number < 60) SELECT ${columns} FROM n`)}&asked=1`);
    await stays("sql", 'table[aria-label="Answer"]', 0, 4);
    // ---- the list of runs, with a column for each metric ----
    for (let number = 0; number < 9; number++) await api("/metrics", { name: `a metric with a long name ${number}`, formula: `SELECT id AS run, id * ${number} AS value FROM run`, unit: "" });
    await page.go(`${server.origin}/#/results`);
    await page.read("a metric with a long name 8");
    await stays("runs", ".runs-table table", 0, 4);
    await page.quiet();
    await page.close();
    await server.stop();
});
