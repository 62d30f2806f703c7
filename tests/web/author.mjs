// author: a tool is written: from a stub, with a mistake and its quick fix, a word completed, places marked, a small run, saved, found in
// Tools; what is said on the way is what atomc says. By keyboard.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atomc, browse, build, check, equal, keys, programs, run, scratch, testCase, until, workbench } from "../lib/webdriver.mjs";

await testCase(async () => {
    const program = ["bzip2", "queens"].map((name) => join(programs, name)).find(existsSync);
    const isBzip2 = program.endsWith("bzip2");
    const server = await workbench();
    const page = await browse(server.address);
    // Short pages: all of their lines are drawn.
    const text = () => page.evaluate(() => [...document.querySelectorAll(".author .editor .cm-line")].map((line) => line.textContent).join("\n"));
    const atomcSays = (source) => {
        writeFileSync(join(scratch, "calls.atd"), source);
        return spawnSync(atomc, ["--check", "calls.atd"], { cwd: scratch, encoding: "utf8" }).stderr;
    };
    const sitesOf = async (source, ...words) => {
        writeFileSync(join(scratch, "calls.atd"), source);
        const lines = (await run(atomc, ["--dump=sites", "--json", ...words, join(scratch, "calls.atd"), program])).trim().split("\n").map((line) => JSON.parse(line));
        return lines.filter((line) => !line.skipped && !line.diagnostic);
    };
    const count = async () => Number(((await page.text(".author-count")) ?? "").replace(/\D/g, ""));
    const problems = () => page.texts(".problem > .mono");

    // ---- nothing is there yet ----
    await page.evaluate(() => (location.hash = "#/author"));
    await page.read("This project has no tools of its own yet.");
    await until("examples", () => page.evaluate(() => document.querySelectorAll("#author-example option").length > 12));
    await page.looks("new");
    const wrongStubs = await page.evaluate(async () => {
        const { stubs } = await import("/web/parts/editor_stubs.js");
        const wrong = [];
        for (const { name, files } of stubs) {
            const [first, ...others] = Object.entries(files);
            const answer = await fetch("/api/v1/check", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name: first[0], text: first[1], c: Object.fromEntries(others), document: name }) });
            const said = await answer.json();
            if (said.diagnostics?.length !== 0) wrong.push([name, said]);
        }
        return wrong;
    });
    equal("stubs", wrongStubs, []);

    // ---- from a stub; no program is there ----
    await page.reach(".stub");
    await page.press(keys.Enter);
    await page.read("There is no program in this project yet.", ".author-program");
    await page.read("choose a program first", ".author-run");
    await page.read("atomc has nothing to say against it.");
    await page.evaluate(() => (location.hash = "#/project"));
    await page.type(".open input", program);
    await page.press(keys.Enter);
    await until("it is opened", async () => (await page.address()).startsWith("#/program"));
    // Where bzip2's sources are now.
    await page.evaluate(async (folder) => {
        const send = (method, path, body) => fetch(`/api/v1${path}`, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
        const main = (await (await fetch("/api/v1/programs/1/procedures?find=main")).json()).rows.find((row) => row.name === "main");
        await send("POST", "/project/allow", { folder });
        await send("PUT", "/programs/1/mapping", { prefix: main.file.slice(0, main.file.lastIndexOf("/")), folder });
    }, isBzip2 ? join(build, "programs/bzip2/source") : join(programs, "../sources"));
    await page.evaluate(() => (location.hash = "#/author")); // what was begun is still there
    await until("the stub", async () => /\ntool calls "/.test((await text()) ?? ""));
    const stub = await text();
    check("stub", /^# calls\.atd: .*\ntool calls "/.test(stub), stub);
    const expected = (await sitesOf(stub)).length;
    await until("places are counted", async () => (await count()) === expected);

    // ---- a mistake: the diagnostic is atomc's own, in the gutter, under the text and in the list ----
    await page.click(".author .editor .cm-content");
    await page.press("Control+" + keys.End, ..."counter visits", keys.Escape, keys.Enter);
    await page.press(..."for b in blocks where b.nints > 10 { before b visits++ }", keys.Escape);
    await until("a problem", async () => (await problems()).length > 0);
    const mistaken = await text();
    const said = atomcSays(mistaken);
    await until("the problem of all of it", async () => (await problems())[0] === said.split("\n")[0]);
    equal("diagnostic", await problems(), said.split("\n").filter((line) => /: (error|warning): /.test(line)));
    equal("hint", (await page.texts(".problem .hint"))[0]?.split("\n")[0].replace(/ ?Change to .*/, ""), said.split("\n").find((line) => line.startsWith("hint: ")));
    await page.see(".author .cm-lint-marker-error");
    await page.see(".author .cm-lintRange-error");
    await page.looks("mistake");
    await page.picture("author-mistake");
    await page.press("Control+.");
    await until("it is mended", async () => (await text()).includes("b.ninsts > 10"));
    // Only the counter, which no report has yet.
    const isUnread = (list) => list.length === 1 && /: warning: counter 'visits' is updated, but nothing reports or reads it/.test(list[0]);
    await until("only the warning", async () => isUnread(await problems()));

    // ---- a word, completed by the keyboard ----
    await page.press(..." * b.loop_d");
    await until("words are offered", async () => (await page.texts(".cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled) li[aria-selected]"))[0]?.startsWith("loop_depth"));
    await page.picture("author-completion");
    await page.press(keys.Enter);
    await until("it is there", async () => (await text()).includes("b.ninsts * b.loop_depth > 10"));
    await until("only the warning", async () => isUnread(await problems()));
    const written = await text();
    const left = atomcSays(written).split("\n").filter((line) => /: (error|warning): /.test(line));
    check("check", isUnread(left), left);

    // ---- help of a word ----
    const help = JSON.parse(await run(atomc, ["info", "attributes", "--json"])).attributes.find((one) => one.place === "block" && one.attribute === "loop_depth").help;
    const hovered = await page.evaluate(async (source) => {
        const line = source.split("\n").findIndex((one) => one.includes("b.loop_depth"));
        const character = source.split("\n")[line].indexOf("loop_depth") + 2;
        const answer = await fetch("/api/v1/language", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text: source, ask: "hover", line, character }) });
        return (await answer.json()).result?.contents.value;
    }, written);
    check("hover", hovered?.endsWith(help), hovered);
    // An answer that comes when its text is there no more is for nothing.
    const lines = written.split("\n").length;
    await page.evaluate((last) => {
        const asks = window.fetch;
        window.fetch = async (path, options) => {
            if (!options?.body?.includes('"definition"')) return asks(path, options);
            await new Promise((done) => (window.release = done));
            window.fetch = asks;
            return new Response(JSON.stringify({ result: { uri: "untitled:asked", range: { start: { line: last, character: 0 } } } }));
        };
    }, lines - 1);
    await page.click(".author .editor .cm-content");
    await page.press("\ue03c"); // F12
    await until("the definition is asked for", () => page.evaluate(() => Boolean(window.release)));
    await page.press("Control+a", "x");
    await page.evaluate(() => window.release());
    await until("the answer has come", () => page.evaluate(() => new Promise((done) => setTimeout(() => done(true)))));
    equal("late-answer", (await page.messages()).filter((one) => /line number/.test(one)), []);
    await page.press("Control+z");
    await until("the text is there again", async () => (await text()) === written);

    // ---- places ----
    const sites = await sitesOf(written);
    await until("places are counted anew", async () => (await count()) === sites.length);
    const main = (await sitesOf(written, "--only=main")).filter((one) => one.pc);
    await page.read(`${main.length} here`, ".author-program .head");
    await page.see(".author-program .code-sites .band");
    const marked = await page.evaluate(() => [...document.querySelectorAll('.author-program [aria-label="Disassembly"]')].length);
    equal("disassembly", marked, 1);
    const bands = await page.evaluate(() => [...document.querySelectorAll(".author-files .banded")].map((one) => one.textContent));
    equal("bands", bands.map((one) => one.replace(/\s+/g, " ")), ["before p calls[p]++", "before b visits++"]);
    const colours = await page.evaluate(() => ["before p", "before b"].map((words) => [...document.querySelectorAll(".author-files .banded")].find((one) => one.textContent.startsWith(words))?.className.match(/band-\d/)[0]));
    const beside = await page.evaluate(() => [...new Set([...document.querySelectorAll(".author-program .code-sites .band")].map((one) => one.className.match(/band-\d/)[0]))]);
    check("same-colours", beside.length > 0 && beside.every((one) => colours.includes(one)), [colours, beside]);
    await page.evaluate(() => document.querySelector('[data-tab="matches"]').click());
    const perStatement = (await page.evaluate(() => [...document.querySelectorAll(".author-matches table:first-child tbody tr")].map((row) => Number(row.cells[1].innerText.replace(/\D/g, "")))));
    const byLine = new Map();
    for (const one of sites) byLine.set(one.statement.begin, (byLine.get(one.statement.begin) ?? 0) + 1);
    equal("by-statement", perStatement, [...byLine.entries()].sort((left, right) => left[0] - right[0]).map(([, number]) => number));
    await page.evaluate(() => document.querySelector('[data-tab="skipped"]').click());
    await page.read("Nothing is skipped");

    // ---- a small run: the report is the text report's, with a chart ----
    if (isBzip2) {
        await page.type("#author-arguments", "-c -9");
        await page.type("#author-input", join(programs, "text"));
    }
    await page.reach("#author-input");
    await page.press(keys.Enter);
    await page.see(".author-table table.rows tbody tr");
    await page.see(".author-chart svg");
    const shown = await page.evaluate(() => [...document.querySelectorAll(".author-table table.rows tbody tr")].map((row) => [...row.cells].map((cell) => cell.innerText.replaceAll("\u2009", "").trim()).join("\t")));
    await run(atomc, [join(scratch, "calls.atd"), program, "-o", join(scratch, "calls.atom")]);
    mkdirSync(join(scratch, "text"));
    const input = isBzip2 ? readFileSync(join(programs, "text")) : "";
    execFileSync("qemu-alpha", ["-0", program.split("/").pop(), join(scratch, "calls.atom"), ...(isBzip2 ? ["-c", "-9"] : [])], { input, cwd: join(scratch, "text"), maxBuffer: 1 << 28 });
    const report = readFileSync(join(scratch, "text", "calls.out"), "utf8").trim().split("\n").slice(1).map((line) => line.trim().split(/\t+|\s{2,}/).join("\t"));
    // Counts in the C library depend on the environment's length.
    const own = (lines) => lines.filter((line) => (isBzip2 ? /^(BZ2_|main[A-Z]|generateMTF|handle_compress|add_pair)/ : /^(main|place|is_safe|put)\b/).test(line)).sort();
    check("own-procedures", own(shown).length > 2, shown);
    equal("report", own(report).filter((line) => !shown.includes(line)), []);
    check("report-of-some", own(report).length > 2 && shown.length > report.length / 2, report);
    const most = own(shown).sort((left, right) => Number(right.split("\t")[1]) - Number(left.split("\t")[1]))[0];
    await page.read(most.split("\t")[0], ".author-chart svg");
    // Another picture than the report asks for.
    await page.evaluate(() => {
        const field = document.querySelector('.author-chart select[aria-label="Kind of picture"]');
        field.value = "treemap";
        field.dispatchEvent(new Event("change", { bubbles: true }));
    });
    await page.see(".author-chart .treemap-area");
    equal("kept", await text(), written);
    await page.evaluate(() => document.querySelector('[data-tab="matches"]').click());

    // ---- saved, and what somebody else has changed is not lost ----
    await page.type("#author-package", "mine");
    await page.press(keys.Enter);
    await page.read("saved", ".author-head .chip.good");
    const saved = join(scratch, "project/tools/mine/calls.atd");
    equal("saved", readFileSync(saved, "utf8"), written);
    await page.looks("saved");
    await page.documented("author");
    writeFileSync(saved, `${written}# by another hand\n`);
    await page.click(".author .editor .cm-content");
    await page.press("Control+" + keys.Home, ..."# by this hand", keys.Escape, keys.Enter, "Control+s");
    await page.see(".author-conflict");
    const both = await until("both texts", async () => {
        const found = await page.texts(".author-conflict .cm-content");
        return found.length === 2 && found.every((one) => one.includes("hand")) && found;
    });
    check("both-texts", both[0].includes("# by another hand") && both[1].includes("# by this hand"), both);
    equal("not-overwritten", readFileSync(saved, "utf8"), `${written}# by another hand\n`);
    await page.choose("Save this one", "button");
    await page.read("saved", ".author-head .chip.good");
    equal("decided", readFileSync(saved, "utf8"), `# by this hand\n${written}`);

    // ---- another window has it open, too ----
    const mine = await page.evaluate(() => fetch("/api/v1/sources/mine").then((answer) => answer.json()).then(({ files }) => files.find((file) => file.name === "calls.atd")));
    const put = await page.evaluate((digest) => fetch("/api/v1/sources/mine", { method: "PUT", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ files: { "calls.atd": { text: "tool other\n", digest } } }) }).then((answer) => answer.status), mine.digest);
    equal("other-window", put, 200);
    await page.click(".author .editor .cm-content");
    await page.press("Control+" + keys.End, ..." # more", keys.Escape, "Control+s");
    await page.see(".author-conflict");
    await page.choose("Take this one", "button");
    await until("theirs", async () => (await text()).trim() === "tool other");
    await page.read("saved", ".author-head .chip.good");
    writeFileSync(saved, written);

    // ---- parameters: a form, whose values hold for places and for the run; what is wrong stands at the field ----
    await page.evaluate((to) => (location.hash = to), "#/author?package=mine");
    await page.read("saved", ".author-head .chip.good");
    equal("no-parameters", await page.texts(".author-parameters"), []);
    await page.click(".author .editor .cm-content");
    await page.press("Control+a", ...'tool only "calls of some"', keys.Escape, keys.Enter, ...'param string which = "main" "the procedures, a pattern"', keys.Escape, keys.Enter);
    await page.press(...'param int least = 1 "calls that are shown" check least > 0 "it must be positive"', keys.Escape, keys.Enter);
    await page.press(..."counter calls[procs]", keys.Escape, keys.Enter, ..."for p in procs where p.name like which { before p calls[p]++ }", keys.Escape, keys.Enter);
    await page.press(...'report "only.out" for p in procs where calls[p] >= least "Procedure" p.name, "Calls" calls[p]', keys.Escape);
    await page.read("atomc has nothing to say against it.");
    await page.see(".author-parameters summary");
    const usual = (await sitesOf(await text())).length;
    await until("places of the default", async () => (await count()) === usual);
    equal("parameters", await page.evaluate(() => [...document.querySelectorAll(".author-parameters .field label")].map((one) => one.innerText.trim() || one.textContent.trim())), ["which", "least"]);
    await page.reach(".author-parameters summary", 100);
    await page.press(keys.Enter, keys.Tab);
    await page.type(".author-parameters input.mono", "m*");
    const matching = (await sitesOf(await text(), "-D", "which=m*")).length;
    await until("places of the pattern", async () => (await count()) === matching && matching > usual);
    await page.type(".author-parameters input[inputmode]", "0");
    await page.read("it must be positive", ".author-parameters .wrong");
    await page.type(".author-parameters input[inputmode]", "2");
    await until("nothing is wrong", async () => (await page.texts(".author-parameters .wrong")).every((one) => one === ""));
    check("parameters-in-the-address", /param\.which=m\*/.test(decodeURIComponent(await page.address())) && /param\.least=2/.test(await page.address()), await page.address());
    check("command", (await page.text("footer code")).includes("-D 'which=m*' -D least=2"), await page.text("footer code"));
    await page.looks("parameters");
    await page.read("atomc has nothing to say against it.");
    await page.reach("#author-input", 100);
    await page.press(keys.Enter);
    await until("the run with these values", async () => {
        const run = new URLSearchParams((await page.address()).split("?")[1]).get("run");
        const { job, state } = run ? await page.evaluate((number) => fetch(`/api/v1/runs/${number}`).then((answer) => answer.json()), run) : {};
        const { which, least } = job?.tools[0].parameters ?? {};
        return state === "finished" && which === "m*" && least === 2;
    }, 90);
    await page.see(".author-table table.rows tbody tr");
    check("those-names-only", (await page.texts(".author-table table.rows tbody td:first-child")).every((name) => name.startsWith("m")), await page.texts(".author-table td"));
    await page.click(".author .editor .cm-content");
    writeFileSync(saved, written);

    // ---- it is a tool as any other ----
    await page.evaluate(() => (location.hash = "#/tools?tool=mine/calls"));
    await page.read("how often each procedure is called", ".tool");
    await until("it is in the list of tools", () => page.evaluate(() => [...document.querySelectorAll(".tools nav a")].some((one) => one.hash.includes("mine%2Fcalls"))));
    await page.reload();
    await page.evaluate(() => (location.hash = "#/author"));
    await page.see(".author .editor .cm-content");
    await page.quiet(/status of 4/);
    await page.close();
    await server.stop();
});
