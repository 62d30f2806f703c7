// calls_large: pictures of a tree of 300,000 calls: only what can be seen is drawn, whatever was changed. Its rows have an order of
// execution, which is another than that of their counts.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atomc, browse, check, equal, plain, run, scratch, testCase, until, workbench } from "../lib/webdriver.mjs";

const column = (title, type, role, merge, others = {}) => ({ title, type, role, merge, ...others });
const many = 300000;

/** Loads a tree; node: [parent, name, count, first]. */
async function collect(name, nodes) {
    const folder = join(scratch, name);
    mkdirSync(folder);
    const columns = [column("Node", "integer", "node", "same"), column("Parent", "integer", "parent", "same"), column("Procedure", "text", "key", "same"), column("Count", "integer", "measure", "sum", { unit: "count" })];
    if (nodes[0].length > 3) columns.push(column("First", "integer", "measure", "least"));
    const header = { rows: 1, tool: name, report: `${name}.tree`, process: 7, parent: 1, program: name, program_digest: "0".repeat(64), parameters: {}, places: [], columns };
    const lines = [JSON.stringify(header), ...nodes.map(([parent, ...others], at) => JSON.stringify([at + 1, parent, ...others])), JSON.stringify({ end: true, rows: nodes.length }), ""];
    writeFileSync(join(folder, "tree.rows"), lines.join("\n"));
    await run(atomc, ["collect", folder, "-o", join(scratch, "project/project.sqlite")]);
}

/** 40 levels, many siblings, 1000 names; each node counts 1. */
function large() {
    const parents = [0];
    return Array.from({ length: many }, (_, at) => {
        const node = at + 1;
        const depth = node === 1 ? 1 : Math.min(parents.length, 2 + ((Math.imul(node, 2654435761) >>> 8) % 40));
        parents.length = depth;
        const row = [parents.at(-1), node === 1 ? "main" : `f${(node * 7919) % 1000}`, 1, node];
        parents.push(node);
        return row;
    });
}

await testCase(async () => {
    mkdirSync(join(scratch, "project"));
    const nodes = large();
    await collect("large", nodes);
    // Executed in the order b, a, c; c has the greatest count. The children of a: y before x.
    await collect("order", [[0, "main", 1, 1], [1, "a", 10, 30], [1, "b", 20, 2], [1, "c", 100, 90], [2, "x", 9, 70], [2, "y", 2, 40]]);
    const server = await workbench();
    const page = await browse(server.address);
    await page.see("main h1");
    const go = (state) => page.go(`${server.origin}/#/results?${new URLSearchParams(state)}`);
    const paths = (count) => until(`${count} call paths`, () => page.evaluate((words) => (document.querySelector(".flame canvas")?.getAttribute("aria-label") ?? "").replace(/\s/g, "").includes(words), `:${count}callpaths`));
    const drawn = () => page.evaluate(() => Number(document.querySelector(".flame canvas").dataset.drawn));
    /** What is shown after the changes: the number of paths, and the sum, by following each node. */
    const after = (become) => {
        const known = new Map();
        const place = [0];
        let sum = 0;
        nodes.forEach(([parent, name, count], at) => {
            const above = place[parent];
            const here = become(name, above, parent);
            const key = here === "new" ? `${above} ${name}` : "";
            if (key && !known.has(key)) known.set(key, known.size + 1);
            place[at + 1] = here === "new" ? known.get(key) : here;
            sum += place[at + 1] > 0 ? count : 0;
        });
        return { paths: known.size, sum };
    };

    await go({ run: 1, view: "flame" });
    await paths(many);
    check("all-drawn", (await drawn()) < 20000, await drawn());
    const focus = after((name, above) => (above > 0 || name === "f7" ? "new" : 0));
    await go({ run: 1, view: "flame", name: "f7", changed: "focus f7" });
    await paths(focus.paths);
    check("focus-sum", plain(await page.text(".tree-changes-sum")).startsWith(`${focus.sum}of${many}count`), await page.text(".tree-changes-sum"));
    check("focus-drawn", (await drawn()) > 10 && (await drawn()) < 20000, await drawn());
    const hide = after((name, above) => (name === "f7" ? above : "new"));
    await go({ run: 1, view: "flame", name: "f8", changed: "hide f7" });
    await paths(hide.paths);
    equal("hide-sum", plain(await page.text(".tree-changes-sum")), `all${many}count`);
    await go({ run: 1, view: "tree", name: "f8", changed: "hide f7\ncollapse f8" });
    await page.see(".tree-table tbody tr");
    check("tree-rows", (await page.evaluate(() => document.querySelectorAll(".tree-table tbody tr").length)) <= 600, "");
    equal("tree-sum", plain(await page.evaluate(() => document.querySelector(".tree-table tbody tr").cells[1].innerText)), String(many));

    // ---- the map of callees and the graph: the boxes that can be seen, and the busiest arrows ----
    await go({ run: 1, view: "sandwich", name: "main", around: "map" });
    await until("the map", async () => Number(await page.evaluate(() => document.querySelector(".callee-map")?.dataset.drawn ?? 0)) > 5);
    const boxes = await page.evaluate(() => [Number(document.querySelector(".callee-map").dataset.drawn), document.querySelectorAll(".callee-map rect").length]);
    check("map-boxes", boxes[0] === boxes[1] && boxes[0] <= 3000, boxes);
    await go({ run: 1, view: "sandwich", name: "f7", around: "graph" });
    await page.see(".network-amount");
    check("graph-arrows", (await page.evaluate(() => document.querySelectorAll(".network-amount").length)) === 40, "");

    // ---- in the order of execution ----
    await go({ run: 2, view: "flame" });
    await paths(6);
    const order = async (y) => {
        const names = [];
        const width = await page.evaluate(() => document.querySelector(".flame canvas").clientWidth);
        for (let x = 2; x < width; x += 12) {
            await page.evaluate((across, down) => {
                const canvas = document.querySelector(".flame canvas");
                const box = canvas.getBoundingClientRect();
                canvas.dispatchEvent(new MouseEvent("mousemove", { clientX: box.left + across, clientY: box.top + down, bubbles: true }));
            }, x, y);
            await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
            const said = (await page.evaluate(() => document.querySelector(".flame-said strong")?.textContent)) ?? "";
            if (said && names.at(-1) !== said) names.push(said);
        }
        return names.filter((one, at) => names.indexOf(one) === at);
    };
    equal("left-heavy", (await order(17 + 8)).join(" "), "c a b");
    await page.evaluate(() => {
        const choice = document.querySelector('select[aria-label="Order of callees"]');
        choice.value = "in";
        choice.dispatchEvent(new Event("change", { bubbles: true }));
    });
    await until("in order", async () => (await page.address()).includes("order=in"));
    await until("the picture in order", async () => (await order(17 + 8)).join(" ") === "b a c", 120);
    equal("in-order-deeper", (await order(2 * 17 + 8)).join(" "), "y x");
    equal("no-note", await page.evaluate(() => document.querySelectorAll(".tree-changes-note").length), 0);
    // Changed, it keeps the order; of a large tree, too.
    await go({ run: 2, view: "flame", order: "in", changed: "hide a" });
    await until("the changed picture in order", async () => (await order(17 + 8)).join(" ") === "b y x c", 120);
    await page.looks("in-order");
    await go({ run: 1, view: "flame", order: "in" });
    await paths(many);
    check("in-order-drawn", (await drawn()) < 20000, await drawn());
    await page.quiet(/programs\/\d+\/procedures/);
    await page.close();
    await server.stop();
});
