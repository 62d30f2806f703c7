// researcher: many runs by one campaign: programs x sizes x ways in the form, planned, run, followed; the table on the screen is that of the
// command; a chart by panel, files of both; one run removed, and only that one made again.
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atomc, browse, check, equal, keys, programs, run as runCommand, scratch, size, testCase, until, workbench } from "../lib/webdriver.mjs";

const plain = (text) => text.replaceAll("\u2009", "").trim();
const project = join(scratch, "project");

/** The cells of a table on the screen, as words. */
const shownTable = (page) => page.evaluate(() => [...document.querySelectorAll("table.pivot")].map((table) => [...table.rows].map((row) => [...row.cells].filter((cell) => !cell.querySelector(".hidden")).map((cell) => cell.innerText.replaceAll("\u2009", "").trim()))));

/** The dots of the first panel: where each is, and its tip. */
const dots = (page) => page.evaluate(() => [...document.querySelector(".panel").querySelectorAll("[aria-label=dot] path")].map((one) => ({ place: one.getAttribute("transform").match(/-?[\d.]+/g).map(Number), tip: one.textContent })));
/** True if the places are the same linear function of all values. */
const linear = (pairs) => {
    const sorted = [...pairs].sort((one, other) => one[0] - other[0]);
    const [low, high] = [sorted[0], sorted.at(-1)];
    return pairs.length > 3 && high[0] > low[0] && pairs.every(([value, place]) => Math.abs(low[1] + ((value - low[0]) / (high[0] - low[0])) * (high[1] - low[1]) - place) < 0.2);
};

/** Several runs in a cell: their range in the table and in the chart; a logarithmic axis; one value against another. */
async function spreads(page, address) {
    const printed = JSON.parse(await runCommand(atomc, ["campaign", "rows", "campaigns/Cache-sizes-ways.json", "--format=json"], { cwd: project })).rows;
    const programs = [...new Set(printed.map((row) => row.program))];
    const heads = () => page.evaluate(() => [...document.querySelectorAll("table.pivot tbody th")].map((one) => one.innerText));
    await page.go(`${address}&rows=program&columns=size`);
    await until("a row for each program", async () => JSON.stringify(await heads()) === JSON.stringify(programs) && (await dots(page)).length > programs.length);
    const titles = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll("table.pivot tbody tr")].map((row) => [row.cells[0].innerText, [...row.querySelectorAll("td")].map((cell) => cell.title)])));
    const sizes = [...new Set(printed.map((row) => row.size))];
    const short = (value) => String(Number(value.toPrecision(5)));
    const rates = (program, bytes) => printed.filter((row) => row.program === program && row.size === bytes).map((row) => (100 * row.Misses) / row.References);
    const expected = Object.fromEntries(Object.keys(titles).map((program) => [program, sizes.map((bytes) => rates(program, bytes)).map((list) => (list.length === 0 ? "left out by the definition" : list.length > 1 ? `from ${short(Math.min(...list))} to ${short(Math.max(...list))} in ${list.length} runs` : ""))]));
    check("spread/some", Object.values(expected).flat().filter((text) => text.startsWith("from")).length > 4, JSON.stringify(expected));
    equal("spread", titles, expected);
    const bars = await page.evaluate(() => document.querySelectorAll(".panel [aria-label=rule] line").length);
    equal("spread/bars", bars - 1, Object.values(expected).flat().filter((text) => text.startsWith("from")).length);
    const value = (tip) => Number(/: ([\d.e+]+)/.exec(tip)[1]);
    check("axis/linear", linear((await dots(page)).map(({ place, tip }) => [value(tip), place[1]])), JSON.stringify(await dots(page)));
    await page.choose("logarithmic axis", "label.check");
    await until("the axis", async () => !linear((await dots(page)).map(({ place, tip }) => [value(tip), place[1]])));
    check("axis/logarithmic", linear((await dots(page)).map(({ place, tip }) => [Math.log(value(tip)), place[1]])), JSON.stringify(await dots(page)));
    await page.looks("logarithmic");
    await page.go(`${address}&rows=program&columns=size&chart=scatter&value=Misses&against=References`);
    const pair = /: ([\d.e+]+), ([\d.e+]+)/;
    await until("two values", async () => pair.test((await dots(page))[0]?.tip));
    const both = (await dots(page)).map(({ place, tip }) => ({ place, numbers: pair.exec(tip).slice(1).map(Number) }));
    equal("scatter/dots", both.length, Object.values(expected).flat().length - 1);
    check("scatter/places", linear(both.map(({ place, numbers }) => [numbers[0], place[0]])) && linear(both.map(({ place, numbers }) => [numbers[1], place[1]])), JSON.stringify(both));
    await page.looks("scatter");
}

