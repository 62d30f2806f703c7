// compare: a program before and after a change: the numbers on the screen are those of atomc diff of the same two runs, in both groups, with
// the hidden rows; source and disassembly of both; the flame graph; lines that are executed in one only. Two sizes of a cache. By keys;
// runs that cannot be compared; names of enemies.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { atomc, browse, check, equal, firstCount, keys, programs, run, scratch, testCase, until, workbench } from "../lib/webdriver.mjs";

const plain = (text) => text.replace(/[\u2009 ]/g, "").replace(/−/g, "-");
const hostile = `<img src=x onerror="document.title='broken'"> & 'quoted'`;

await testCase(async () => {
    const server = await workbench();
    const page = await browse(`${server.address}#/compare`);
    await page.read("There are no runs yet");

    // ---- four runs: before, after; a cache of two sizes ----
    const make = (jobs) =>
        page.evaluate(
            (folder, list) =>
                import("/web/api.js").then(async ({ get, post }) => {
                    const ids = [];
                    for (const { path, tools } of list) {
                        await post("/programs", { path: `${folder}/${path}` });
                        ids.push((await post("/runs", { program: { path: `${folder}/${path}` }, tools })).id);
                    }
                    return ids;
                }),
            programs,
            jobs,
        );
    const tools = [{ name: "hiprof" }, { name: "coverage", parameters: { tables: true } }];
    const [before, after, small, large, other] = await make([
        { path: "before/walk", tools },
        { path: "after/walk", tools },
        { path: "before/walk", tools: [{ name: "cache", parameters: { size: 1024 } }] },
        { path: "before/walk", tools: [{ name: "cache", parameters: { size: 4096 } }] },
        { path: 'a <b> & "c"', tools: [{ name: "prof" }] },
    ]);
    const over = async (id) =>
        until(
            `run ${id} is over`,
            async () => {
                const found = await page.evaluate((number) => import("/web/api.js").then(({ get }) => get(`/runs/${number}`)), id);
                return ["finished", "failed", "stopped"].includes(found.state) && found;
            },
            120,
        );
    const runs = [];
    for (const id of [before, after, small, large, other]) runs.push(await over(id));
    equal("states", runs.map((one) => one.state), Array(5).fill("finished"));
    const folder = (at) => join(scratch, "project", runs[at].folder);
    const ask = (path) => page.evaluate((words) => import("/web/api.js").then(({ get }) => get(words)), path);

    // ---- the tables of atomc diff, as text ----
    const diff = async (...words) =>
        (await run(atomc, ["diff", ...words]))
            .replace(/^atomc: note: .*\n/gm, "")
            .split(/\n\n/)
            .map((part) => part.trimEnd().split("\n"))
            .map((lines) => {
                const from = lines.findIndex((line) => line.startsWith("State\t"));
                const titles = lines[from].split("\t");
                const rows = lines.slice(from + 1, -1).map((line) => Object.fromEntries(line.split("\t").map((cell, index) => [titles[index], cell])));
                return { name: lines[from - 1].split(":")[0], headline: lines[from - 1], rows, hidden: lines.at(-1) };
            });
    const expected = await diff(folder(0), folder(1));
    const numbers = (text) => text.match(/\d+/g).slice(0, 2);
    /** The rows of a group on the screen, with the titles. */
    const group = (name) =>
        page.evaluate((which) => {
            const titles = [...document.querySelectorAll(`.compare-group.${which} col`)].map((one) => one.dataset.title);
            return [...document.querySelectorAll(`.compare-group.${which} tbody tr`)].map((row) => Object.fromEntries([...row.cells].map((cell, index) => [titles[index], cell.innerText.trim()])));
        }, name);

    // ---- from the results of the run after it: a button ----
    await page.evaluate((number) => (location.hash = `#/results?run=${number}`), after);
    await page.choose("Compare", "a.button");
    await until("the run before", async () => (await page.address()).includes(`a=${before}`));
    await page.see(".compare-differences li");
    const differences = await page.texts(".compare-differences li");
    check("build-differs", differences.some((one) => one.startsWith("build")) && !differences.some((one) => /size|arguments/.test(one)), differences);

    // ---- the numbers on the screen are those of the text ----
    const wanted = expected.find((one) => one.name === "hiprof hiprof.out");
    await until("the table of hiprof", async () => (await page.texts(".tables [role=tab]")).length === expected.length);
    await page.choose("hiprof", ".tables [role=tab]");
    // The first count says whether it is more; rows that are equal in it stand apart.
    const sign = (row) => Math.sign(Number(row["Instructions B-A"]));
    const [more, less, other_counts] = [1, -1, 0].map((which) => wanted.rows.filter((row) => sign(row) === which));
    const inWords = (row) => ["Procedure", "Instructions A", "Instructions B", "Instructions B-A"].map((title) => plain(row[title] ?? "?").replace(/^\+/, "").replace("–", "-")).join(" ");
    // The page shows the quotient as a change in per cent.
    const shares = (rows) => rows.map((row) => plain(row["Instructions B/A"]).replace("−", "-"));
    const expectedShares = (rows) =>
        rows.map((row) => {
            const [a, b] = [Number(row["Instructions A"]), Number(row["Instructions B"].replace(/^-$/, "0"))];
            const share = (100 * (b - a)) / a;
            return row["Instructions B/A"] === "-" ? "–" : `${share > 0 ? "+" : ""}${Math.abs(share) < 0.05 && share !== 0 ? Number(share.toPrecision(2)) : share.toFixed(1)}%`;
        });
    await until("the rows", async () => (await group("more")).length === Math.min(100, more.length) && (await group("less")).length === Math.min(100, less.length));
    equal("more", (await group("more")).map(inWords), more.map(inWords));
    equal("less", (await group("less")).map(inWords), less.map(inWords));
    equal("more-percent", shares(await group("more")), expectedShares(more));
    equal("less-percent", shares(await group("less")), expectedShares(less));
    // The headline is that of the text: "hiprof hiprof.out: Instructions 1000 in A, 972 in B, -28 (-2.8 %)".
    const [, sumA, sumB, change, share] = /: Instructions (\d+) in A, (\d+) in B, [-+](\d+) \([-+]([\d.]+) %\)/.exec(wanted.headline);
    const headline = plain(await page.text(".compare-headline > span"));
    equal("headline", headline, `Bexecutes${share}%${Number(sumB) > Number(sumA) ? "more" : "fewer"}instructions,${change}(${sumA}inA,${sumB}inB)`);
    await page.read("As many instructions, other counts differ", ".compare-group.other h3");
    await until("the other rows", async () => (await group("other")).length === Math.min(100, other_counts.length));
    const withTotal = (row) => `${inWords(row)} ${plain(row["Total B-A"]).replace(/^\+/, "")}`;
    equal("other", (await group("other")).map(withTotal), other_counts.map(withTotal));
    check("other-some", other_counts.some((row) => row["Total B-A"] !== "0") && other_counts.every((row) => ["other", "new", "gone"].includes(row.State)), other_counts);
    // A column has one place in all groups, also when one of them is scrolled.
    const places = () =>
        page.evaluate(() =>
            [...document.querySelectorAll(".compare-group table")].map((table) => {
                const titles = [...table.querySelectorAll("col")].map((one) => one.dataset.title);
                return titles.map((title, at) => {
                    const { left, right } = table.tBodies[0].rows[0].cells[at].getBoundingClientRect();
                    return `${title} ${Math.round(left)} ${Math.round(right)}`;
                });
            }),
        );
    for (const width of [1280, 1600]) {
        await page.look({ width });
        await page.settled();
        const [first, ...others] = await places();
        check(`aligned-${width}`, first.length > 8 && others.length === 2, first);
        for (const one of others) equal(`aligned-${width}`, one, first);
        await page.evaluate(() => (document.querySelector(".compare-group.less .table-scroll").scrollLeft = 40));
        await until("all are scrolled", async () => (await places()).every((one, _, [begun]) => one.join() === begun.join()));
        await page.evaluate(() => (document.querySelector(".compare-group.more .table-scroll").scrollLeft = 0));
        await until("all are scrolled back", async () => JSON.stringify(await places()) === JSON.stringify([first, ...others]));
    }
    await page.look({ width: 1280 });
    check("has-both", more.some((row) => row.Procedure === "binary") && less.some((row) => row.Procedure === "linear"), [more, less]);
    const said = plain(await page.text(".compare-summary"));
    check("summary/words", /by Procedure, File$/.test((await page.text(".compare-summary")).trim()), await page.text(".compare-summary"));
    check("hidden", numbers(wanted.hidden).every((number, at) => said.includes(`${number}${Number(number) === 1 ? (at ? "differsby" : "rowisequal") : at ? "differby" : "rowsareequal"}`)), `${said} / ${wanted.hidden}`);

    // The command of the footer prints them.
    const command = await page.text("footer code");
    check("command", command.startsWith("atomc diff ") && command.includes(folder(0)) && command.includes(folder(1)), command);
    const printed = await run("sh", ["-c", command.replace(/^atomc/, `'${atomc}'`)]);
    check("command-prints", printed.includes(wanted.hidden) && more.every((row) => printed.includes(`${row.Procedure}\t`)), printed);
    const number = (await ask(`/compare?a=${before}&b=${after}`)).tables.find((one) => one.report === "hiprof.out").number;
    const csv = await page.evaluate((path) => fetch(path).then((answer) => answer.text()), `/api/v1/export/compare/table.csv?a=${before}&b=${after}&table=${number}`);
    equal("export", csv.trim().split("\n").length, wanted.rows.length + 1);

    // ---- a threshold, by keys; none ----
    await page.type("#compare-threshold", "0");
    const whole = (await diff("--threshold=0", folder(0), folder(1))).find((one) => one.name === wanted.name);
    await until("all differences", async () => (await page.text(".compare-summary")).includes("differ by less than 0 %"));
    await until("all rows", async () => (await group("more")).length + (await group("less")).length + (await group("other")).length === whole.rows.length);
    check("threshold-address", (await page.address()).includes("threshold=0"), await page.address());
    await page.type("#compare-threshold", "x");
    await page.read("The threshold is a number");
    await page.type("#compare-threshold", "0.1");
    await until("the default is back", async () => !(await page.address()).includes("threshold="));
    await page.evaluate(() => document.activeElement.blur());
    await page.press("/", ..."binar");
    await until("one row", async () => (await group("more")).length === 1 && (await group("less")).length === 0);
    await page.read("No row with 'binar' is less in B", ".compare-group.less");
    await page.type("input[data-filter]", " ");
    await page.evaluate(() => {
        const field = document.querySelector("input[data-filter]");
        field.value = "";
        field.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await until("all rows again", async () => (await group("less")).length === less.length);

    // ---- a row chosen by keys: the flame graph, source and disassembly of both ----
    await page.evaluate(() => document.querySelector(".compare-group.less tbody tr").focus());
    await page.press(keys.Enter);
    await until("linear is chosen", async () => (await page.address()).includes("name=linear"));
    await page.see(".flame canvas[data-drawn]");
    await page.evaluate(() => document.querySelector(".flame canvas").focus());
    await page.press(keys.Down, keys.Down);
    const tree = expected.find((one) => one.name === "hiprof hiprof.out.tree").rows;
    const text = plain(await until("a box is chosen", async () => /A .* B /.test(await page.text(".flame-said")) && page.text(".flame-said")));
    const sums = await page.evaluate(() => fetch(`/api/v1/compare/tree?a=${new URLSearchParams(location.hash.split("?")[1]).get("a")}&b=${new URLSearchParams(location.hash.split("?")[1]).get("b")}&table=${[...document.querySelectorAll(".tables [role=tab]")].findIndex((one) => one.innerText.includes("tree"))}`).then((answer) => answer.json()));
    const metric = sums.metrics.find((one) => one.title === "Instructions");
    const path = (node) => (node ? [...path(sums.parent[node - 1]), sums.names[sums.name[node - 1]]] : []);
    // Each path that differs is in the text of atomc diff, with the same values.
    const inTree = new Map(tree.map((row) => [row.Path, [row["Instructions A"], row["Instructions B"]].map((one) => (one === "-" ? 0 : Number(one)))]));
    const found = new Map(sums.parent.map((_, at) => [path(at + 1).join(";"), [metric.a[at], metric.b[at]]]));
    check("tree", inTree.size > 1 && [...inTree].every(([key, values]) => JSON.stringify(found.get(key)) === JSON.stringify(values)), [...inTree].slice(0, 3));
    check("flame-said", /A\d+·B\d+·B-A/.test(text), text);
    const root = [metric.a, metric.b].map((values) => values.reduce((all, value) => all + value, 0));
    await page.press(keys.Up, keys.Up, keys.Up);
    await page.read("_start", ".flame-said strong");
    check("flame-root", plain(await page.text(".flame-said")).startsWith(`_startA${root[0]}·B${root[1]}`), `${await page.text(".flame-said")} ${root}`);

    await page.choose("Source", ".compare-view [role=tab]");
    await page.evaluate(() => (location.hash = location.hash.replace(/name=[^&]*/, "name=sum")));
    await page.see(".compare-merge .cm-changedLine");
    const changed = await page.texts(".compare-merge .cm-changedLine");
    check("source-changed", changed.some((one) => one.includes("search(numbers[i], 1)")) && changed.some((one) => one.includes("search(numbers[i], 0)")), changed);
    await page.choose("Disassembly", ".compare-view [role=tab]");
    await page.evaluate(() => (location.hash = location.hash.replace(/name=[^&]*/, "name=linear")));
    await page.read("linear", ".compare-code-head strong");
    const counts = await until("counts of both", async () => {
        const all = await page.evaluate(() => [".cm-merge-a", ".cm-merge-b"].map((side) => [...document.querySelectorAll(`.compare-merge ${side} .code-count .cm-gutterElement`)].filter((one) => one.getBoundingClientRect().height > 0).map((one) => one.innerText.trim())));
        return all[0].some((one) => /^\d/.test(one)) && all;
    });
    // Of A those of its table; in B nothing of it was executed.
    const out = join(folder(0), "out", readdirSync(join(folder(0), "out"))[0]);
    const file = readdirSync(out)
        .filter((one) => one.endsWith(".rows"))
        .map((one) => readFileSync(join(out, one), "utf8"))
        .find((words) => JSON.parse(words.split("\n", 1)[0]).report === "coverage.out.instructions");
    const executed = file
        .split("\n")
        .filter((line) => line.startsWith("["))
        .map((line) => JSON.parse(line))
        .filter((row) => row[2] === "linear")
        .map((row) => String(row[1]));
    const shownCounts = counts[0].map(plain).filter((one) => /^\d+$/.test(one));
    check("disassembly-counts", executed.length > 3 && shownCounts.length > 3 && shownCounts.every((one) => executed.includes(one)), { shownCounts, executed });
    check("disassembly-other", !counts[1].some((one) => /^[1-9]/.test(one)), counts[1]);

    // ---- lines ----
    await page.choose("Coverage", ".compare-view [role=tab]");
    const lines = async (at) => page.evaluate((place) => [...document.querySelectorAll(".compare-lines")[place].querySelectorAll("tbody tr")].map((row) => `${row.cells[0].innerText}:${row.cells[1].innerText}`), at);
    const source = readFileSync(join(programs, "../sources/before/walk.c"), "utf8").split("\n");
    const lineOf = (words) => source.findIndex((line) => line.includes(words)) + 1;
    // Each table comes by itself.
    const [covered, uncovered] = await until("both tables", async () => {
        const tables = (await page.evaluate(() => document.querySelectorAll(".compare-lines").length)) === 2 && [await lines(0), await lines(1)];
        return tables && tables.every((rows) => rows.length > 0) && tables;
    });
    check("covered", covered.includes(`walk.c:${lineOf("int middle")}`) && !covered.includes(`walk.c:${lineOf("at++")}`), covered);
    check("uncovered", uncovered.includes(`walk.c:${lineOf("at++")}`) && !uncovered.includes(`walk.c:${lineOf("int middle")}`), uncovered);

    // ---- back and reload ----
    const there = await page.address();
    await page.reload();
    await page.see(".compare-lines tbody tr");
    equal("reload", await page.address(), there);

    // ---- two sizes of a cache: ratios are recomputed, what differs is said ----
    await page.evaluate((a, b) => (location.hash = `#/compare?a=${a}&b=${b}&threshold=0`), small, large);
    await page.read("size", ".compare-differences");
    const chip = (await page.texts(".compare-differences li")).map(plain);
    equal("parameter", chip, ["cache:size1024→4096"]);
    const sizes = await diff("--threshold=0", folder(2), folder(3));
    const answer = await ask(`/compare/rows?a=${small}&b=${large}&table=0&threshold=0&limit=10000`);
    const asText = (value, column) => (value === null ? "-" : column.type === "real" ? Number(value).toFixed(2) : String(value));
    equal("cache", answer.rows.map((row) => row.map((value, at) => asText(value, answer.columns[at])).join("\t")).sort(), sizes[0].rows.map((row) => Object.values(row).join("\t")).sort());
    check("cache-some", sizes[0].rows.length > 0, sizes);

    // ---- the same run twice; runs that cannot be compared; names of enemies ----
    await page.evaluate((id, name) => import("/web/api.js").then(({ patch }) => patch(`/runs/${id}`, { name })), other, hostile);
    await page.evaluate((a) => (location.hash = `#/compare?a=${a}&b=${a}`), before);
    await page.read("the same run");
    await page.read("Nothing is more in B");
    await page.evaluate((a, b) => (location.hash = `#/compare?a=${a}&b=${b}`), before, other);
    await page.read("have no table in common");
    await page.read("prof: prof.out: prof was not run there");
    await page.reload();
    await page.see("#compare-b option");
    check("hostile", (await page.texts("#compare-b option")).some((one) => one.includes(hostile)) && (await page.evaluate(() => document.title)) !== "broken", await page.texts("#compare-b option"));
    await page.evaluate((b) => (location.hash = `#/compare?b=${b}`), other);
    await page.read("There is no run before");
    await page.evaluate((a) => (location.hash = `#/compare?a=${a}&b=999`), before);
    await page.read("there is no run 999");

    // ---- how it looks ----
    await page.evaluate((a, b, table) => (location.hash = `#/compare?a=${a}&b=${b}&table=${table}&name=search`), before, after, number);
    await page.see(".flame canvas[data-drawn]");
    await page.see(".compare-group.less tbody tr");
    for (const width of [1280, 1600]) {
        await page.look({ width });
        equal(`whole-${width}`, await firstCount(page), []);
    }
    const titles = await page.evaluate(() => [...document.querySelectorAll(".compare-group.more thead tr")].map((row) => [...row.cells].map((one) => one.innerText.trim())));
    check("titles", titles[0].includes("Instructions") && titles[1].slice(0, 4).join() === "A,B,B-A,%", titles);
    await page.looks("flame");
    await page.documented("compare");
    await page.choose("Source", ".compare-view [role=tab]");
    await page.see(".compare-merge .cm-changedLine");
    await page.looks("source");
    await page.choose("Coverage", ".compare-view [role=tab]");
    await page.see(".compare-lines tbody tr");
    await page.looks("coverage");
    await page.quiet(/\/api\/v1\/compare\?/);
});
