// journeys: what an engineer, a researcher and an author come for, from the address, with clicks counted: a choice in a list is a click,
// typing and Enter are none. The teacher's is in questions.mjs.
import { join } from "node:path";
import { browse, check, equal, keys, programs, scratch, testCase, until, workbench } from "../lib/webdriver.mjs";

/** A page of a project of its own, whose clicks are counted. */
async function journey(name, most, body) {
    const server = await workbench(join(scratch, `project-${name}`));
    const page = await browse(server.address);
    let clicks = 0;
    const counted = {
        click: (selector) => ((clicks += 1), page.click(selector)),
        choose: (...words) => ((clicks += 1), page.choose(...words)),
        open: async (program) => {
            await page.see(".open input");
            await page.type(".open input", join(programs, program));
            await page.press(keys.Enter);
            await until(`${program} is opened`, async () => (await page.address()).startsWith("#/program"));
            await page.see(".code .code-share");
            await page.settled();
            // Without counts there is no column for them.
            const empty = await page.evaluate(() => [...document.querySelectorAll(".code .code-share")].map((one) => one.getBoundingClientRect().width));
            check(`${name}/no-empty-column`, empty.every((width) => width < 12), empty);
            await page.step(`${name}-program`);
        },
        screen: (title) => counted.click(`.rail a[href^="#/${title}"]`),
        ask: async (question) => {
            await counted.screen("project");
            await page.see(".card");
            await page.step(`${name}-questions`);
            await counted.choose(question, ".card strong");
            await page.see(".results", 600);
            await page.settled();
            await page.step(`${name}-answer`);
        },
    };
    await body(page, counted);
    await page.settled();
    await page.step(`${name}-end`);
    await page.looks(name);
    check(`${name}/clicks`, clicks > 0 && clicks <= most, clicks);
    console.log(`# ${name}: ${clicks} clicks of ${most}`);
    // A campaign's name that is not there is asked for.
    await page.quiet(/campaigns.* status of 404/);
    await page.close();
    await server.stop();
}

await testCase(async () => {
    // ---- the engineer: which call of a C++ program allocates; then a build before and after a change ----
    await journey("engineer", 8, async (page, { open, ask, click, choose }) => {
        await open("ledger");
        await ask("Who allocates?");
        const row = ".tables table.rows tbody tr";
        await until("rows", async () => (await page.texts(row)).length > 0, 240);
        await click(`${row} td`);
        await page.see(".lower .flame");
        // They are the linker's until the program's list of names has come.
        const names = await until("readable names", async () => {
            const shown = await page.texts(`${row} td:first-child`);
            return shown.length > 0 && shown.every((name) => !/_Z[NK0-9]/.test(name)) && shown;
        });
        check("engineer/names", names.some((name) => name.includes("ledger::")), names.join("\n"));
        await until("the code beside it", async () => ((await page.text(".results-code .procedure-name")) ?? "") !== "", 120);
        await page.step("engineer-row");
        await page.evaluate(() => (location.hash = "#/project"));
        await open("before/walk");
        await ask("Where is the time?");
        await page.evaluate(() => (location.hash = "#/project"));
        await open("after/walk");
        equal("engineer/programs", await page.texts(".chooser option"), ["after/walk", "before/walk", "ledger"]);
        await ask("Where is the time?");
        await choose("Compare", "a.button");
        await page.see(".compare-headline strong");
        const names_of = (side) => page.evaluate((css) => document.querySelector(css).selectedOptions[0].innerText, `#compare-${side}`);
        await until("programs of one name are told apart", async () => / · before\/walk · /.test(await names_of("a")) && / · after\/walk · /.test(await names_of("b")));
        const headline = await page.text(".compare-headline");
        check("engineer/headline", /B (executes|has) .*(fewer|more) instructions/.test(headline), headline);
    });

    // ---- the researcher: two programs and three sizes of a cache, as a chart ----
    await journey("researcher", 10, async (page, { screen, choose }) => {
        await page.see(".card");
        // Each list that is empty says so in the same way.
        await until("four reasons", async () => (await page.texts("main .notice > div:first-child")).length === 4);
        equal("researcher/empty", await page.texts("main .notice > div:first-child"), ["There is no program in this project yet.", "Nothing has been run yet.", "No screen has been saved yet.", "There is no campaign in this project yet."]);
        await page.step("researcher-begin");
        await screen("campaigns");
        await page.see("form.open input");
        await page.step("researcher-campaigns");
        await page.type("form.open input", "sizes");
        await page.press(keys.Enter);
        await page.see(".campaign-form");
        // Nothing is wrong yet.
        await page.read("First choose a program and a tool.", ".plan");
        check("researcher/nothing-wrong", (await page.texts(".wrong")).every((text) => text === ""), await page.texts(".wrong"));
        await page.step("researcher-form");
        for (const [at, name] of ["queens", "shapes"].entries()) {
            await choose("another file …", '[aria-label="Add a program"] option');
            await page.type(`[aria-label="Programs"] > .chosen:nth-of-type(${at + 1}) input.path`, join(programs, name));
        }
        const tool = await until("the tool cache", async () => (await page.texts('[aria-label="Add a tool"] option')).find((text) => text.startsWith("cache:")));
        await choose(tool, '[aria-label="Add a tool"] option');
        const cache = '[aria-label="Tool cache"]';
        const size = await until("the parameter size", async () => (await page.texts(`${cache} option`)).find((text) => text.startsWith("size:")));
        await choose(size, `${cache} option`);
        await page.see(`${cache} .parameter input`);
        await page.type(`${cache} .parameter input`, "1024 4096 16384");
        await page.read("6 runs", ".run-count");
        await page.step("researcher-filled");
        await choose("Run", ".engine button");
        await until("all runs are done", async () => (await page.evaluate(() => document.querySelectorAll(".squares a.square.done").length)) === 6);
        await page.step("researcher-runs");
        await choose("Tables and charts", "[role=tab]");
        await until("the chart", async () => (await page.evaluate(() => document.querySelectorAll(".panel svg [aria-label=dot] path").length)) === 6);
        const width = await page.evaluate(() => document.querySelector(".panel svg").getBoundingClientRect().width);
        check("researcher/chart-is-wide", width > 900, width);
    });

    // ---- the author: a page from a stub, its places, a run and a chart ----
    await journey("author", 6, async (page, { open, screen, choose, click }) => {
        await open("queens");
        await screen("author");
        await page.see(".stub");
        await page.step("author-stubs");
        await click(".stub");
        await until("places are counted", async () => Number(((await page.text(".author-count")) ?? "").replace(/\D/g, "")) > 0);
        await page.step("author-places");
        await choose("Run", ".author-run button");
        await page.see(".author .tables table.rows tbody tr, .author table.rows tbody tr", 240);
    });
});