await testCase(async () => {
    const server = await workbench(project);
    const page = await browse(server.address);
    const get = (path) => page.evaluate((to) => fetch(`/api/v1${to}`).then((answer) => answer.json()), path);
    const all = size === "all";

    // ---- what is there at first, and a title ----
    await page.click('.rail a[href^="#/campaigns"]');
    await page.read("This project has no campaigns yet", "main");
    await page.looks("empty");
    await page.type("form.open input", "Cache sizes & ways");
    await page.press(keys.Enter);
    await page.see(".campaign-form");
    equal("address", await page.address(), "#/campaigns?name=Cache-sizes-ways&title=Cache+sizes+%26+ways");

    // ---- the form: real programs, with an input; sizes and ways; a wrong value is said at its field ----
    const names = all ? Array.from({ length: 20 }, (_, at) => `program-${at + 1}`) : ["queens", "shapes", "bzip2"];
    const folder = all ? join(scratch, "stubs") : programs;
    if (all) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, "stub.s"), [".globl _start", ".ent _start", "_start: .frame $30,0,$26,0", ".prologue 0", "ldq $1, 0($30)", "lda $16, 0($31)", "lda $0, 1($31)", "call_pal 0x83", ".end _start", ""].join("\n"));
        for (const name of names) await runCommand("alpha-linux-gnu-gcc", ["-static", "-nostdlib", "-Wl,--no-relax", "stub.s", "-o", name], { cwd: folder });
        writeFileSync(join(scratch, "steps.atd"), `tool steps "instructions"\nparam int times = 1 "for each"\nparam int ways = 1 "more"\ncounter executed[procs]\nfor p in procs { for b in p.blocks { before b executed[p] += b.ninsts * times * ways } }\nreport "steps.out" for p in procs "Procedure" p.name, "References" executed[p] * 10, "Misses" executed[p]\n`);
    }
    for (const [at, name] of names.entries()) {
        await page.choose("another file …", '[aria-label="Add a program"] option');
        const field = `[aria-label="Programs"] > .chosen:nth-of-type(${at + 1}) input.path`;
        await page.type(field, join(folder, name));
    }
    if (!all) {
        // bzip2 says what it can do: a real program, and no work.
        await page.choose("Add an input", '[aria-label="Program bzip2"] button');
        await page.type('[aria-label="Name of input 1"]', "its help");
        await page.type('[aria-label="Arguments of its help"]', "--help");
    }
    await page.read("Choose at least one tool.", '[aria-label="Tools"]');
    await page.read("First choose a tool.", ".plan");
    if (all) {
        await page.choose("JSON", "[role=tab]");
        const definition = { campaign: "Cache sizes & ways", programs: names.map((name) => ({ path: join(folder, name), inputs: Array.from({ length: 5 }, (_, at) => ({ name: `input ${at + 1}`, arguments: [String(at)] })) })), tools: [{ path: join(scratch, "steps.atd"), as: "cache", parameters: { times: Array.from({ length: 10 }, (_, at) => at + 1), ways: [1] } }] };
        await page.evaluate((text) => {
            const view = document.querySelector(".cm-content").cmTile?.view ?? document.querySelector(".cm-content").cmView?.view;
            view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
        }, JSON.stringify(definition, null, 1));
    } else {
        const tool = await until("the tool cache", async () => (await page.texts('[aria-label="Add a tool"] option')).find((text) => text.startsWith("cache:")));
        await page.choose(tool, '[aria-label="Add a tool"] option');
        const cache = '[aria-label="Tool cache"]';
        const parameter = (name) =>
            until(`the field ${name}`, () => page.evaluate((css, one) => {
                const label = [...document.querySelectorAll(`${css} .parameter label`)].find((each) => each.innerText === one);
                document.getElementById(label?.htmlFor)?.setAttribute("data-field", one);
                return label && `[data-field="${one}"]`;
            }, cache, name));
        for (const [name, values] of [["size", "1024 4096"], ["ways", "1 2"]]) {
            await until(`the parameter ${name}`, () => page.evaluate((css, one) => [...document.querySelectorAll(`${css} option`)].some((option) => option.value === one), cache, name));
            const title = (await page.texts(`${cache} option`)).find((text) => text.startsWith(`${name}:`));
            await page.choose(title, `${cache} option`);
            await page.type(await parameter(name), values);
        }
        await page.read(`${names.length * 4} runs`, ".run-count");
        // Twice the last one is a button's work; a wrong one is said there.
        await page.click('[aria-label="add 8192 to size"]');
        await page.read(`${names.length * 6} runs`, ".run-count");
        await page.type('[data-field="size"]', "1024 4096 many");
        await page.read("must be an integer", `${cache} .parameter`);
        await page.looks("wrong");
        // The same document as text: the same error, at its place.
        await page.choose("JSON", "[role=tab]");
        await page.read("must be an integer", ".problems");
        await page.see(".cm-lint-marker-error");
        await page.looks("json");
        await page.choose("Form", "[role=tab]");
        await page.see('[aria-label="Tool cache"]');
        await page.type(await parameter("size"), "1024, 4096,16384");
        // A program less at the largest size.
        await page.choose("program", '[aria-label="Leave runs out"] option');
        await page.see('[aria-label="Exception 1"]');
        await page.choose("size", '[aria-label="Exception 1"] [aria-label="One condition more"] option');
    }
    const runs = all ? 1000 : names.length * 6 - 2;
    await page.read(`${all ? "1\u2009000" : runs} runs`, ".run-count");
    await page.looks("definition");

    // ---- run: a square each, live ----
    // Its text is looked at meanwhile: it is what is saved.
    await page.choose("JSON", "[role=tab]");
    await page.type(".engine .tiny", "2");
    await page.choose("Run", ".engine button");
    await page.see(".squares .square");
    await page.see(".squares .square.running");
    equal("squares", (await page.texts(".squares .square")).length, runs);
    await page.read("a minute", ".rate");
    await page.picture("researcher-live");
    await until("all runs are done", async () => (await page.evaluate(() => document.querySelectorAll(".squares a.square.done").length)) === runs, all ? 3000 : 240);
    const file = readFileSync(join(project, "campaigns/Cache-sizes-ways.json"), "utf8");
    check("text-saved", await page.evaluate(() => !document.querySelector("main").innerText.includes("not saved")), await page.text("main"));
    check("file", JSON.parse(file).campaign === "Cache sizes & ways" && file.split("\n").every((line) => line.length < 140), file);
    await page.looks("runs");
    // By keyboard to a run's results, and back.
    await page.reach('.squares [data-run="0"]', 40);
    await page.press(keys.Right, keys.Down, keys.Home, keys.Right);
    equal("keys", await page.evaluate(() => document.activeElement.dataset.run), "1");
    await page.press(keys.Enter);
    await until("the run's results", async () => (await page.address()).startsWith("#/results?run="));
    await page.back();
    await page.see(".squares .square");

    // ---- tables: what the command prints ----
    await page.choose("Tables and charts", "[role=tab]");
    await page.see("table.pivot td");
    const words = ["campaign", "table", "campaigns/Cache-sizes-ways.json", "--value=100 * Misses / References"];
    const same = async (test, more) => {
        const text = (await runCommand(atomc, [...words, ...more, "--format=csv"], { cwd: project })).trim();
        const tables = await shownTable(page);
        // Of both, the numbers as the text has them: 5 digits.
        const printed = (await runCommand(atomc, [...words, ...more], { cwd: project })).trim().split("\n");
        const found = tables.flatMap((table) => table.map((row) => row.map((cell) => (cell === "–" ? "" : cell)).join(" ").replace(/\s+/g, " ").trim()));
        const expected = printed.slice(1).filter((line) => line !== "" && !/^program = /.test(line)).map((line) => line.replace(/\s+/g, " ").trim());
        equal(test, found, expected);
        return text;
    };
    await same("pivot", []);
    await page.choose("geometric mean", ".controls .field:nth-last-child(2) option");
    await page.see("table.pivot tfoot");
    await same("pivot/geometric", ["--summary=geometric"]);
    await page.choose("One panel a program", "button");
    await until("a panel for each program", async () => (await page.texts(".panel figcaption")).length === Math.min(24, names.length));
    const rows = all ? "none" : "ways";
    const csv = await same("pivot/panels", ["--panels=program", `--rows=${rows}`, "--summary=geometric"]);
    await until("the charts", async () => (await page.evaluate(() => document.querySelectorAll(".panel svg circle, .panel svg [aria-label=dot] path").length)) >= names.length * 2);
    if (!all) {
        const marks = await page.evaluate(() => [...document.querySelectorAll(".panel")].map((panel) => panel.querySelectorAll("[aria-label=dot] path").length));
        equal("chart/marks", marks.slice(0, names.length), names.map((_, at) => (at === names.length - 1 ? 4 : 6)));
    }
    await page.documented("campaign-tables");
    await page.looks("tables");

    // ---- files: the table as the command writes it, the chart ----
    const link = await page.evaluate(() => [...document.querySelectorAll(".menu a")].find((one) => one.innerText === "CSV" || one.textContent === "CSV").getAttribute("href"));
    equal("csv", (await page.evaluate((to) => fetch(to).then((answer) => answer.text()), link)).trim(), csv);
    await page.download(scratch);
    await page.choose("Save the chart as SVG", "button");
    const saved = join(scratch, "Cache-sizes-ways.svg");
    await until("the file", () => existsSync(saved) && statSync(saved).size > 1000);
    const svg = readFileSync(saved, "utf8");
    check("svg", svg.startsWith("<svg ") && svg.includes(`program ${names[0]}`) && svg.includes("100 * Misses / References, by") && !svg.includes("var(--"), svg.slice(0, 1500));
    const well = await page.evaluate((text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror")?.textContent ?? "", svg);
    equal("svg/well-formed", well, "");

    // ---- one run is removed: hatched, and made again, it alone ----
    const made = (name) => { // a new file can get the number of a removed one
        const { ino, mtimeMs } = statSync(join(project, "runs", name, "run.json"));
        return `${ino} ${mtimeMs}`;
    };
    const before = Object.fromEntries(readdirSync(join(project, "runs")).filter((name) => !name.includes(".job")).map((name) => [name, made(name)]));
    const { runs: list } = await get("/campaigns/Cache-sizes-ways/status");
    const gone = list[1];
    await page.evaluate((id) => fetch(`/api/v1/runs/${id}`, { method: "DELETE", headers: { "Content-Type": "application/json" }, body: "{}" }), gone.id);
    await page.reload();
    await page.see("td.missing");
    await page.read("not collected", "main");
    await page.choose("Run the one that is missing", ".engine button");
    await until("it is there again", async () => (await page.evaluate(() => document.querySelectorAll(".squares a.square.done").length)) === runs, 120);
    const after = Object.fromEntries(readdirSync(join(project, "runs")).filter((name) => !name.includes(".job")).map((name) => [name, made(name)]));
    equal("only-that-one", Object.keys(after).filter((name) => after[name] !== before[name]), [gone.run]);
    await page.choose("Tables and charts", "[role=tab]");
    await until("the table is whole", async () => (await page.evaluate(() => document.querySelectorAll("table.pivot td").length > 0 && document.querySelectorAll("td.missing").length)) === 0);
    await same("pivot/again", ["--panels=program", `--rows=${rows}`, "--summary=geometric"]);
    if (!all) await spreads(page, `${server.origin}/#/campaigns?name=Cache-sizes-ways&part=tables`);
    await page.go(`${server.origin}/#/campaigns`);
    await page.read("Cache sizes & ways", "table.plain");
    await page.looks("list");
    await page.evaluate(() => (location.hash = "#/project"));
    await page.choose("Cache sizes & ways", "[aria-label=Campaigns] a");
    await page.see("table.pivot td");
    // A name that was not there is asked for, and a plan of what is being typed may be overtaken by the next.
    await page.quiet(/status of (404|400|409)/);
    await page.close();
    await server.stop();
});
