// screens: each screen, and each view of it, in a project that has something of everything: by keys alone, at both widths and in both colours;
// nothing serious for axe, nothing cut off, no sideways scrolling, no message, no request elsewhere. Its pictures are to be looked at.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { browse, check, equal, firstCount, keys, programs, scratch, size, testCase, until, workbench } from "../lib/webdriver.mjs";

const mine = `tool mine "entries and turns by procedure"
param int least = 1 "calls that are shown" check least > 0 "it must be positive"
counter calls[procs], turns[procs]
for p in procs {
    before p calls[p]++
    for l in p.loops { on back l turns[p]++ }
}
report "mine.out" for p in procs where calls[p] >= least "Procedure" p.name, "Calls" calls[p], "Turns" turns[p] display bars "Calls" by "Procedure"
`;

/** What the project has: runs of a program in C, in C++, with threads, of one that forks, of two builds; a campaign; a tool; saved things. */
async function fill(page) {
    const send = async (method, path, body) => {
        const { status, answer } = await page.evaluate(
            (how, to, sent) => fetch(`/api/v1${to}`, { method: how, headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent) }).then(async (got) => ({ status: got.status, answer: await got.json() })),
            method, path, body,
        );
        if (status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
        return answer;
    };
    const runs = {};
    const bzip2 = existsSync(join(programs, "bzip2"));
    const jobs = {
        main: { program: bzip2 ? "bzip2" : "queens", tools: [{ name: "hiprof" }, { name: "pixie", parameters: { instructions: true } }, { name: "branch" }, { name: "coverage" }], ...(bzip2 ? { arguments: ["-c"], input: { path: join(programs, "text") } } : {}) },
        shapes: { program: "shapes", tools: [{ name: "prof" }, { name: "dynmem" }] },
        kin: { program: "kin", tools: [{ name: "prof" }] },
        hostile: { program: 'a <b> & "c"', tools: [{ name: "callgraph" }] },
        before: { program: "before/walk", tools: [{ name: "hiprof" }, { name: "coverage", parameters: { tables: true } }] },
        after: { program: "after/walk", tools: [{ name: "hiprof" }, { name: "coverage", parameters: { tables: true } }] },
    };
    const ids = {};
    for (const [name, { program, ...job }] of Object.entries(jobs)) {
        ids[name] = (await send("POST", "/programs", { path: join(programs, program) })).id;
        runs[name] = (await send("POST", "/runs", { ...job, program: { path: join(programs, program) } })).id;
    }
    for (const [name, id] of Object.entries(runs)) equal(`filled/${name}`, (await page.finished(id)).state, "finished");
    await send("POST", "/presets", { tool: "cache", name: "little", parameters: { size: 1024, ways: 2 } });
    await send("POST", "/metrics", { name: "rows", formula: "SELECT run, sum(rows) AS rows FROM report GROUP BY run", unit: "rows", better: "lower" });
    await send("POST", "/views", { name: "where bzip2 spends its time", screen: "results", state: { run: String(runs.main), view: "flame" } });
    await send("PUT", "/sources/mine", { files: { "mine.atd": { text: mine, digest: null } }, description: "entries and turns" });
    const definition = { campaign: "Sizes of a cache", programs: [{ path: join(programs, "queens") }, { path: join(programs, "sums") }], tools: [{ name: "cache", parameters: { size: [1024, 4096, 16384], ways: [1, 2] } }] };
    await send("POST", "/campaigns", { name: "sizes", text: JSON.stringify(definition, null, 1) });
    await send("POST", "/campaigns/sizes/start", { jobs: 2 });
    await until("the campaign", () => page.evaluate(() => fetch("/api/v1/campaigns/sizes/status").then((got) => got.json()).then(({ live, runs: list }) => !live && list.every((run) => run.id > 0))), 240);
    return { runs, programs: ids };
}

