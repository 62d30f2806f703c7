// stacks: a range of time selects the calls of the flame graph, the tree and the sandwich, if a page has written stacks while the program
// ran, and the counts beside source and disassembly, if it has written counts at places; the numbers are those of the rows of two times. Other runs say how to have such rows, and make them with a click.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { columnsOf } from "../../workbench/web/parts/timeline_data.js";
import { intervalOf, treeOfStacks } from "../../workbench/web/parts/tree_stacks.js";
import { atomc, browse, check, equal, keys, plain, programs, scratch, testCase, until, workbench } from "../lib/webdriver.mjs";

// ---- two times: more, less, new, gone, and what has no stack ----
const metrics = [{ column: 1, title: "Calls" }];
const made = (rows, before) => {
    const { answer, is_level } = treeOfStacks(rows, before, 0, [1], metrics);
    return [is_level, answer.name.map((name, node) => [answer.parent[node], answer.names[name], answer.metrics[0].values[node]])];
};
equal("made/difference", made([["a;b", 5], ["a", 1], ["a;c", 9], [null, 2]], [["a;b", 2], ["a", 1]]), [false, [[0, "a", 0], [1, "c", 9], [1, "b", 3], [0, "(other)", 2]]]);
equal("made/level", made([["a;b", 5], ["a", 1]], [["a;b", 6]]), [true, [[0, "a", 1], [1, "b", 5]]]);
equal("made/gone", made([["a", 1]], [["a;b", 6]]), [true, [[0, "a", 1]]]);
equal("interval", [intervalOf(0, 0, 0.1), intervalOf(0, 53753, 0.1), intervalOf(5000, 53753, 0.1), intervalOf(100000, 0, 1), intervalOf(100000, 10000000000, 90), intervalOf(NaN, 0, 90)], [1000000, 1000, 5000, 100000, 100000000, 100000000]);
equal("made/nothing", made([["a", 1]], [["a", 1]]), [false, []]);

