// program: the Program screen: facts, objects, procedures with counts, source beside disassembly, flow graph; what it shows is what atomc
// and the run's own text report say.
import { copyFileSync, mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atomc, bar, browse, check, equal, keys, plain, programs, run, scratch, testCase, top, until, workbench } from "../lib/webdriver.mjs";

const api = (page, path) => page.evaluate((to) => fetch(`/api/v1${to}`).then((answer) => answer.json()), path);
const post = (page, path, body) =>
    page.evaluate((to, what) => fetch(`/api/v1${to}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: what }).then((answer) => answer.json()), path, JSON.stringify(body));
const visit = (page, state) => page.evaluate((to) => (location.hash = to), `#/program?${new URLSearchParams(state)}`);
/** The environment of a run by hand. The C library executes instructions for each variable: with all of the caller's, its procedures may be the greatest. */
const alone = (out) => ({ PATH: process.env.PATH, ATOMC_OUT: join(scratch, out), ATOMC_FORMAT: "csv" });

const jsonLines = (text) => text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
const dump = async (what, only, program) => jsonLines(await run(atomc, ["--json", `--dump=${what}`, `--only=${only}`, program]));

/** All lines of an editor, with the cells beside them; as long as all of it is drawn. */
const lines = (page, label) =>
    page.evaluate((name) => {
        const editor = document.querySelector(`.cm-content[aria-label="${name}"]`)?.closest(".cm-editor");
        if (!editor) return [];
        const cells = [...editor.querySelectorAll(".cm-gutterElement")].filter((one) => one.style.visibility !== "hidden" && one.offsetHeight > 0);
        return [...editor.querySelectorAll(".cm-line")].map((line) => {
            const { top, bottom } = line.getBoundingClientRect();
            const middle = (top + bottom) / 2;
            const at = (kind) => cells.find((cell) => cell.closest(`.code-${kind}`) && cell.getBoundingClientRect().top <= middle && cell.getBoundingClientRect().bottom >= middle)?.innerText ?? "";
            return { text: line.innerText, selected: line.classList.contains("code-selected"), related: line.classList.contains("code-related"), line: at("line"), count: at("count"), address: at("address"), branch: at("branch") };
        });
    }, label);
/** C of a main with loops, branches and cells. */
function branchy(branches, more) {
    const lines = ["volatile long cells[64];", "int main(int at, char **words) {", "    (void)words;"];
    for (let i = 0; i < branches; i++) {
        if (i % 12 === 0) lines.push("    for (long turn = 0; turn < at; turn++) {");
        lines.push(`        if (cells[${i % 64}] ${["<", ">", "!="][i % 3]} at + ${i})`, `            cells[${(i * 7) % 64}] = ${i};`);
        if (i % 5 === 4) lines.push("        else", `            at += cells[${i % 9}];`);
        if (i % 12 === 11 || i === branches - 1) lines.push("    }");
    }
    for (let i = 0; i < more; i++) lines.push(`    if (cells[${i}])`, `        cells[${i}] = 0;`);
    return `${lines.join("\n")}\n    return 0;\n}\n`;
}
const selected = async (page, label) => (await lines(page, label)).find((one) => one.selected);

await testCase(async () => {
    // Sources of their own: they are moved and changed below.
    const sources = join(scratch, "sources");
    mkdirSync(sources);
    copyFileSync(join(top, "tests/tools/queens.c"), join(sources, "queens.c"));
    const queens = join(scratch, "queens");
    const build = (to) => run("alpha-linux-gnu-gcc", ["-O2", "-g", "-static", "-Wl,--no-relax", join(sources, "queens.c"), "-o", to]);
    await build(queens);
    const stripped = join(scratch, "stripped");
    await run("alpha-linux-gnu-strip", ["-o", stripped, queens]);

    const server = await workbench();
    const page = await browse(server.address, { width: 1600, height: 1000 });
    await page.read("There is no program");
    await page.evaluate(() => (location.hash = "#/program"));
    await page.read("There is no program in this project yet.");
    const numbers = {};
    for (const [name, path] of [["queens", queens], ["stripped", stripped], ["shapes", join(programs, "shapes")], ["hostile", join(programs, 'a <b> & "c"')]])
        numbers[name] = (await post(page, "/programs", { path })).id;

    // ---- a run, and the same tools by hand: their text reports are what the screen is held against ----
    const tools = [{ name: "pixie", parameters: { instructions: true } }, { name: "branch" }];
    const made = await post(page, "/runs", { program: { path: queens }, tools });
    await until("the run", async () => (await api(page, `/runs/${made.id}`)).state === "finished");
    const byHand = join(scratch, "by-hand");
    await run(atomc, ["-t", "pixie", "-D", "instructions=true", "-t", "branch", queens, "-o", byHand]);
    await run("qemu-alpha", [byHand], { cwd: scratch, env: alone("out") });
    const table = (name) =>
        readFileSync(join(scratch, "out", name), "utf8")
            .split("\n")
            .filter((line) => line.startsWith("0x"))
            .map((line) => line.split(","));
    const executed = new Map(table("pixie.out.instructions").map(([pc, count]) => [pc, count]));
    const branches = new Map(table("branch.out").map(([pc, taken, untaken]) => [pc, [Number(taken), Number(untaken)]]));

    // ---- the list of procedures ----
    await visit(page, { program: numbers.queens });
    await page.see("tr[data-procedure]");
    await page.read("debug information", ".chip");
    equal("facts", await page.evaluate(() => [...document.querySelectorAll("dl.facts dd")].map((one) => one.innerText)[0]), queens);
    const known = jsonLines(await run(atomc, ["--json", "--dump=procedures", queens]));
    equal("procedures", (await api(page, `/programs/${numbers.queens}/procedures?limit=10000&sort=pc`)).rows.map((row) => [row.pc, row.name, row.size, row.blocks, row.shape]), known.map((row) => [row.pc, row.name, row.size, row.blocks, row.shape]));
    const procedure = Object.fromEntries(known.map((row) => [row.name, row]));
    // Its counts are the sums of the blocks' instructions.
    const counts = await api(page, `/programs/${numbers.queens}/procedures?find=is_safe&limit=1`);
    const total = (row) => [...executed].filter(([pc]) => BigInt(pc) >= BigInt(row.pc) && BigInt(pc) < BigInt(row.pc) + BigInt(row.size)).reduce((all, [, count]) => all + Number(count), 0);
    equal("count", counts.rows[0].count, total(procedure.is_safe));
    const greatest = known.map((row) => [row.name, total(row)]).reduce((one, other) => (other[1] > one[1] ? other : one));
    const count_on_screen = async () => plain((await page.texts("tr[data-procedure] td.count"))[0]);
    await until("counts are shown", async () => (await count_on_screen()) === String(greatest[1]));
    equal("greatest-first", (await page.texts("tr[data-procedure] td.name"))[0], greatest[0]);
    await page.type("[data-filter]", "place");
    await until("the filter", async () => (await page.texts("tr[data-procedure] td.name"))[0] === "place");
    await page.type("[data-filter]", procedure.main.pc);
    await until("by address", async () => (await page.texts("tr[data-procedure] td.name")).join() === "main");
    await page.type("[data-filter]", "no such procedure");
    await page.read("No procedure has 'no such procedure'");
    await page.type("[data-filter]", "is_safe");
    await until("one", async () => (await page.texts("tr[data-procedure] td.name")).join() === "is_safe");
    // By keyboard: the list, down, open.
    await page.reach(".procedures .list");
    await page.press(keys.Down, keys.Enter);
    await page.see('.cm-content[aria-label="Disassembly"] .cm-line');

    // ---- the code: instructions, counts, branches, lines ----
    for (const name of ["is_safe", "place"]) {
        await visit(page, { program: numbers.queens, procedure: procedure[name].pc });
        const instructions = await dump("instructions", name, queens);
        await until(`the code of ${name}`, async () => (await lines(page, "Disassembly"))[0]?.address === instructions[0].pc.slice(-6));
        await until(`counts of ${name}`, async () => (await lines(page, "Disassembly"))[0]?.count !== "");
        const found = await lines(page, "Disassembly");
        equal(`${name}/instructions`, found.map((one) => plain(one.text.split("→")[0])), instructions.map((one) => plain(one.mnemonic + one.operands)));
        equal(`${name}/callees`, found.map((one) => (one.text.split("→ ")[1] ?? "").trim()), instructions.map((one) => one.callee));
        equal(`${name}/counts`, found.map((one) => plain(one.count)), instructions.map((one) => executed.get(one.pc) ?? ""));
        const taken = ({ pc }) => (branches.has(pc) ? `${((100 * branches.get(pc)[0]) / (branches.get(pc)[0] + branches.get(pc)[1])).toFixed(1)}%` : "");
        equal(`${name}/branches`, found.map((one) => plain(one.branch)), instructions.map(taken));
        const source = await lines(page, "Source");
        const text = readFileSync(join(sources, "queens.c"), "utf8").trimEnd().split("\n");
        equal(`${name}/source`, source.map((one) => one.text.trimEnd()), text.map((line) => line.trimEnd()));
        const sums = new Map();
        for (const one of instructions) if (executed.has(one.pc)) sums.set(one.line, (sums.get(one.line) ?? 0) + Number(executed.get(one.pc)));
        equal(`${name}/lines`, source.map((one) => plain(one.count)), text.map((line, index) => String(sums.get(index + 1) ?? "")));
    }
    await page.looks("code");
    await page.look({ width: 1600, height: 1000 });

    // ---- keyboard: arrows move in both, hot rows, calls, back ----
    const place = await dump("instructions", "place", queens);
    await page.reach('.cm-content[aria-label="Disassembly"]', 80);
    await page.press(keys.Home, keys.Down, keys.Down);
    equal("arrows", (await selected(page, "Disassembly")).address, place[2].pc.slice(-6));
    equal("arrows-move-the-source", (await selected(page, "Source")).line, String(place[2].line));
    equal("line-is-marked", (await lines(page, "Disassembly")).flatMap((one, index) => (one.selected || one.related ? [index] : [])), place.flatMap((one, index) => (one.line === place[2].line ? [index] : [])));
    const hottest = place.map((one) => one.pc).sort((left, right) => Number(executed.get(right) ?? 0) - Number(executed.get(left) ?? 0) || (BigInt(left) < BigInt(right) ? -1 : 1));
    await page.press("]");
    equal("hottest", (await selected(page, "Disassembly")).address, hottest[0].slice(-6));
    await page.press("]");
    equal("next-hottest", (await selected(page, "Disassembly")).address, hottest[1].slice(-6));
    await page.press("[");
    equal("hottest-again", (await selected(page, "Disassembly")).address, hottest[0].slice(-6));
    const call = place.findIndex((one) => one.callee === "is_safe");
    await page.press(keys.Home, ...Array(call).fill(keys.Down), keys.Enter);
    await until("Enter follows the call", async () => (await page.address()).includes(`procedure=${procedure.is_safe.pc}`));
    await page.read("is_safe", ".procedure .what");
    await page.back();
    await until("back", async () => (await page.address()).includes(`procedure=${procedure.place.pc}`));
    await page.read("place", ".procedure .what");
    check("back-is-where-it-was", (await page.address()).includes(`at=${place[call].pc}`), await page.address());
    await page.reach('.cm-content[aria-label="Disassembly"]', 80);
    await page.press("/");
    equal("filter-key", await page.evaluate(() => document.activeElement.hasAttribute("data-filter")), true);

    // ---- interleaved: every instruction in order, each line before its first ----
    await page.choose("Interleaved", "[role=tab]");
    await page.see('.cm-content[aria-label="Source and disassembly"]');
    const mixed = await until("interleaved", async () => {
        const all = await lines(page, "Source and disassembly");
        return all.some((one) => /is_safe\(row, column\)/.test(one.text)) && all;
    });
    const drawnCode = mixed.filter((one) => one.address).map((one) => one.address);
    equal("interleaved", drawnCode, place.slice(0, drawnCode.length).map((one) => one.pc.slice(-6)));
    check("interleaved/many", drawnCode.length > 30, drawnCode.length);
    await page.picture("program-interleaved");

    // ---- the flow graph: blocks, counts, shares ----
    await page.look({ width: 1600, height: 1000 });
    await page.choose("Flow graph", "[role=tab]");
    await page.see(".graph-block");
    const places = await dump("cfg", "place", queens);
    const blocks = places.filter((one) => one.place === "block");
    const drawn = () => page.evaluate(() => [...document.querySelectorAll(".graph-block:not(.folded)")].map((one) => [one.dataset.block, one.querySelector("text").textContent]));
    const live = blocks.filter((one) => executed.has(one.pc) || one.is_entry);
    equal("graph/blocks", (await drawn()).map(([pc, head]) => [pc, plain(head)]), live.map((one) => [one.pc, one.pc.slice(2) + (executed.get(one.pc) ?? "")]));
    const folded = await page.evaluate(() => [...document.querySelectorAll(".graph-block.folded text")].map((one) => one.textContent));
    equal("graph/folds", folded.reduce((all, text) => all + Number(/^(\d+) blocks? never executed$/.exec(text)?.[1]), 0), blocks.length - live.length);
    check("graph/folds-something", folded.length > 0);
    const shares = await page.evaluate(() => [...document.querySelectorAll(".graph-share")].map((one) => one.textContent));
    for (const one of blocks.filter((block) => branches.has(block.last))) {
        const [taken, untaken] = branches.get(one.last);
        check(`graph/share-${one.last}`, shares.includes(`${((100 * taken) / (taken + untaken)).toFixed(1)} %`), shares);
    }
    const back = places.filter((one) => one.place === "edge" && one.is_back).map((one) => `${one.from} ${one.to}`);
    equal("graph/back", (await page.evaluate(() => [...document.querySelectorAll(".graph-edge.back")].map((one) => one.dataset.edge))).sort(), back.sort());
    await page.click(".graph-pane input[type=checkbox]");
    await until("unfolded", async () => (await drawn()).length === blocks.length);
    await page.click(".graph-pane input[type=checkbox]");
    await page.reach(".graph-box", 80);
    const before = await page.address();
    await page.press(keys.Down);
    await until("an arrow follows an edge", async () => (await page.address()) !== before);
    await page.looks("graph");
    await page.look({ width: 1600, height: 1000 });

    // ---- large procedures: 300 blocks in 4 s, and the page answers meanwhile; more are listed first ----
    const large = (await api(page, `/programs/${numbers.queens}/procedures?sort=-blocks&limit=100`)).rows;
    const over = large.find((row) => row.blocks > 300);
    // A program whose main has just 300, and a real procedure of some more.
    const branchyProgram = join(scratch, "branchy");
    let most;
    for (let tried = 0; tried < 24 && most?.blocks !== 300; tried++) {
        writeFileSync(join(scratch, "branchy.c"), branchy(121 + Math.floor(tried / 4), tried % 4));
        await run("alpha-linux-gnu-gcc", ["-O1", "-static", "-Wl,--no-relax", join(scratch, "branchy.c"), "-o", branchyProgram]);
        most = jsonLines(await run(atomc, ["--json", "--dump=procedures", branchyProgram])).find((row) => row.name === "main");
    }
    equal("large/blocks", most.blocks, 300);
    numbers.branchy = (await post(page, "/programs", { path: branchyProgram })).id;
    await page.evaluate(() => {
        window.longest = 0;
        let last = performance.now();
        setInterval(() => {
            const now = performance.now();
            window.longest = Math.max(window.longest, now - last - 10);
            last = now;
        }, 10);
    });
    const draw = async (what, { name, blocks }, begin) => {
        await page.evaluate(() => (window.longest = 0));
        const started = Date.now();
        await begin();
        await until("a large graph", () => page.evaluate((count) => document.querySelectorAll(".graph-block").length === count, blocks));
        const [took, longest] = [Date.now() - started, await page.evaluate(() => Math.round(window.longest))];
        console.log(`# ${name}: ${blocks} blocks drawn in ${took} ms; the page did not answer for ${longest} ms at most`);
        if (blocks === 300) bar("a flow graph of 300 blocks drawn", took, "ms", 4000);
        if (blocks === 300) bar("the page without an answer meanwhile, at most", longest, "ms", 200);
    };
    await draw("large", most, () => visit(page, { program: numbers.branchy, procedure: most.pc, view: "graph", run: "none" }));
    const real = [...large].reverse().find((row) => row.blocks > 300);
    await visit(page, { program: numbers.queens, procedure: real.pc, view: "graph", run: "none" });
    await page.read(`Draw ${real.blocks} blocks anyway`, "button");
    await draw("large-real", real, () => page.choose(`Draw ${real.blocks} blocks anyway (about ${Math.ceil(real.blocks / 100)} s)`, "button"));
    await visit(page, { program: numbers.queens, procedure: over.pc, view: "graph", run: "none" });
    await page.read(`Draw ${over.blocks} blocks anyway`, "button");
    equal("large/list", await page.evaluate(() => document.querySelectorAll(".graph-list tbody tr").length), over.blocks);
    // Long code is drawn as far as it is visible.
    await visit(page, { program: numbers.queens, procedure: over.pc, view: "code", run: "none" });
    await page.see('.cm-content[aria-label="Disassembly"] .cm-line');
    check("long/only-what-is-visible", (await page.evaluate(() => document.querySelectorAll(".cm-line").length)) < 200);
    await page.reach('.cm-content[aria-label="Disassembly"]', 80);
    await page.press(keys.End);
    const last = (await dump("instructions", over.pc, queens)).at(-1);
    await until("the last row", async () => (await selected(page, "Disassembly"))?.address === last.pc.slice(-6));

    // ---- sources: moved, newer, and a program that has changed ----
    const moved = join(scratch, "moved");
    renameSync(sources, moved);
    await visit(page, { program: numbers.queens, procedure: procedure.main.pc });
    await page.read("The source is not there:", ".code-missing");
    await page.looks("no-source");
    await page.type("#code-folder", join(scratch, "nowhere"));
    await page.press(keys.Enter);
    await page.see(".code-missing .notice.error");
    await page.type("#code-folder", moved);
    await page.press(keys.Enter);
    await page.see('.cm-content[aria-label="Source"] .cm-line');
    const now = Date.now() / 1000;
    utimesSync(join(moved, "queens.c"), now + 100, now + 100);
    await page.reload();
    await page.read("This source differs", ".code .notice");
    writeFileSync(join(moved, "queens.c"), "// nothing\n");
    await page.reload();
    await page.read("it has fewer lines", ".code .notice");
    copyFileSync(stripped, queens);
    await page.reload();
    await page.read("has changed", ".notice");

    // ---- libraries: check boxes; a run of one has its counts where the list of all has its procedures ----
    const dynamic = join(scratch, "dynamic");
    await run("alpha-linux-gnu-gcc", ["-O2", "-Wl,--no-relax", join(top, "tests/tools/queens.c"), "-o", dynamic]);
    const shared = await post(page, "/programs", { path: dynamic });
    await visit(page, { program: shared.id });
    await page.see("input[data-object='libc.so.6.1']");
    await until("the program alone", async () => (await page.text(".procedures .head"))?.includes(" of "));
    await page.click("input[data-object='libc.so.6.1']");
    await until("with a library", async () => (await page.address()).includes("libc.so.6.1"));
    const listed = async (more) => (await api(page, `/programs/${shared.id}/procedures?limit=10000&${more}`)).rows;
    equal("objects/library", (await listed("objects=2&find=printf")).every((row) => row.object === 2 && BigInt(row.pc) >= BigInt(shared.objects[2].base)), true);
    const some = await post(page, "/runs", { program: { path: dynamic }, objects: "libc", tools: [{ name: "prof" }] });
    await until("the library's run", async () => (await api(page, `/runs/${some.id}`)).state === "finished");
    const libraryByHand = join(scratch, "library");
    const counted = new Map((await listed(`run=${some.id}&objects=2`)).filter((row) => row.count !== null).map((row) => [row.name, row.count]));
    const others = (await listed(`run=${some.id}&objects=0,1`)).filter((row) => row.count !== null);
    check("objects/no-others", others.length === 0, others);
    await run(atomc, ["--objects=libc", "-t", "prof", dynamic, "-o", libraryByHand]);
    await run("qemu-alpha", ["-L", "/usr/alpha-linux-gnu", libraryByHand], { cwd: scratch, env: alone("library-out") });
    const rows = readFileSync(join(scratch, "library-out", "prof.out"), "utf8").split("\n").filter((line) => line.startsWith("0x")).map((line) => line.split(","));
    // What is printed is the same; where the program stands is not, and that is looked at, too.
    const named = rows.filter(([, , , name]) => /print|xsput|overflow|allocbuf|write|exit/.test(name));
    const differing = named.filter(([, count, , name]) => counted.get(name) !== Number(count));
    // The list of programs says what each consists of: what the program asks for, by other code than atomc's.
    await page.evaluate(() => (location.hash = "#/project"));
    const ofProgram = (name) => page.evaluate((words) => [...document.querySelectorAll("[aria-label=Programs] tbody tr")].find((row) => row.cells[0].innerText === words)?.cells[2].innerText, name);
    await until("the list of programs", async () => await ofProgram("dynamic"));
    const needed = [...(await run("alpha-linux-gnu-readelf", ["-d", "-l", dynamic])).matchAll(/Shared library: \[(.*)\]|interpreter: .*\/(.*)\]/g)].map((found) => found[1] ?? found[2]);
    equal("objects/in-project", (await ofProgram("dynamic")).split(", ").sort(), needed.sort());
    equal("objects/in-project-static", await ofProgram("stripped"), "static");
    check("objects/counts", named.length > 4 && differing.length === 0, `${named.length} compared; ${JSON.stringify(differing)}`);

    // ---- stripped: names are made up, and it says so ----
    await visit(page, { program: numbers.stripped });
    await page.read("stripped", ".chip");
    await page.read("made-up names", "dl.facts");
    await page.see("tr[data-procedure]");
    check("stripped/names", (await api(page, `/programs/${numbers.stripped}/procedures?find=proc_at_0x&limit=1`)).shown > 100);
    await visit(page, { program: numbers.stripped, procedure: procedure.is_safe.pc });
    await page.read("There is no debug information for this procedure", ".notice");

    // ---- hostile names are text ----
    await visit(page, { program: numbers.hostile });
    await page.read('a <b> & "c"', "h1");
    await visit(page, { program: numbers.shapes, find: "Regular<3>" });
    await until("C++ names", async () => (await page.texts("tr[data-procedure] td.name")).some((name) => name.includes("shapes::Regular<3>::area() const")));
    await page.choose("shapes::Regular<3>::area() const", "td.name a");
    await page.read("shapes::Regular<3>::area() const", ".procedure .what");
    equal("hostile/elements", await page.evaluate(() => document.querySelectorAll("main b, main script, main int").length), 0);

    // ---- the server: what is refused ----
    const status = (path) => page.evaluate((to) => fetch(`/api/v1${to}`).then((answer) => answer.status), path);
    equal("refused/no-program", await status("/programs/999"), 404);
    equal("refused/no-procedure", await status(`/programs/${numbers.queens}/procedures/0x10`), 400);
    equal("refused/folder", await status("/files?folder=/etc"), 403);
    equal("outside/source", (await api(page, `/programs/${numbers.queens}/source?path=/etc/passwd`)).state, "outside");
    equal("outside/upwards", (await api(page, `/programs/${numbers.queens}/source?path=${scratch}/../../../../etc/passwd`)).text, null);
    equal("roots", (await api(page, "/files")).files.every((one) => one.folder), true);
    await page.quiet(/status of 40[0-9]|favicon/);
    await server.stop();
});
