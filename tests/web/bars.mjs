// bars: how soon things are there that no other case measures: the first paint, diagnostics while a tool is typed, an event of a run on the
// screen, a table of 1,000 runs; and what the server needs when nobody asks. make bench-workbench judges these, on a machine that does nothing else; here they are printed, and what they measure has to work.
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atomc, bar, browse, check, run, scratch, size, sleep, testCase, until, workbench } from "../lib/webdriver.mjs";

const full = size === "all" || process.env.BARS;
const least = (list) => Math.round(Math.min(...list));

await testCase(async () => {
    // ---- from the command to the first paint: the browser is there already ----
    const page = await browse();
    const starts = [];
    let server;
    for (let i = 0; i < 3; i++) {
        // What the page still asks for is nobody's failure when the server ends.
        if (server) await page.go("about:blank").then(() => server.stop());
        const begin = Date.now();
        server = await workbench();
        await page.go(server.address);
        await page.see("main h1");
        starts.push((await page.evaluate(() => performance.timeOrigin + (performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity))) - begin);
    }
    bar("from the command to the first paint", least(starts), "ms", 1000);

    // ---- diagnostics: without C, with C, with C that was compiled before ----
    const times = (body, change, count) =>
        page.evaluate(
            async (document, changes, turns) => {
                const found = [];
                for (let i = 0; i < turns; i++) {
                    if (changes) document.c = { "count.c": `${document.c["count.c"]}/* ${Math.random()} */\n` };
                    const begin = performance.now();
                    const answer = await (await fetch("/api/v1/check", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(document) })).json();
                    found.push(performance.now() - begin);
                    if (answer.diagnostics?.length !== 0) throw new Error(JSON.stringify(answer));
                }
                return found;
            },
            body,
            change,
            count,
        );
    const without = { name: "bars.atd", text: 'tool bars "counts"\ncounter n[procs]\nfor p in procs { before p n[p]++ }\nreport "bars.out" for p in procs "Procedure" p.name, "Calls" n[p]\n', c: {} };
    const withC = { name: "bars.atd", text: 'tool bars "counts"\nanalysis "count.c"\nfor p in procs { before p call Count(p.pc) }\nafter program call Print()\n', c: { "count.c": "#include <stdio.h>\nstatic long calls;\nvoid Count(long pc) { calls += pc != 0; }\nvoid Print(void) { printf(\"%ld\\n\", calls); }\n" } };
    const checked = [least(await times(without, false, 7)), least(await times(withC, true, 3)), least(await times(withC, false, 5))];
    for (const [at, [what, limit]] of [["without C", 150], ["with C", 1500], ["with C that was compiled before", 300]].entries())
        bar(`a tool is checked, ${what}`, checked[at], "ms", limit);


    // ---- what a program prints, on the screen: it says when it has printed it ----
    writeFileSync(join(scratch, "clock.c"), '#include <stdio.h>\n#include <sys/time.h>\n#include <unistd.h>\nint main(void) { struct timeval now; for (int i = 0; i < 6; i++) { usleep(300000); gettimeofday(&now, 0); printf("at %ld.\\n", now.tv_sec * 1000 + now.tv_usec / 1000); fflush(stdout); } return 0; }\n');
    await run("alpha-linux-gnu-gcc", ["-static", "-Wl,--no-relax", join(scratch, "clock.c"), "-o", join(scratch, "clock")]);
    const post = (path, body) => page.evaluate((to, sent) => fetch(`/api/v1${to}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent) }).then((answer) => answer.json()), path, body);
    await post("/programs", { path: join(scratch, "clock") });
    const { id } = await post("/runs", { program: { path: join(scratch, "clock") }, tools: [{ name: "empty" }] });
    await page.evaluate((number) => {
        window.seen = new Map();
        const look = () => {
            for (const [, at] of (document.querySelector(".live pre.output")?.innerText ?? "").matchAll(/at (\d+)\./g)) if (!window.seen.has(at)) window.seen.set(at, Date.now() - Number(at));
            requestAnimationFrame(look);
        };
        look();
        location.hash = `#/run?run=${number}`;
    }, id);
    await page.finished(id);
    await until("all that it prints", async () => (await page.evaluate(() => window.seen.size)) === 6);
    // The first ones may have been printed before the page was there.
    const delays = (await page.evaluate(() => [...window.seen.values()])).slice(3);
    bar("an event of a run on the screen", least(delays), "ms", 300);
    check("event/after-it-happened", delays.every((one) => one >= 0), delays);

    // ---- a table of 1,000 runs: those of a campaign, made once and copied ----
    const runs = full ? 1000 : 100;
    const project = join(scratch, "project");
    const definition = { campaign: "many", programs: [{ path: join(scratch, "clock") }], tools: [{ name: "prof" }], repeat: 1 };
    mkdirSync(join(project, "campaigns"), { recursive: true });
    const file = join(project, "campaigns/many.json");
    writeFileSync(file, JSON.stringify(definition));
    await run(atomc, ["campaign", "run", file], { cwd: project });
    const folder = readdirSync(join(project, "runs")).find((one) => one.endsWith(".0") && JSON.parse(readFileSync(join(project, "runs", one, "run.json"), "utf8")).tools[0].name === "prof");
    for (let i = 1; i < runs; i++) {
        const copy = join(project, "runs", folder.replace(/0$/, String(i)));
        cpSync(join(project, "runs", folder), copy, { recursive: true });
        writeFileSync(join(copy, "run.json"), JSON.stringify({ ...JSON.parse(readFileSync(join(copy, "run.json"), "utf8")), repeat: i }));
    }
    writeFileSync(file, JSON.stringify({ ...definition, repeat: runs }));
    await run(atomc, ["campaign", "collect", file], { cwd: project });
    const tabled = await page.evaluate(async () => {
        const found = { times: [] };
        for (let i = 0; i < 5; i++) {
            const begin = performance.now();
            found.answer = await (await fetch("/api/v1/campaigns/many/pivot?value=Instructions&rows=program&columns=none&summary=mean")).json();
            found.times.push(performance.now() - begin);
        }
        return found;
    });
    check("pivot/runs", JSON.stringify(tabled.answer).includes(`"runs":${runs}`), tabled.answer);
    bar(`a table of ${runs} runs`, least(tabled.times), "ms", 300);

    // ---- a page is open, and nothing is asked for ----
    await page.evaluate(() => (location.hash = "#/project"));
    await page.see(".runs-table");
    await sleep(2000);
    const used = () => readFileSync(`/proc/${server.process.pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ").slice(11, 13).reduce((sum, one) => sum + Number(one), 0);
    const memory = (field) => Number(new RegExp(`^${field}:\\s*(\\d+)`, "m").exec(readFileSync(`/proc/${server.process.pid}/status`, "utf8"))[1]) / 1000;
    const before = used();
    await sleep(5000);
    const percent = (100 * (used() - before)) / 100 / 5; // in hundredths of a second
    bar("processor that the server uses when idle", percent.toFixed(1), "%", 0.5);
    bar("its memory (resident, without files)", memory("RssAnon").toFixed(1), "MB", 20);
    check("idle/processor", percent < 0.5, percent);
    check("idle/memory", memory("RssAnon") < 20, memory("RssAnon"));
    await page.quiet();
    await page.close();
    await server.stop();
});
