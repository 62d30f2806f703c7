// questions: from the address to the answer by clicks that are counted: the example, without a program; then a program of one's own.
import { join } from "node:path";
import { browse, check, equal, keys, programs, testCase, until, workbench } from "../lib/webdriver.mjs";

const plain = (text) => (text ?? "").replace(/[\u2009 ]/g, "");

await testCase(async () => {
    const server = await workbench();
    const page = await browse(server.address);
    let clicks = 0;
    const click = async (selector) => ((clicks += 1), page.click(selector));
    const choose = async (...words) => ((clicks += 1), page.choose(...words));
    const ask = (question) => choose(question, ".card strong");
    const api = (path) => page.evaluate((to) => fetch(`/api/v1${to}`).then((answer) => answer.json()), path);
    const shown = () => page.see(".results", 600);
    const project = async () => {
        await page.click('.rail a[href^="#/project"]');
        await page.see(".card");
    };
    /** Numbers beside the lines of the source: { LINE: TEXT }. */
    const beside = () =>
        page.evaluate(() => {
            const editor = document.querySelector('.results-code .cm-content[aria-label="Source"]')?.closest(".cm-editor");
            if (!editor) return {};
            const all = (css) => [...editor.querySelectorAll(`${css} .cm-gutterElement`)].filter((one) => getComputedStyle(one).visibility !== "hidden").map((one) => ({ top: Math.round(one.getBoundingClientRect().top), text: one.innerText.trim() })).filter(({ text }) => text !== "");
            const lines = new Map(all(".code-line").map(({ top, text }) => [top, text]));
            return Object.fromEntries(all(".code-count").map(({ top, text }) => [lines.get(top), text]));
        });

    // ---- the teacher: misses beside the lines of the example ----
    await page.see(".card");
    equal("questions", await page.texts(".card strong"), ["Where is the time?", "Which lines miss the cache?", "What never ran?", "Who allocates?", "Is memory used wrongly?"]);
    await page.looks("first");
    await page.step("teacher-begin");
    await page.documented("questions");
    await ask("Which lines miss the cache?");
    await shown();
    await until("misses beside the lines", async () => Object.keys(await beside()).length > 0, 120);
    await page.settled();
    check("example/clicks", clicks <= 4, clicks);
    console.log(`# clicks to misses beside the lines of the example: ${clicks}`);
    const [row] = await page.evaluate(() => [...document.querySelectorAll(".tables table.rows tbody tr")].map((one) => [...one.cells].map((cell) => cell.innerText)));
    const line = /questions\.c:(\d+)$/.exec(row[1])?.[1];
    check("example/busiest-line", row[0] === "by_columns" && line, row);
    await page.read("Misses by place", ".lower");
    equal("example/misses", plain((await beside())[line]), plain(row[3]));
    await page.looks("cache");
    await page.step("teacher-lines");

    // ---- the other questions about it: the program is there ----
    const expected = {
        "Where is the time?": async () => {
            await page.see(".lower .flame");
            const [top] = await page.evaluate(() => [...document.querySelectorAll(".tables table.rows tbody tr")].map((one) => [...one.cells].map((cell) => cell.innerText)));
            check("time/busiest", top.includes("by_columns"), top);
            await until("instructions beside the lines", async () => Object.keys(await beside()).length > 0, 120);
        },
        "What never ran?": async () => {
            await page.read("questions.c", ".lower");
            await page.read("by_rows", ".lower tr[aria-selected=true]");
            await page.read("by_rows", ".results-code .procedure-name");
            const left = await page.evaluate(() => [...document.querySelectorAll(".coverage-bar")].map((one) => Math.round(one.getBoundingClientRect().left)));
            check("coverage/bars-in-a-column", left.length > 5 && new Set(left).size === 1, left);
        },
        "Who allocates?": async () => {
            await page.see(".lower .flame");
            await page.read("add_word", ".results-code .procedure-name");
        },
        "Is memory used wrongly?": async () => {
            await page.read("write outside a block", ".tables tbody");
            await page.read("leak", ".tables tbody");
        },
    };
    for (const [question, answer] of Object.entries(expected)) {
        await project();
        await ask(question);
        await shown();
        await answer();
        await page.settled();
        await page.looks(question.toLowerCase().replace(/[^a-z]+/g, "-").replace(/-$/, ""), [], [0, 3]);
    }
    equal("one-program", (await api("/programs")).programs.map((one) => one.name), ["questions"]);
    // The same question again has the same run.
    const { runs } = await api("/runs");
    equal("runs", runs.length, 5);
    await project();
    await ask("What never ran?");
    await shown();
    equal("same-run", (await api("/runs")).runs.length, 5);

    // ---- a program of one's own, with arguments ----
    await page.click('.rail a[href^="#/project"]');
    clicks = 0;
    await page.type(".open input", join(programs, "matrix"));
    await page.press(keys.Enter);
    await until("matrix is opened", async () => (await page.address()).startsWith("#/program"));
    await click('.rail a[href^="#/project"]');
    await page.see(".card");
    equal("own/is-chosen", await page.evaluate(() => document.querySelector(".questions select").selectedOptions[0].innerText), "matrix");
    await page.type(".questions input", "rows");
    await ask("Which lines miss the cache?");
    await shown();
    await until("misses beside the lines", async () => Object.keys(await beside()).length > 0, 120);
    check("own/clicks", clicks <= 4, clicks);
    console.log(`# clicks to misses beside the lines of a program that is typed: ${clicks}`);
    equal("own/arguments", (await api(`/runs/${/run=(\d+)/.exec(await page.address())[1]}`)).arguments, ["rows"]);
    await page.quiet();
    await page.close();
    await server.stop();
});