await testCase(async () => {
    const server = await workbench();
    const page = await browse(server.address);
    await page.see("main h1");
    const api = page.api;
    const path = join(programs, "queens");
    /** Of the tree that is shown, all open: path, total, itself. */
    const tree = () =>
        page.evaluate(() => {
            const path = [];
            return [...document.querySelectorAll(".tree-table tbody tr")].map((row) => {
                path.length = Number(row.getAttribute("aria-level")) - 1;
                path.push(row.cells[0].querySelector("[title]").title);
                return [path.join(";"), Number(row.cells[1].innerText.replace(/\D/g, "")), Number(row.cells[3].innerText.replace(/\D/g, ""))];
            });
        });
    const openAll = async () => {
        for (;;) {
            const closed = await page.evaluate(() => {
                const found = [...document.querySelectorAll(".tree-table tr[aria-expanded=false] .twist")];
                found.forEach((one) => /** @type {HTMLElement} */ (one).click());
                return found.length;
            });
            if (closed === 0) return tree();
            await page.settled();
        }
    };
    const said = async () => plain(await page.text(".tree-range span"));

    // ---- hiprof: no times; the page says so, and its command has them ----
    const profile = await page.open(path, [{ name: "hiprof" }]);
    await page.go(`${server.origin}/#/results?run=${profile.id}&view=timeline`);
    await page.read("Nothing of this run was written by intervals.", ".lower");
    await until("an interval for this run", async () => (await page.text(".stacks-command"))?.includes("every 1000 of"));
    await page.looks("none");
    const command = await page.text(".stacks-command");
    execFileSync("sh", ["-c", command], { cwd: scratch, env: { ...process.env, PATH: `${join(atomc, "..")}:${process.env.PATH}`, ATOMC_FORMAT: "rows", ATOMC_OUT: "by-hand" } });
    await page.choose("Run with stacks by time", "button");
    await until("another run", async () => !(await page.address()).includes(`run=${profile.id}&`) && (await page.address()).includes("view=timeline"));
    const id = Number(/run=(\d+)/.exec(await page.address())[1]);
    equal("again/run", (await page.finished(id)).state, "finished");
    await page.see(".timeline-columns");
    const { tables } = await api(`/runs/${id}/tables`);
    equal("again/reports", tables.map((one) => [one.report, one.tree]), [["stacks.out", true], ["places.out", false], ["stacks.out by executed", false], ["places.out by executed", false]]);
    const rows = [];
    for (let more = true; more; ) {
        const answer = await api(`/tables/${tables[2].id}/rows?limit=10000&offset=${rows.length}&sort=0`);
        rows.push(...answer.rows);
        more = answer.rows.length === 10000;
    }
    // What the command wrote, but for what depends on the environment: the program's own procedures.
    const file = readdirSync(join(scratch, "by-hand")).find((name) => name.includes("series"));
    const byHand = readFileSync(join(scratch, "by-hand", file), "utf8").split("\n").filter((line) => line.startsWith("[")).map((line) => JSON.parse(line));
    const own = (list) => {
        const last = Math.max(...list.map((row) => row[0]));
        return list.filter((row) => row[0] === last && /;main(;|$)/.test(row[1])).map((row) => [row[1], row[2]]).sort();
    };
    check("command/rows", own(rows).length > 10);
    equal("command/same", own(byHand), own(rows));
    // At the end, each path has hiprof's own instructions.
    const { id: ofProfile } = profile.tables.find((one) => one.tree);
    const whole = await api(`/tables/${ofProfile}/tree`);
    const paths = (answer, title) => {
        const metric = answer.metrics.find((one) => one.title === title);
        const names = answer.name.map((name) => answer.names[name]);
        const all = names.map((name, node) => [(answer.parent[node] > 0 ? "" : "") + name, answer.parent[node], Number(metric.values[node])]);
        const pathOf = (node) => (all[node][1] > 0 ? `${pathOf(all[node][1] - 1)};${names[node]}` : names[node]);
        return all.map((one, node) => [pathOf(node), one[2]]).filter(([key, value]) => value > 0 && /;main(;|$)/.test(key)).sort();
    };
    equal("as-hiprof", own(rows), paths(whole, "Instructions"));

    // ---- a range: the tree is the difference of two times ----
    const times = [...new Set(rows.map((row) => row[0]))];
    check("times", times.length > 20 && times.slice(0, -1).every((time) => time >= 1000), times);
    const at = (time) => new Map(rows.filter((row) => row[0] === time).map((row) => [row[1], row[2]]));
    /** Paths with counts of their own between two times, and the sum. */
    const between = (before, last) => {
        const then = before === undefined ? new Map() : at(before);
        const list = [...at(last)].map(([key, value]) => [key, value - (then.get(key) ?? 0)]).filter(([, value]) => value > 0).sort();
        return { list, sum: list.reduce((all, [, value]) => all + value, 0) };
    };
    const columns = ".timeline-columns";
    await page.evaluate((css) => /** @type {HTMLElement} */ (document.querySelector(css)).focus(), columns);
    await page.press(keys.Right, keys.Right, keys.Right, `Shift+${keys.Right}`);
    // A C library's start may execute so much that a column has several times.
    const width = await page.evaluate((css) => document.querySelector(css).clientWidth, columns);
    const drawn = columnsOf(times.length, Math.floor(width / 4));
    const [former, begin, end] = [times[drawn[2].from - 1], times[drawn[2].from], times[drawn[3].last]];
    await until("a range", async () => (await page.address()).includes(`range=${begin}-${end}`));
    await page.choose("Tree", ".lower [role=tab]");
    const expected = between(former, end);
    const total = between(undefined, times.at(-1)).sum;
    await until("the range's tree", async () => (await said()) === `executed${former}to${end}:${expected.sum}of${total}instructions`);
    equal("range/executed", expected.sum, end - former);
    const found = await openAll();
    equal("range/itself", found.filter(([, , own]) => own > 0).map(([key, , own]) => [key, own]).sort(), expected.list);
    for (const [key, sum] of found.slice(0, 4)) equal(`range/total/${key}`, sum, expected.list.filter(([each]) => each === key || each.startsWith(`${key};`)).reduce((all, [, value]) => all + value, 0));
    await page.looks("tree");
    // The first time has nothing before it.
    await page.go(`${server.origin}/#/results?run=${id}&view=tree&range=${times[0]}-${times[0]}`);
    const first = between(undefined, times[0]);
    await until("the first time", async () => (await said()) === `executed0to${times[0]}:${first.sum}of${total}instructions`);
    equal("first/itself", (await openAll()).filter(([, , own]) => own > 0).map(([key, , own]) => [key, own]).sort(), first.list);
    // The flame graph, by the address, and the sandwich.
    const [before, from, last] = [times.at(-9), times.at(-8), times.at(-6)];
    await page.go(`${server.origin}/#/results?run=${id}&view=flame&range=${from}-${last}&name=main`);
    await page.see(".flame canvas[data-drawn]");
    await until("the flame graph's range", async () => (await said()).startsWith(`executed${before}to${last}:`));
    const ofMain = between(before, last).list.filter(([key]) => /(^|;)main(;|$)/.test(key)).reduce((all, [, value]) => all + value, 0);
    await until("main in the range", async () => plain(await page.text(".flame-said")).startsWith(`main${ofMain}instructions`));
    check("no-export", (await page.texts(".lower .head button")).every((one) => !/Save/.test(one)));
    await page.looks("flame", [], [0, 1, 2, 3]);
    await page.documented("stacks");
    await page.choose("Sandwich", ".lower [role=tab]");
    await until("the sandwich says so", async () => (await said()).startsWith(`executed${before}to${last}:`));
    await until("the sandwich's range", async () => plain(await page.text(".sandwich, #lower-panel")).includes(String(ofMain)));
    await page.choose("All", ".tree-range button");
    await until("all again", async () => !(await page.address()).includes("range="));
    await until("main in all", async () => plain(await page.text("#lower-panel")).includes(String(own(rows).reduce((all, [, value]) => all + value, 0))));

    // ---- source and disassembly: the difference of two times, at each instruction and line ----
    const codeSaid = async () => plain(await page.text(".code-range span"));
    const placesAt = async (time) => new Map((await api(`/tables/${tables[3].id}/rows?limit=10000&where=0=${time}`)).rows.map((row) => [row[1], row]));
    const [then, now] = [await placesAt(before), await placesAt(last)];
    const sumOf = (list) => [...list].reduce((sum, row) => sum + row[2], 0);
    equal("code/executed", [sumOf(then.values()), sumOf(now.values())], [before, last]); // the counter is the sum of all instructions
    const inRange = [...now.values()].map((row) => [row[1], row[2] - (then.get(row[1])?.[2] ?? 0), row[3], row[5]]);
    const { rows: safes } = await api(`/programs/${(await api(`/runs/${id}`)).program}/procedures?find=is_safe`);
    const { pc } = safes.find((one) => one.name === "is_safe");
    const ofSafe = inRange.filter(([, , procedure]) => procedure === "is_safe");
    check("code/some", ofSafe.some(([, count]) => count > 0), ofSafe);
    const annotation = await api(`/runs/${id}/annotation?procedure=${pc}&times=${tables[3].id}&range=${from}-${last}`);
    equal("code/metrics", annotation.metrics.map(({ title, total, range }) => [title, total, range]), [["Executed", last - before, { begin: before, end: last, is_level: false, title: "executed" }]]);
    /** Numbers beside the rows of an editor, by what is beside them in another column of it. */
    const beside = (label, column) =>
        page.evaluate(
            (of, css) => {
                const editor = document.querySelector(`.results-code .cm-content[aria-label="${of}"]`)?.closest(".cm-editor");
                const all = (each) => [...(editor?.querySelectorAll(`${each} .cm-gutterElement`) ?? [])].filter((one) => getComputedStyle(one).visibility !== "hidden" && one.innerText.trim() !== "").map((one) => [Math.round(one.getBoundingClientRect().top), one.innerText.replace(/\s/g, "")]);
                const keys = new Map(all(css));
                return all(".code-count").map(([top, text]) => [keys.get(top), Number(text)]);
            },
            label,
            column,
        );
    await page.go(`${server.origin}/#/results?run=${id}&view=flame&range=${from}-${last}&procedure=${pc}&name=is_safe`);
    await until("what the counts are of", async () => (await codeSaid()) === `executed${before}to${last}:${last - before}executedinallprocedures`);
    const sameAs = (list, expected, most) => list.length > 0 && list.length >= Math.min(most, expected.length) && list.every(([key, count]) => expected.some(([one, value]) => one === key && value === count));
    const short = ofSafe.map(([address, count]) => [address.slice(-6), count]);
    await until("the range's instructions", async () => sameAs(await beside("Disassembly", ".code-address"), short, 20));
    const ofLines = new Map();
    for (const [, count, , line] of ofSafe) ofLines.set(String(line), (ofLines.get(String(line)) ?? 0) + count);
    await until("the range's lines", async () => sameAs(await beside("Source", ".code-line"), [...ofLines], 2));
    await page.looks("code", [], [0, 1, 2, 3]);
    await page.choose("All", ".code-range button");
    await until("all beside the code", async () => !(await page.address()).includes("range="));
    const atEnd = [...(await placesAt(times.at(-1))).values()].filter((row) => row[3] === "is_safe").map((row) => [row[1].slice(-6), row[2]]);
    await until("the whole run's instructions", async () => sameAs(await beside("Disassembly", ".code-address"), atEnd, 20));
    // A time before the first one has no counts; a procedure that is not executed in the range has none, either.
    const nothing = await api(`/runs/${id}/annotation?procedure=${pc}&times=${tables[3].id}&range=0-1`);
    equal("code/nothing", [nothing.metrics[0].range.end, nothing.instructions], [null, {}]);
    // Without a range, the counts are those of the end, once.
    equal("code/end", (await api(`/runs/${id}/annotation?procedure=${pc}`)).metrics.map(({ table, total, range }) => [table, total, range]), [[tables[1].id, times.at(-1), null]]);

    // ---- a range of another table, of bbv: the picture says that it is of the whole run ----
    const both = await page.open(path, [{ name: "hiprof" }, { name: "bbv", parameters: { interval: 5000 } }]);
    await page.go(`${server.origin}/#/results?run=${both.id}&view=flame&range=1-2`);
    await page.read("This picture is of the whole run, not of the chosen range: hiprof.out.tree has no stacks of these times.", ".lower");
    await page.choose("The command", ".lower summary");
    await page.read("every 5000 of executed", ".stacks-command");
    await page.choose("The command", ".lower summary");
    await page.looks("whole");
    // Beside the code, likewise; the button makes a run whose range has counts there.
    const counted = await page.open(path, [{ name: "pixie", parameters: { instructions: true } }, { name: "bbv", parameters: { interval: 5000 } }]);
    await page.go(`${server.origin}/#/results?run=${counted.id}&view=timeline&range=1-2&procedure=${pc}&name=is_safe`);
    await page.read("These counts are of the whole run, not of the chosen range: pixie has no counts at places of these times.", ".results-code");
    await page.looks("code-whole", [], [0, 3]);
    await page.choose("Run with stacks by time", ".results-code button");
    await until("a run with counts by time", async () => !(await page.address()).includes(`run=${counted.id}&`) && (await page.address()).includes("view=timeline"));
    const next = Number(/run=(\d+)/.exec(await page.address())[1]);
    equal("code/again", (await page.finished(next)).state, "finished");
    check("code/again-reports", (await api(`/runs/${next}/tables`)).tables.some((one) => one.report === "places.out by executed"));
    // Two tables of one counter: a range of one is a range of the other.
    const two = join(scratch, "two.atd");
    writeFileSync(two, `tool two "stacks and procedures"
counter all, at[string], calls[procs], live[string], other
for p in procs { before p all++, at[$stack]++, calls[p]++, live[$stack] += $all <= 600 ? 5 : 0 - 1, other += 3 }
report "none.out" "Other" other
every 300 of all report "stacks.out" for s in at "Stack" s.key, "Calls" s.count
every 300 of all report "procs.out" for p in procs where calls[p] > 0 "Procedure" p.name, "Calls" calls[p]
every 300 of all report "live.out" for s in live "Stack" s.key, "Live" s.count
every 700 of other report "others.out" for p in procs where calls[p] > 0 "Procedure" p.name, "Calls" calls[p]
`);
    const pair = await page.open(path, [{ path: two }]);
    const table = (report) => pair.tables.find((one) => one.report === report).id;
    await page.go(`${server.origin}/#/results?run=${pair.id}&view=tree&tree=${table("stacks.out")}&table=${table("procs.out by all")}&time=${table("procs.out by all")}&range=300-600`);
    await until("the same times", async () => (await said()).startsWith("all0to600:600of"));
    // Counts that become less are shown at the last time: those of place() and is_safe(), which go on, after the 600th call.
    await page.go(`${server.origin}/#/results?run=${pair.id}&view=tree&tree=${table("live.out")}&time=${table("procs.out by all")}&range=900-900`);
    await page.read("Counts of live.out become less, so the range has no sum.", ".tree-range");
    const live = (await api(`/tables/${table("live.out by all")}/rows?limit=10000&where=0=900`)).rows.filter((row) => row[2] > 0).map((row) => [row[1], row[2]]).sort();
    equal("level/itself", (await openAll()).filter(([, , own]) => own > 0).map(([key, , own]) => [key, own]).sort(), live);
    // Times of another counter are not these times.
    await page.go(`${server.origin}/#/results?run=${pair.id}&view=tree&tree=${table("stacks.out")}&time=${table("others.out by other")}&range=700-1400`);
    await page.read("This picture is of the whole run", ".lower");

    // ---- processes have times of their own ----
    const forked = await page.open(join(programs, "kin"), [{ path: two }]);
    await page.go(`${server.origin}/#/results?run=${forked.id}&view=tree&tree=${forked.tables.find((one) => one.report === "stacks.out").id}&time=${forked.tables.find((one) => one.report === "stacks.out by all").id}&range=300-600`);
    await page.read("Choose a process.", ".lower");
    await page.quiet();
    await page.close();
    await server.stop();
});
