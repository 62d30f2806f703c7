// around: what a function calls and what calls it, as maps, and the calls around it, as a graph with costs: of a recursive function in C, and of a
// program in C++. The numbers are those that follow from the tree's rows, path by path.
import { join } from "node:path";
import { browse, check, equal, keys, plain, programs, testCase, until, workbench } from "../lib/webdriver.mjs";

await testCase(async () => {
    const server = await workbench();
    const page = await browse(server.address);
    await page.see("main h1");
    const api = page.api;
    const open = async (name) => {
        const { id, tables } = await page.open(join(programs, name), [{ name: "hiprof" }]);
        const tree = await api(`/tables/${tables.find((one) => one.tree).id}/tree`);
        const values = (title) => tree.metrics.find((one) => one.title === title).values.map(Number);
        const paths = [];
        tree.name.forEach((number, node) => paths.push([...(paths[tree.parent[node] - 1] ?? []), tree.names[number]]));
        return { id, metric: tree.metrics.find((one) => one.title === "Instructions"), names: tree.names, paths, values: values("Instructions"), calls: values("Calls") };
    };
    const go = (run, state) => page.go(`${server.origin}/#/results?${new URLSearchParams({ run: run.id, view: "sandwich", treemetric: run.metric.column, ...state })}`);

    /** Each path's own counts belong to each arrow on it, once; calls are counted from the function on. */
    const arrows = ({ paths, values, calls }, name) => {
        const all = new Map();
        paths.forEach((path, node) => {
            const from = path.indexOf(name);
            if (from < 0) return;
            const pairs = new Set(path.slice(1).map((one, at) => `${path[at]}\n${one}`));
            for (const pair of pairs) all.set(pair, { calls: 0, ...all.get(pair), amount: (all.get(pair)?.amount ?? 0) + values[node] });
            const last = path.slice(-2).join("\n");
            if (path.length > 1) all.get(last).calls += calls[node];
        });
        return all;
    };
    const graph = async (test, run, name) => {
        await go(run, { name, around: "graph" });
        await page.see(".network svg");
        await until(`${test}: the graph of ${name}`, async () => (await page.text(".sandwich .hidden caption")).length > 0 && (await page.evaluate((one) => [...document.querySelectorAll(".sandwich .hidden tr")].some((row) => [row.dataset.from, row.dataset.to].includes(one)), name)) && (await page.evaluate(() => document.querySelectorAll(".network-amount").length === document.querySelectorAll(".sandwich .hidden tr").length)), 60);
        const expected = [...arrows(run, name)].map(([pair, { amount, calls }]) => ({ pair, amount, calls })).filter(({ amount }) => amount > 0).sort((left, right) => right.amount - left.amount);
        const rows = await page.evaluate(() => [...document.querySelectorAll(".sandwich .hidden tr")].map((row) => ({ pair: `${row.dataset.from}\n${row.dataset.to}`, amount: row.cells[1].innerText, calls: row.cells[2].innerText })));
        equal(`${test}/number`, rows.length, Math.min(40, expected.length));
        const of = new Map(expected.map((one) => [one.pair, one]));
        const wrong = rows.filter(({ pair, amount, calls }) => Number(plain(amount)) !== of.get(pair)?.amount || (calls !== "" && Number(plain(calls)) !== of.get(pair).calls));
        equal(`${test}/costs`, wrong, []);
        // The busiest ones are drawn, each with its cost.
        equal(`${test}/drawn`, (await page.evaluate(() => [...document.querySelectorAll(".network-amount")].map((one) => one.textContent))).map((one) => Number(plain(one))).sort((left, right) => right - left), expected.slice(0, 40).map(({ amount }) => amount));
        return rows;
    };

    const queens = await open("queens");
    const recursive = (await graph("recursion", queens, "place")).find(({ pair }) => pair === "place\nplace");
    check("recursion/own-arrow", recursive !== undefined && Number(plain(recursive.calls)) > 1, recursive);
    await page.looks("graph", [], [0, 3]);

    // ---- the map ----
    const map = async (test, run, name, up = false) => {
        await go(run, { name, around: up ? "callers" : "map" });
        const inside = new Map(); // own counts by path from the function on: to its callees, or up from its outermost call
        run.paths.forEach((path, node) => {
            const from = path.indexOf(name);
            const way = up ? path.slice(0, from + 1).reverse() : path.slice(from);
            if (from >= 0) way.forEach((_, at) => inside.set(way.slice(0, at + 1).join("\n"), (inside.get(way.slice(0, at + 1).join("\n")) ?? 0) + run.values[node]));
        });
        const total = inside.get(name);
        await until(`${test}: the map of ${name}`, async () => plain(await page.text(".callee-map-said")).includes(`:${total}instructions(100.0%)`), 60);
        // The areas of the greatest callees are as their costs.
        const areas = await page.evaluate(() => {
            const boxes = [...document.querySelectorAll(".callee-map g")].map((one) => ({ said: one.querySelector("title").textContent, ...one.querySelector("rect").getBoundingClientRect().toJSON() }));
            const [whole, ...others] = boxes;
            const inner = (whole.width - 4) * (whole.height - 19);
            return others.slice(0, 3).map(({ said, width, height }) => ({ said, part: ((width + 1) * (height + 1)) / inner }));
        });
        const callees = [...inside].filter(([path]) => path.split("\n").length === 2).filter(([, value]) => value > 0.05 * total).sort((left, right) => right[1] - left[1]);
        const wrong = areas.slice(0, callees.length).filter(({ said, part }, at) => !plain(said).includes(`:${callees[at][1]}instructions`) || Math.abs(part - callees[at][1] / total) > 0.03);
        check(`${test}/areas`, callees.length > 0 && areas.length >= Math.min(3, callees.length) && wrong.length === 0, JSON.stringify({ areas: areas.map(({ said, part }) => [said.slice(-90), part]), callees: callees.slice(0, 4).map(([path, value]) => [path.slice(-40), value]), total }));
        return callees[0][0].split("\n")[1]; // the greatest
    };
    const callee = await map("map", queens, "__libc_start_main");
    await map("callers/recursion", queens, "place", true);
    // Several callers, in the form of the lists and of the map: the same numbers.
    const many = [...new Set(queens.paths.filter((path, node) => path.at(-1) === "malloc" && queens.values[node] > 0).map((path) => path.at(-2)))];
    check("callers/several", many.length > 1, many);
    await map("callers/many", queens, "malloc", true);
    await page.looks("map-callers", [], [0, 3]);
    await map("map", queens, "__libc_start_main");
    // Keys move, Enter chooses: the map is that of the callee then.
    await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector(".callee-map")).focus());
    await page.press(keys.Down, keys.Down, keys.Enter);
    await until("the callee is chosen", async () => (await page.address()).includes(`name=${callee}`), 60);
    await page.looks("map-callee");

    const words = await open("words");
    await graph("c++", words, "main");
    await page.looks("graph-c++");
    // The chosen function stays in the middle when the window changes.
    for (const width of [1600, 1280]) {
        await page.look({ width, height: 800, dark: false });
        await until(`the function is seen at ${width}`, () =>
            page.evaluate(() => {
                const [outer, box] = [".network", ".network-node.selected rect"].map((css) => document.querySelector(css).getBoundingClientRect());
                return box.width > 0 && box.left >= outer.left && box.right <= outer.right && box.top >= outer.top && box.bottom <= outer.bottom;
            }), 60);
    }
    await map("callers/c++", words, words.names.find((one) => /^_Z7measureISt3map/.test(one)), true);
    await map("map-c++", words, "main");
    await page.looks("map-c++", [], [0, 3]);
    // A share that is written is the box's, whole.
    const labels = await page.evaluate(() => [...document.querySelectorAll(".callee-map g")].map((one) => [one.querySelector("text")?.textContent ?? "", one.querySelector("title").textContent]).filter(([text]) => text.endsWith("%")));
    const cut = labels.filter(([text, said]) => !text.endsWith(` ${/\(([\d.]+ %)\)/.exec(said)[1]}`));
    check("shares", labels.length > 2 && cut.length === 0, JSON.stringify(cut.slice(0, 5)));
    // A third of this function's cost is its own: a part of the box that no callee has.
    await map("map-own", words, words.names.find((one) => /^_Z7measureISt3map/.test(one)));
    await page.quiet();
    await page.close();
    await server.stop();
});