await testCase(async () => {
    const server = await workbench(join(scratch, "project of Ann"));
    const page = await browse(server.address);
    await page.see("main h1");
    const { runs, programs: ids } = await fill(page);
    await page.reload();
    // From here on, keys only.
    const screen = async (key, selector) => {
        await page.press(keys.Escape);
        await page.evaluate(() => document.activeElement?.blur());
        await page.press(key);
        await page.see(selector);
    };
    const enter = async (selector, seen, most = 150) => {
        await page.see(selector);
        await page.reach(selector, most);
        await page.press(keys.Enter);
        if (seen) await page.see(seen);
    };
    /** A tab of a list, by the arrow keys, or, where each can be reached, by Tab. */
    const tab = async (list, title, seen) => {
        const css = `[role=tablist][aria-label="${list}"] [role=tab]`;
        await page.see(css);
        await page.reach(`${css}[aria-selected=true]`, 150);
        const current = () => page.evaluate((one) => document.querySelector(`${one}[aria-selected=true]`)?.textContent.trim(), css);
        for (let i = 0; i < 12 && !(await current()).startsWith(title); i++) {
            const before = await current();
            await page.press(keys.Right);
            await until(`another tab than ${before}`, async () => (await current()) !== before);
        }
        equal(`tab/${list}/${title}`, (await current()).startsWith(title), true);
        if (seen) await page.see(seen);
    };
    const result = async (name, seen) => {
        await screen("5", "main .runs-table tbody tr");
        await enter(`main .runs-table a[href="#/results?run=${runs[name]}"]`, seen);
    };

    const stops = [
        ["project", () => screen("1", ".runs-table tbody tr")],
        ["program", async () => (await screen("1", ".runs-table"), await enter(`a[href="#/program?program=${ids.main}"]`, "tr[data-procedure]"))],
        ["program-code", async () => (await page.reach(".procedures .list", 80), await page.press(keys.Down, keys.Enter), await page.see('.cm-content[aria-label="Disassembly"] .cm-line'), await page.see(".code-count .cm-gutterElement"))],
        ["program-graph", async () => (await enter('.procedure [role=tab]:last-of-type', ".graph-block"))],
        ["tools", () => screen("3", ".tools nav li")],
        ["tools-cache", () => enter('.tools nav a[href*="tool=cache"]', "pre.output")],
        ["tools-packages", async () => (await screen("3", ".tools nav li"), await enter('.tools nav a[href*="packages=1"]', '[aria-label="The tool"] table, [aria-label="The tool"] form'))],
        ["run", async () => (await screen("1", ".runs-table"), await enter(`a[href="#/run?program=${ids.main}"]`, "#run-tool"))],
        ["run-form", async () => (await page.options("#run-tool"), await page.reach("#run-tool"), await page.press("c"), await page.see(".chosen .form .field"))],
        ["run-finished", async () => (await screen("1", ".runs-table"), await page.evaluate((to) => (location.hash = to), `#/run?program=${ids.main}&run=${runs.main}`), await page.read("Finished", ".live"))],
        ["results", () => screen("5", "main .runs-table tbody tr")],
        ["results-flame", () => result("main", ".flame canvas[data-drawn]")],
        ["results-tree", () => tab("Pictures", "Tree", ".tree-table tbody tr")],
        ["results-sandwich", () => tab("Pictures", "Sandwich", ".sandwich-sides")],
        ["results-chart", () => tab("Pictures", "Chart", ".lower .chart svg")],
        ["results-coverage", () => tab("Pictures", "Coverage", ".coverage-table tbody tr")],
        ["results-facts", () => tab("Pictures", "Facts", "#lower-panel dl, #lower-panel table")],
        ["results-files", () => tab("Pictures", "Files", "#lower-panel a")],
        ["results-interleaved", () => tab("Code", "Interleaved", ".code .cm-line")],
        ["results-disassembly", () => tab("Code", "Disassembly", ".code .cm-line")],
        ["results-shapes", () => result("shapes", ".tables table.rows tbody tr")],
        ["results-graph", () => result("hostile", ".network-node")],
        ["results-processes", () => result("kin", "#process")],
        ["compare", async () => (await result("after", ".tables table.rows tbody tr"), await enter(`.results-head a[href^="#/compare"]`, ".compare-group tbody tr"))],
        ["compare-source", async () => (await page.reach('.compare-group tr[tabindex="0"]', 80), await page.press(keys.Enter), await tab("Code and pictures", "Source", ".compare-view .cm-line"))],
        ["compare-disassembly", () => tab("Code and pictures", "Disassembly", ".compare-view .cm-line")],
        ["compare-flame", () => tab("Code and pictures", "Flame graph", ".compare-view .flame canvas[data-drawn]")],
        ["compare-coverage", () => tab("Code and pictures", "Coverage", ".compare-lines tbody tr")],
        ["campaigns", () => screen("7", "table.plain tbody tr")],
        ["campaigns-form", () => enter('main a[href*="name=sizes"]', ".campaign-form")],
        ["campaigns-json", () => tab("Views of the definition", "JSON", ".cm-content")],
        ["campaigns-runs", () => tab("Parts of the campaign", "Runs", ".squares .square.done")],
        ["campaigns-tables", () => tab("Parts of the campaign", "Tables", "table.pivot td")],
        ["author", () => screen("8", "main")],
        ["author-mine", async () => (await enter('.author-own button', "#author-program"), await page.options("#author-program"), await page.reach("#author-program", 150), await page.press(keys.Down), await page.see(".author-program .code-sites .band"))],
        ["author-places", () => tab("What atomc says", "Places", ".author-matches tbody tr")],
        ["author-run", async () => (await page.reach("#author-arguments", 40), await page.press(keys.Enter), await page.see(".author-chart svg", 120))],
        ["sql", () => screen("9", ".sql-tables button")],
        ["sql-answer", async () => (await page.reach('select[aria-label="Examples"]', 150), await page.press(keys.Down), await page.see(".sql-answer tbody tr"))],
        ["help", () => screen("0", ".document h1")],
        ["help-workbench", async () => (await screen("?", ".document h1"), await page.see(".document img"))],
    ];
    const only = process.env.STOPS?.split(" "); // these alone, in this order
    for (const [at, [title, go]] of stops.entries()) {
        if (only && !only.includes(title)) continue;
        const failed = await go().then(() => null, (error) => error);
        check(`${title}-by-keys`, !failed, failed?.message);
        if (failed) await page.picture(`screens-${title}-failed`);
        if (failed) continue;
        if (title === "compare") equal("compare-whole", await firstCount(page), []);
        // In make check, one look of each, another one each time.
        await page.looks(title, [], size === "all" ? [0, 1, 2, 3] : [at % 4]);
    }
    await page.quiet();
    await page.close();
    await server.stop();
    check("stops", stops.length > 30, stops.length);
});
