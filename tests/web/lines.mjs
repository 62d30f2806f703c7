// lines: counts beside the source line, for each tool that knows places, though its rows are written by C: the numbers are those of
// the rows. A run without them has them after one click.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { browse, check, equal, programs, testCase, until, workbench } from "../lib/webdriver.mjs";

const source = readFileSync(new URL("programs/matrix.c", import.meta.url), "utf8").split("\n");
const plain = (text) => (text ?? "").replace(/[\u2009 ]/g, "");

await testCase(async () => {
    const server = await workbench();
    const page = await browse(server.address);
    await page.see("main h1");
    const api = page.api;
    const path = join(programs, "matrix");
    const { id: program } = await api("/programs", { path });
    const run = async (tool, parameters) => {
        const { id, error } = await api("/runs", { program: { path }, tools: [{ name: tool, parameters }] });
        equal(`${tool}/asked`, error, undefined);
        equal(`${tool}/state`, (await page.finished(id)).state, "finished");
        return id;
    };
    /** Numbers beside the lines of the source: { LINE: TEXT }. */
    const beside = () =>
        page.evaluate(() => {
            const editor = document.querySelector('.results-code .cm-content[aria-label="Source"]')?.closest(".cm-editor");
            if (!editor) return {};
            // A gutter has elements only for the rows that have something in it: they belong together by their places.
            const all = (css) => [...editor.querySelectorAll(`${css} .cm-gutterElement`)].filter((one) => getComputedStyle(one).visibility !== "hidden").map((one) => ({ top: Math.round(one.getBoundingClientRect().top), text: one.innerText.trim() })).filter(({ text }) => text !== "");
            const lines = new Map(all(".code-line").map(({ top, text }) => [top, text]));
            return Object.fromEntries(all(".code-count").map(({ top, text }) => [lines.get(top), text]));
        });
    /** The counts of lines of the program's own source: what the rows say. */
    const rowsOf = async (id, tool, title) => {
        const { tables } = await api(`/runs/${id}/tables`);
        const table = tables.find((one) => one.tool === tool && one.columns.some((column) => column.attribute === "inst.line"));
        const at = (test) => table.columns.findIndex(test);
        const [file, line, count, source] = [at(({ attribute }) => attribute === "inst.file"), at(({ attribute }) => attribute === "inst.line"), at((column) => column.title === title), at((column) => column.title === "Source")];
        const { rows } = await api(`/tables/${table.id}/rows?limit=10000`);
        const own = rows.filter((row) => /matrix\.c$/.test(row[file] ?? ""));
        check(`${tool}/places`, own.length > 0 && own.every((row) => row[source] === `${row[file]}:${row[line]}`), own[0]);
        const sums = new Map();
        for (const row of own) if (row[line] > 0) sums.set(String(row[line]), (sums.get(String(row[line])) ?? 0) + row[count]);
        return { table: table.id, column: count, sums: Object.fromEntries(sums) };
    };
    for (const [tool, title] of [["cache", "Misses"], ["dtb", "Misses"], ["icache", "References"]]) {
        const id = await run(tool, { lines: true });
        const { table, column, sums } = await rowsOf(id, tool, title);
        await page.go(`${server.origin}/#/results?run=${id}&table=${table}&metric=${table}.${column}&sort=-${column}`);
        await until(`${tool}: counts beside the source`, async () => Object.keys(await beside()).length > 0, 120);
        await page.settled();
        const seen = await beside();
        equal(`${tool}/beside`, Object.fromEntries(Object.entries(seen).map(([line, text]) => [line, plain(text)])), Object.fromEntries(Object.entries(sums).filter(([line]) => line in seen).map(([line, count]) => [line, String(count)])));
        const [busiest] = Object.entries(sums).sort((left, right) => right[1] - left[1]);
        check(`${tool}/busiest`, busiest[0] in seen, { busiest, seen });
        equal(`${tool}/no-notice`, await page.texts(".results-code .notice"), []);
        // A click on a row leads to its line.
        await page.choose(`matrix.c:${busiest[0]}`, ".tables td");
        await until(`${tool}: the line is marked`, () => page.evaluate((line) => document.querySelector('.results-code .cm-content[aria-label="Source"] .code-selected')?.innerText.trim() === line, source[busiest[0] - 1].trim()), 60);
        if (tool === "cache") await page.looks("cache");
    }

    // ---- one click from a run that has no lines to one that has ----
    for (const tool of ["cache", "hiprof"]) {
        const id = await run(tool, {});
        await page.go(`${server.origin}/#/results?run=${id}`);
        await page.see(".count-at-lines");
        if (tool === "cache") await page.looks("without");
        await page.evaluate(() => document.querySelector(".count-at-lines").click());
        await until("another run's results", async () => !(await page.address()).includes(`run=${id}&`) && /run=\d+/.test(await page.address()) && (await page.evaluate(() => Boolean(document.querySelector(".tables [role=tab]")))), 240);
        await page.see(".tables table.rows tbody tr", 120);
        if (tool === "hiprof") await page.evaluate(() => [...document.querySelectorAll(".tables tbody td:first-child")].find((one) => /^(main|by_columns)$/.test(one.innerText.trim())).click());
        await until(`counts after ${tool}`, async () => Object.keys(await beside()).length > 0, 120);
        const shown = Number(/run=(\d+)/.exec(await page.address())[1]);
        const { tools } = await api(`/runs/${shown}`);
        check(`${tool}/both`, tools.some((one) => one.name === tool), tools.map((one) => one.name));
    }
    check("program", program > 0);
    await page.quiet();
    await page.close();
    await server.stop();
});
