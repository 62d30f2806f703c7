// flame: other orders of the flame graph: inverted, and with recursion merged. The numbers are those that follow from the tree's rows.
import { join } from "node:path";
import { browse, check, keys, programs, testCase, until, workbench } from "../lib/webdriver.mjs";

const plain = (text) => (text ?? "").replace(/[\u2009 ]/g, "");

await testCase(async () => {
    const server = await workbench();
    const page = await browse(server.address);
    await page.see("main h1");
    const api = page.api;
    const { id, tables } = await page.open(join(programs, "queens"), [{ name: "hiprof" }]);
    const tree = await api(`/tables/${tables.find((one) => one.tree).id}/tree`);
    const metric = tree.metrics.findIndex((one) => one.title === "Instructions");
    const values = tree.metrics[metric].values.map(Number);
    const sum = values.reduce((all, one) => all + one, 0);
    const names = tree.name.map((name) => tree.names[name]);
    const pathOf = (node) => {
        const all = [];
        for (let at = node + 1; at > 0; at = tree.parent[at - 1]) all.unshift(names[at - 1]);
        return all;
    };

    await page.go(`${server.origin}/#/results?run=${id}&view=flame&treemetric=${tree.metrics[metric].column}`);
    await page.see(".flame canvas[data-drawn]");
    // The first box of the first row, by keys: what is said of it.
    const first = async () => {
        await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector(".flame canvas")).focus());
        await page.press(keys.Up, keys.Up, keys.Up, keys.Up, keys.Up, keys.Up, keys.Up, keys.Up, keys.Up, keys.Up, keys.Up, keys.Up);
        return page.text(".flame-said strong").then(async (name) => ({ name, said: plain(await page.text(".flame-said")) }));
    };

    // ---- inverted: a box on top for each procedure with its own counts ----
    const own = new Map();
    names.forEach((name, node) => own.set(name, (own.get(name) ?? 0) + values[node]));
    const [busiest, count] = [...own].sort((left, right) => right[1] - left[1])[0];
    await page.choose("Inverted", ".lower button");
    await until("the inverted tree", async () => (await page.address()).includes("arranged=inverted"));
    await until("the busiest procedure is on top", async () => (await first()).said.startsWith(`${busiest}${count}instructions`), 60);
    check("inverted-share", (await first()).said.includes(`(${((100 * count) / sum).toFixed(2)}%)`), await first());
    await page.looks("inverted");

    // ---- merged: a name is on each path once ----
    await page.choose("Inverted", ".lower button");
    await page.choose("Merge recursion", ".lower button");
    await until("the merged tree", async () => (await page.address()).includes("arranged=merged"));
    const merged = new Set();
    let recursive = 0;
    names.forEach((_, node) => {
        // A call of an active procedure goes back to it.
        const kept = [];
        for (const name of pathOf(node)) {
            const at = kept.indexOf(name);
            if (at >= 0) kept.length = at + 1;
            else kept.push(name);
        }
        recursive += kept.length < pathOf(node).length ? 1 : 0;
        merged.add(kept.join("\n"));
    });
    check("has-recursion", recursive > 3, recursive);
    const label = () => page.evaluate(() => document.querySelector(".flame canvas").getAttribute("aria-label"));
    await until("fewer paths", async () => plain(await label()).includes(`:${merged.size}callpaths`), 60);
    await page.looks("merged");
    // A search says how many frames it found.
    await page.type('input[aria-label="Search frames"]', busiest);
    const found = [...merged].filter((one) => one.split("\n").at(-1).includes(busiest)).length;
    await page.read(`, ${found} ${found === 1 ? "frame" : "frames"}`, ".flame-said .found");
    await page.quiet();
    await page.close();
    await server.stop();
});
