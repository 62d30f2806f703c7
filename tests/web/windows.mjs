// windows: what the pages make of things that are already there: lists follow other windows, a run's form comes back, a run without an
// earlier one has nobody to be compared with, and a program's own procedures are first.
import { join } from "node:path";
import { browse, check, equal, programs, testCase, until, workbench } from "../lib/webdriver.mjs";

await testCase(async () => {
    const server = await workbench();
    const page = await browse(server.address);
    await page.see("main h1");
    // As another browser would: api.js of this page does not know of it.
    const send = (path, body) => page.evaluate((to, sent) => fetch(`/api/v1${to}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent) }).then((answer) => answer.json()), path, body);
    const listed = () => page.texts(".pane[aria-label=Programs] tbody tr td:first-child");

    // ---- lists follow ----
    await page.read("There is no program in this project yet.");
    await send("/programs", { path: join(programs, "queens") });
    await page.evaluate(() => void dispatchEvent(new Event("focus")));
    await until("the list has what another browser opened", async () => (await listed()).join() === "queens", 60);
    await send("/programs", { path: join(programs, "after/walk") });
    await send("/programs", { path: join(programs, "before/walk") });
    await page.evaluate(() => void new BroadcastChannel("atomc").postMessage("changed"));
    await until("the list has what another window opened", async () => (await listed()).includes("walk"), 60);
    await page.evaluate(() => {
        globalThis.heard = 0;
        new BroadcastChannel("atomc").onmessage = () => globalThis.heard++;
    });
    await page.type(".open input", join(programs, "spin"));
    await page.choose("Open", ".open button");
    await until("the program is opened", async () => (await page.address()).startsWith("#/program"));
    await until("other windows are told", () => page.evaluate(() => globalThis.heard > 0), 60);

    // ---- a program's own procedures are first ----
    await page.see(".procedures tr[data-procedure] a");
    const { rows } = await page.evaluate(() => fetch("/api/v1/programs/1/procedures?limit=10000").then((answer) => answer.json()));
    const own = rows.filter((row) => row.file).length;
    check("own-first", own > 0 && rows.slice(0, own).every((row) => row.file) && rows[0].name !== "_init", { own, first: rows[0] });

    // ---- a run's form ----
    const { id } = await send("/runs", { program: { path: join(programs, "queens") }, tools: [{ name: "cache", parameters: { size: 4096, lines: true } }], arguments: ["5", "a b"], input: { path: join(programs, "queens") }, environment: { COLOUR: "deep blue" }, limits: { seconds: 90 } });
    equal("state", (await page.finished(id)).state, "finished");
    await page.go(`${server.origin}/#/results?run=${id}`);
    await page.choose("Run", ".results-head a");
    await page.see("#run-arguments");
    await until("the form is filled", async () => (await page.texts(".chosen h3")).join() === "cache");
    const { program } = await page.evaluate((number) => fetch(`/api/v1/runs/${number}`).then((answer) => answer.json()), id);
    const fields = () => page.evaluate(() => Object.fromEntries([...document.querySelectorAll("main input, main select")].filter((one) => one.id).map((one) => [one.id.replace(/.*-/, ""), one.type === "checkbox" ? one.checked : one.value])));
    const found = await fields();
    equal("form", [found.program, found.arguments, found.input, found.environment, found.seconds], [String(program), "5 'a b'", join(programs, "queens"), "'COLOUR=deep blue'", "90"]);
    await page.read(`As run ${id}`, ".same");

    // ---- nobody to compare with ----
    await page.go(`${server.origin}/#/compare?b=${id}`);
    await page.read("There is one run only");
    const { id: other } = await send("/runs", { program: { path: join(programs, "spin") }, tools: [{ name: "prof" }], limits: { seconds: 2 } });
    await page.finished(other);
    await page.reload();
    await page.read(`There is no run before run ${id} with the same program and tool.`);
    equal("no-error", await page.texts(".notice.error"), []);

    // ---- an answer that comes late does not lead back to a run that the user has left ----
    const covered = await send("/runs", { program: { path: join(programs, "after/walk") }, tools: [{ name: "coverage", parameters: { tables: true } }] });
    equal("covered", (await page.finished(covered.id)).state, "finished");
    for (const [left, to] of Object.entries({ screen: "#/project", run: `#/results?run=${id}` })) {
        await page.evaluate(() => {
            globalThis.fetchNow ??= globalThis.fetch;
            globalThis.held = [];
            globalThis.fetch = (path, options) => (/\/procedures\?find=/.test(path) ? new Promise((done) => globalThis.held.push(() => done(globalThis.fetchNow(path, { ...options, signal: undefined })))) : globalThis.fetchNow(path, options));
        });
        await page.evaluate((there) => (location.hash = there), `#/results?run=${covered.id}&view=coverage`);
        await until("the page asks for a procedure", () => page.evaluate(() => globalThis.held.length > 0));
        await page.evaluate((there) => (location.hash = there), to);
        await page.see(left === "screen" ? ".card" : `.results-head a[href="#/compare?b=${id}"]`);
        await page.evaluate(async () => {
            globalThis.fetch = globalThis.fetchNow;
            globalThis.held.forEach((go) => go());
            await globalThis.fetchNow("/api/v1/project"); // asked after them
        });
        await page.settled();
        const there = await page.address();
        check(`late/${left}`, left === "screen" ? there === to : there.startsWith(to), there);
    }

    // ---- what is chosen first does not depend on which answer comes first: a run with tables and a file of coverage ----
    const both = await send("/runs", { program: { path: join(programs, "after/walk") }, tools: [{ name: "hiprof" }, { name: "coverage" }] });
    equal("both", (await page.finished(both.id)).state, "finished");
    await page.evaluate(() => {
        globalThis.held = [];
        globalThis.asked = [];
        globalThis.fetch = (path, options) => {
            globalThis.asked.push(path);
            return /\/runs\/\d+\/tables/.test(path) ? new Promise((done) => globalThis.held.push(() => done(globalThis.fetchNow(path, options)))) : globalThis.fetchNow(path, options);
        };
    });
    await page.evaluate((there) => (location.hash = there), `#/results?run=${both.id}`);
    await until("the page asks for the tables", () => page.evaluate(() => globalThis.held.length > 0));
    await page.settled();
    await page.evaluate(() => globalThis.fetchNow("/api/v1/project")); // asked after all that the page asks for meanwhile
    await page.settled();
    equal("order/before", await page.address(), `#/results?run=${both.id}`);
    equal("order/asked", (await page.evaluate(() => globalThis.asked)).filter((path) => path.includes("/files/")), []);
    await page.evaluate(() => {
        globalThis.fetch = globalThis.fetchNow;
        globalThis.held.forEach((go) => go());
    });
    const chosen = await until("a procedure is chosen", async () => new URLSearchParams((await page.address()).replace(/.*\?/, "")).get("name"));
    await page.see(".tables tbody tr");
    equal("order/after", chosen, await page.text(".tables tbody tr td"));
    await page.quiet(/compare.* status of 404/);
    await page.close();
    await server.stop();
});
