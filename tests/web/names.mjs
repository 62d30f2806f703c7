// names: names of several hundred letters, as templates have them, and names of files: they leave room for the numbers, say what
// differs, and are whole where they are pointed at.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { browse, equal, programs, run as execute, scratch, testCase, until, workbench } from "../lib/webdriver.mjs";

const long = "a_program_whose_name_is_much_longer_than_the_names_of_other_programs_of_version_3.14.15-rc1_with_debugging";

await testCase(async () => {
    copyFileSync(join(programs, "queens"), join(scratch, long));
    const server = await workbench();
    const page = await browse(server.address);
    await page.see("main h1");
    const send = (path, body) => page.evaluate((to, sent) => fetch(`/api/v1${to}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent) }).then((answer) => answer.json()), path, body);
    const run = async (path, tool, words = []) => {
        await send("/programs", { path });
        const { id } = await send("/runs", { program: { path }, tools: [{ name: tool }], arguments: words });
        equal(`runs/${tool}-${id}`, (await page.finished(id)).state, "finished");
        return id;
    };
    const a = await run(join(programs, "before/words"), "hiprof", ["300"]);
    const b = await run(join(programs, "words"), "hiprof", ["300"]);
    await run(join(scratch, long), "prof", ["--level=17", "/home/ann/inputs/the-largest-one/of-all.txt"]);

    // ---- Project: one bar at most, and no column that is cut ----
    await page.go(`${server.origin}/#/project`);
    await page.reload(); // lists of other windows
    await page.see(".runs-table tbody tr");
    await page.settled();
    for (const width of [1280, 1600]) {
        await page.look({ width });
        await page.settled();
        equal(`project/nested-${width}`, await page.nested(), []);
        equal(`project/sideways-${width}`, await page.evaluate(() => [...document.querySelectorAll(".body, .runs-table")].filter((one) => one.scrollWidth > one.clientWidth).map((one) => `${one.className}: ${one.scrollWidth} of ${one.clientWidth}`)), []);
    }
    await page.look({ width: 1280 });
    await page.looks("project", [], [0]);

    // ---- Tree and Sandwich: the numbers are seen, and each name has a text of its own that begins with the name ----
    const wrong = (selector, name) =>
        page.evaluate(
            (rows, named) => {
                const found = [];
                const texts = new Map();
                for (const row of document.querySelectorAll(rows)) {
                    const pane = row.closest(".body").getBoundingClientRect();
                    const last = [...row.cells].map((one) => one.getBoundingClientRect()).findLast((box) => box.width > 0);
                    if (last.right > pane.right || last.left < pane.left) found.push(`${row.innerText.slice(0, 40)}: ${Math.round(last.right - pane.right)} px`);
                    const cell = row.querySelector(named);
                    if (!cell) continue;
                    const text = cell.textContent.trim();
                    const whole = cell.title.split("\n")[0];
                    if (/^(void|long|bool|int|char) |_Z|std::char_traits<char>/.test(text)) found.push(text);
                    if (/_Z/.test(whole)) found.push(`title: ${cell.title.slice(0, 60)}`);
                    if ((texts.get(text) ?? whole) !== whole) found.push(`two names are ${text}`);
                    texts.set(text, whole);
                }
                return [...found, ...(texts.size > 3 ? [] : [`${texts.size} names`])];
            },
            selector,
            name,
        );
    const widths = [[1280, 800], [1600, 1000]];
    for (const [width, height] of widths) {
        await page.look({ width, height });
        await page.go(`${server.origin}/#/results?run=${b}&view=tree`);
        await page.read("measure<std::unordered_map<…>>", ".tree-table");
        equal(`tree-${width}`, await wrong(".tree-table tbody tr", "[data-brief]"), []);
        equal(`table-${width}`, (await wrong(".tables tbody tr", "td.text")).filter((one) => !/px$/.test(one)), []);
        await page.picture(`names-tree-${width}`);
        await page.evaluate((to) => (location.hash = to), `#/results?run=${b}&view=sandwich&name=main`);
        await page.see(".sandwich tbody tr");
        await page.read("measure<std::unordered_map<…>>", ".sandwich");
        await page.settled();
        equal(`sandwich-${width}`, await wrong(".sandwich tbody tr", "[data-brief]"), []);
        await page.picture(`names-sandwich-${width}`);
        await page.evaluate((to) => (location.hash = to), `#/results?run=${b}&view=flame`);
        await page.see(".flame canvas");
        await page.settled();
        await page.picture(`names-flame-${width}`);
        await page.go(`${server.origin}/#/program?program=2`);
        await page.read("measure<std::unordered_map<…>>", ".procedures");
        equal(`program-${width}`, await wrong(".procedures tbody tr[data-procedure]", "[data-brief]"), []);
        await page.read("main", ".procedure .what");
        await page.picture(`names-program-${width}`);
    }

    // ---- Compare: names of both builds, also in the heading; other clones of a procedure are no new procedure ----
    await page.go(`${server.origin}/#/compare?a=${a}&b=${b}&view=source`);
    await page.see(".compare-group tbody tr");
    await page.read("measure<std::", ".compare-group");
    for (const [width, height] of widths) {
        await page.look({ width, height });
        await until("each name is readable", async () => !/_Z/.test(await page.text(".compare")));
        equal(`compare-${width}`, (await wrong(".compare-group tbody tr", "td.text[title*='(']")).filter((one) => !/px$/.test(one)), []);
        await page.choose("measure<std::map<…>>", ".compare-group td");
        await page.read("measure<std::map<…>>", ".compare-code-head strong");
        equal(`heading-${width}`, await page.evaluate(() => [...document.querySelectorAll(".compare-code-head strong")].map((one) => [one.textContent, one.scrollWidth <= one.clientWidth, /^long measure</.test(one.title)])), [["measure<std::map<…>>", true, true]]);
        await page.settled();
        await page.picture(`names-compare-${width}`);
    }
    // Of two builds that only have different clones of a procedure, the rows of the clones are one.
    for (const [name, clone] of [["one", "search.constprop.0"], ["two", "search.isra.0"]]) await execute("alpha-linux-gnu-objcopy", ["--redefine-sym", `search=${clone}`, join(programs, name === "one" ? "before/walk" : "after/walk"), join(scratch, name)]);
    const [one, two] = [await run(join(scratch, "one"), "prof"), await run(join(scratch, "two"), "prof")];
    const answers = await page.evaluate((first, second) => Promise.all(["more", "less", "other"].map((group) => fetch(`/api/v1/compare/rows?a=${first}&b=${second}&table=0&threshold=0&group=${group}&limit=1000`).then((answer) => answer.json()))), one, two);
    const clones = answers.flatMap(({ columns, rows }) => rows.map((row) => ["State", "Procedure"].map((title) => row[columns.findIndex((column) => column.title === title)]))).filter(([, name]) => name.startsWith("search."));
    equal("clones", clones.map(([state]) => /new|gone/.test(state ?? "")), [false]);
    await page.look({ width: 1280 });
    await page.quiet();
    await page.close();
    await server.stop();
});
