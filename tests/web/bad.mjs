// bad: what bad programs and tools get, in the words of the page: one that kills itself, one that becomes another program, one that does
// otherwise in another run, a table of no rows, a tool that selects nothing, a table that is not whole, parameters that are wrong, a stripped program.
import { readdirSync, readFileSync, truncateSync, writeFileSync, cpSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { atomc, browse, check, equal, programs, run as execute, scratch, testCase, top, until, workbench } from "../lib/webdriver.mjs";

const sources = {
    killed: "#include <signal.h>\nint main(void) { return raise(SIGKILL); }",
    aborted: "#include <stdlib.h>\nint main(void) { abort(); }",
    other: '#include <unistd.h>\nint main(void) { execl("/bin/true", "true", (char *)0); return 1; }',
    moment: '#include <stdio.h>\n#include <time.h>\nint main(void) { struct timespec now; clock_gettime(CLOCK_REALTIME, &now); printf("%ld %ld\\n", (long)now.tv_sec, now.tv_nsec); return 0; }',
};

await testCase(async () => {
    const server = await workbench();
    const page = await browse(server.address);
    await page.see(".open");
    const api = page.api;
    const build = async (name) => {
        writeFileSync(join(scratch, `${name}.c`), sources[name]);
        await execute("alpha-linux-gnu-gcc", ["-static", "-Wl,--no-relax", join(scratch, `${name}.c`), "-o", join(scratch, name)]);
        return (await api("/programs", { path: join(scratch, name) })).id;
    };
    const made = async (job) => {
        const { id } = await api("/runs", job);
        return { id, ...(await page.finished(id)) };
    };

    // ---- a program that ends so that nothing can be written ----
    await build("killed");
    const killed = await made({ program: { path: join(scratch, "killed") }, tools: [{ name: "prof" }] });
    await page.evaluate((id) => (location.hash = `#/results?run=${id}`), killed.id);
    await page.read("This run has no tables.");
    const words = "SIGKILL ended the program: rows that it had not written before are missing.";
    await page.read(words, "main > .notice, .notice");
    check("killed/how-it-ended", /signal 9/.test(await page.text(".results-head")), await page.text(".results-head"));
    await page.looks("killed");
    // Rows that were written before, while it ran, are kept, up to the last time whose rows are known to be whole.
    writeFileSync(join(scratch, "turns.c"), "#include <signal.h>\nvolatile int turns;\n__attribute__((noinline)) void turn(void) { turns++; }\nint main(void) { for (int i = 0; i < 2500; i++) turn(); return raise(SIGKILL); }");
    await execute("alpha-linux-gnu-gcc", ["-O1", "-static", "-Wl,--no-relax", join(scratch, "turns.c"), "-o", join(scratch, "turns")]);
    await api("/programs", { path: join(scratch, "turns") });
    writeFileSync(join(scratch, "turns.atd"), 'tool turns "calls by time"\ncounter all, calls[procs]\nfor p in procs where p.name == "turn" { before p all++, calls[p]++ }\nevery 500 of all report "turns.out" for p in procs where calls[p] > 0 "Procedure" p.name, "Calls" calls[p]\n');
    const lost = await made({ program: { path: join(scratch, "turns") }, tools: [{ path: join(scratch, "turns.atd") }] });
    await page.evaluate((id) => (location.hash = `#/results?run=${id}`), lost.id);
    await page.read("turns by all", ".tables [role=tab]");
    const { tables: kept } = await api(`/runs/${lost.id}/tables`);
    equal("killed/kept", (await api(`/tables/${kept[0].id}/rows`)).rows.map((row) => row.slice(0, 3)), [500, 1000, 1500, 2000].map((time) => [time, "turn", time]));
    equal("killed/no-good-end", await page.evaluate(() => document.querySelector(".results-head .chip.good, .results-head .chip.warning").className), "chip warning");
    check("killed/kept-how", /signal 9/.test(await page.text(".results-head")), await page.text(".results-head"));
    // Who reads the tables is told, and who has the page without a server, or the rows.
    await page.read(words, ".notice.warning");
    await page.looks("killed-rows", [], [0, 1, 2, 3]);
    const shared = join(scratch, "shared.html");
    writeFileSync(shared, await page.evaluate((id) => fetch(`/api/v1/export/runs/${id}.html`).then((answer) => answer.text()), lost.id));
    const merged = spawnSync(atomc, ["merge", join(scratch, "project", lost.folder), "--by=all,Procedure"], { encoding: "utf8" });
    check("killed/merge", merged.status === 0 && merged.stderr.includes(`warning: ${join(scratch, "project", lost.folder)}: ${words.slice(0, -1)}`), merged);
    // Readers of CSV have a column for it.
    const saved = async (run) => (await page.evaluate((to) => fetch(to).then((answer) => answer.text()), `/api/v1/export/tables/${(await api(`/runs/${run}/tables`)).tables[0].id}.csv`)).trim().split("\n");
    equal("killed/csv", (await saved(lost.id)).map((line) => line.split(",").at(-1)), ["ended by", ...Array(4).fill("SIGKILL")]);
    // In the lists of runs, too.
    await page.evaluate(() => (location.hash = "#/project"));
    await page.read("finished · signal 9", ".runs-table .chip.warning");
    await page.evaluate((id) => (location.hash = `#/run?run=${id}`), lost.id);
    await page.read(words, ".notice");
    await page.looks("killed-run", [], [0, 3]);
    const alone = await browse(`file://${shared}`);
    await alone.read(words, "#endings");
    equal("killed/page-looks", [await alone.overflow(), await alone.barriers()], ["", []]);
    await alone.picture("bad-killed-page");
    await alone.close();
    // A child that is killed, where the program itself ends well.
    sources.lost = readFileSync(join(top, "tests/data/lost.c"), "utf8");
    await build("lost");
    const counted = async (words) => made({ program: { path: join(scratch, "lost") }, tools: [{ name: "prof" }], arguments: words });
    const [all, one] = [await counted([]), await counted(["1"])];
    equal("lost/none", [all.state, all.missing, one.state, one.ending], ["finished", null, "finished", null]);
    check("lost/words", /^process \d+, a child of process \d+, left no rows: its counts are missing$/.test(one.missing), one.missing);
    await page.evaluate((id) => (location.hash = `#/results?run=${id}`), one.id);
    await page.read(`P${one.missing.slice(1)}.`, "main > .notice.warning");
    await page.looks("lost", [], [0, 3]);
    await page.evaluate((id) => (location.hash = `#/run?run=${id}`), one.id);
    await page.read(`P${one.missing.slice(1)}.`, ".live .notice.warning");
    await page.read("prof prof.out of process ", ".live dd");
    await page.looks("lost-run", [], [0, 3]);
    await page.evaluate((id) => (location.hash = `#/results?run=${id}`), all.id);
    await page.see(".tables table.rows tbody tr");
    equal("lost/not-said", await page.texts("main > .notice.warning"), []);
    // Another signal does not lose counts; the end of a program that is not killed is not mentioned.
    await build("aborted");
    const aborted = await made({ program: { path: join(scratch, "aborted") }, tools: [{ name: "prof" }] });
    await page.evaluate((id) => (location.hash = `#/results?run=${id}`), aborted.id);
    await page.read("SIGABRT ended the program: its counts are those up to then.", ".notice");
    await page.read("abort", ".tables tbody");

    // What becomes another program has counted until then.
    await build("other");
    const other = await made({ program: { path: join(scratch, "other") }, tools: [{ name: "prof" }] });
    await page.evaluate((id) => (location.hash = `#/results?run=${id}`), other.id);
    await page.read("execl", ".tables");
    equal("not-killed", [other.ending, await page.texts(".notice.warning")], [null, []]);

    // ---- the instrumented program prints something else ----
    await build("moment");
    const differs = await made({ program: { path: join(scratch, "moment") }, tools: [{ name: "prof" }], check_output: true });
    await page.evaluate((id) => (location.hash = `#/results?run=${id}`), differs.id);
    await page.read("Save evidence", "main a");
    check("differs/first", (await page.text("main")).startsWith("The instrumented program did not do what the program does. Different: standard output."), (await page.text("main")).slice(0, 400));
    await page.looks("differs");

    // ---- a table of no rows; one that is not whole; the others stay ----
    const same = join(programs, "same");
    const program = await api("/programs", { path: same });
    const whole = await made({ program: { path: same }, tools: [{ name: "prof" }, { name: "branch" }] });
    const { folder } = await api(`/runs/${whole.id}`);
    const theirs = join(scratch, "theirs");
    cpSync(join(scratch, "project", folder), theirs, { recursive: true });
    const of = (name) => {
        const out = join(theirs, "out", readdirSync(join(theirs, "out"))[0]);
        return join(out, readdirSync(out).find((one) => one.startsWith(`${name}.`) && one.endsWith(".rows")));
    };
    truncateSync(of("branch"), readFileSync(of("branch")).length - 12);
    const [header] = readFileSync(of("prof"), "utf8").split("\n");
    writeFileSync(of("prof"), `${JSON.stringify({ ...JSON.parse(header), where: "executed[p] > 10" })}\n{"end":true,"rows":0}\n`);
    const described = JSON.parse(readFileSync(join(theirs, "run.json"), "utf8"));
    writeFileSync(join(theirs, "run.json"), JSON.stringify({ ...described, repeat: 1 }));
    const imported = await api("/import", { path: theirs });
    await page.evaluate((id) => (location.hash = `#/results?run=${id}`), imported.id);
    await page.read("Nothing was executed that this report shows.");
    await page.read("executed[p] > 10", ".tables");
    equal("torn/others-stay", (await api(`/runs/${imported.id}/tables`)).tables.map((one) => one.tool), ["prof"]);
    await page.choose("1 message", ".results-head a");
    await page.read("the last line is missing: the file is incomplete", "main");
    await page.looks("torn");

    // ---- a tool of which a part selects nothing; a parameter that is wrong, at its field ----
    await page.evaluate((id) => (location.hash = `#/run?program=${id}&tools=values&values.procedures=no_such`), program.id);
    await page.read("is in the program. It can be run all the same.");
    await page.looks("nothing-selected");
    await page.evaluate((id) => (location.hash = `#/run?program=${id}&tools=cache&cache.size=8`), program.id);
    await page.read("it must be one to 8388608 whole lines", ".form .wrong");
    check("parameter/cannot-run", await page.evaluate(() => [...document.querySelectorAll("main button")].find((one) => one.innerText === "Run")?.disabled), await page.text("main"));
    await page.looks("parameter");

    // ---- a stripped program: its procedures have addresses as names ----
    await execute("alpha-linux-gnu-strip", [same, "-o", join(scratch, "stripped")]);
    const stripped = await api("/programs", { path: join(scratch, "stripped") });
    await page.evaluate((id) => (location.hash = `#/program?program=${id}`), stripped.id);
    await until("names", async () => (await page.text("main")).includes("proc_at_0x"));
    check("stripped/said", /stripped/.test(await page.text("main")), (await page.text("main")).slice(0, 600));
    await page.looks("stripped");

    // ---- a project that somebody else has for longer than the server waits: the page says so, and asks again by itself ----
    await page.evaluate(() => {
        const asks = window.fetch;
        window.busy = 0;
        window.fetch = (...all) => {
            if (window.busy < 0) return asks(...all);
            window.busy++;
            return Promise.resolve(new Response('{"error": "the database is locked", "hint": "try again"}', { status: 503 }));
        };
        location.hash = "#/project";
    });
    await page.read("This page asks again until there is an answer.", ".notice");
    await until("asked again", () => page.evaluate(() => window.busy > 3));
    check("busy/no-error", await page.evaluate(() => !document.querySelector(".notice.error")), await page.text("main"));
    await page.looks("busy");
    await page.evaluate(() => (window.busy = -1));
    await page.read("stripped", "main");
    await until("it is said no more", () => page.evaluate(() => !document.body.innerText.includes("asks again")));
    await page.quiet(/status of 4/);
    await page.close();
    await server.stop();
});
