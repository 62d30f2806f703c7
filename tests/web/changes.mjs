// changes: functions of the tree of calls in focus, hidden and collapsed, and libraries as one node: by buttons, keys and addresses.
// The numbers are those that follow from the tree's rows, path by path.
import { join } from "node:path";
import { browse, check, equal, keys, plain, programs, testCase, until, workbench } from "../lib/webdriver.mjs";

await testCase(async () => {
    const server = await workbench();
    const page = await browse(server.address);
    await page.see("main h1");
    const api = page.api;
    const label = () => page.evaluate(() => document.querySelector(".flame canvas")?.getAttribute("aria-label") ?? "");

    /** A run of hiprof, shown as flame graph: { nodes: [{ path, value }], sum }; a path is names with addresses. */
    const open = async (name, others = {}) => {
        const { id, program, tables } = await page.open(join(programs, name), [{ name: "hiprof" }], others);
        const tree = await api(`/tables/${tables.find((one) => one.tree).id}/tree`);
        const metric = tree.metrics.find((one) => one.title === "Instructions");
        const paths = [];
        tree.name.forEach((number, node) => paths.push([...(paths[tree.parent[node] - 1] ?? []), `${tree.names[number]} ${tree.address[node]}`]));
        const nodes = paths.map((one, node) => ({ path: one, value: Number(metric.values[node]) }));
        return { id, program, nodes, metric, names: tree.names, sum: nodes.reduce((all, { value }) => all + value, 0) };
    };
    /** Values by path, with all paths above these; what becomes of a path is given by a function, undefined: it is not shown. */
    const expected = (nodes, become) => {
        const paths = new Set();
        let shown = 0;
        for (const { path, value } of nodes) {
            const kept = become(path);
            if (kept === undefined || kept.length === 0) continue;
            shown += value;
            kept.forEach((_, at) => paths.add(kept.slice(0, at + 1).join("\n")));
        }
        return { paths: paths.size, shown };
    };
    const is = (name) => (one) => one.startsWith(`${name} `);
    const focused = (name) => (path) => (path.some(is(name)) ? path.slice(path.findIndex(is(name))) : undefined);
    const hidden = (name) => (path) => path.filter((one) => !is(name)(one));
    const collapsed = (name) => (path) => (path.some(is(name)) ? path.slice(0, path.findIndex(is(name)) + 1) : path);
    /** The paths of the picture, and the sum that it has. */
    const agrees = async (test, run, become) => {
        const { paths, shown } = expected(run.nodes, become);
        await until(`${test}: ${paths} paths`, async () => plain(await label()).includes(`:${paths}callpath${paths === 1 ? "." : "s"}`), 60);
        const words = await page.text(".tree-changes-sum");
        check(test, plain(words).startsWith(shown === run.sum ? `all${shown}instructions` : `${shown}of${run.sum}instructions`), `${words}; expected: ${shown} of ${run.sum}`);
        return { paths, shown };
    };
    const go = (run, state = {}) => page.go(`${server.origin}/#/results?${new URLSearchParams({ run: run.id, view: "flame", treemetric: run.metric.column, ...state })}`);

    // ---- a recursive function of a program in C ----
    const queens = await open("queens");
    await go(queens, { name: "place" });
    await page.see(".flame canvas[data-drawn]");
    await page.choose("Focus", ".tree-changes button");
    const { shown } = await agrees("focus", queens, focused("place"));
    check("focus-hides", shown < queens.sum && shown > 0, shown);
    await page.looks("focus");
    // The tree has the same, and its first row is all of it.
    await page.choose("Tree", ".lower [role=tab]");
    await until("the tree's first row", async () => plain(await page.text(".tree-table tbody tr:first-child")).includes(`${shown}100.00`), 60);
    equal("one-root", await page.evaluate(() => document.querySelectorAll('.tree-table tr[aria-level="1"]').length), 1);
    // It can be taken back.
    await page.choose("Flame graph", ".lower [role=tab]");
    await page.click(".tree-changes .chip");
    await until("nothing is changed", async () => plain(await label()).includes(`:${queens.nodes.length}callpaths`), 60);
    check("not-in-the-address", !(await page.address()).includes("changed="), await page.address());

    // By keys, where the function was chosen: hidden, its callees are its caller's.
    await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector(".flame canvas")).focus());
    await page.press("h");
    await agrees("hide", queens, hidden("place"));
    // Two changes, one after the other.
    await go(queens, { name: "main", changed: "hide place\ncollapse main" });
    await agrees("hide-and-collapse", queens, (path) => collapsed("main")(hidden("place")(path)));
    equal("two-chips", (await page.texts(".tree-changes .chip")).map((one) => one.replace(/\s+/g, " ").trim()), ["Hide place ×", "Collapse main ×"]);
    await go(queens, { name: "main", changed: "collapse place\nfocus place" });
    await agrees("collapse-then-focus", queens, (path) => focused("place")(collapsed("place")(path)));
    // A function that none calls has no caller to be charged: that is said.
    const [root] = queens.nodes[0].path[0].split(" ");
    await go(queens, { name: "main", changed: `hide ${root}` });
    const without = await agrees("hide-a-root", queens, hidden(root));
    check("hide-a-root-hides", without.shown < queens.sum, without.shown);
    // Nothing is left: said, too. With recursion merged, numbers stay right.
    await go(queens, { name: "main", changed: "focus none_has_this_name" });
    await page.read("No call path is left.", ".lower");
    await go(queens, { name: "place", changed: "focus place", arranged: "inverted" });
    await page.see(".flame canvas[data-drawn]");
    await until("inverted and in focus", async () => plain(await page.text(".flame-said")).length > 0 && plain(await page.text(".tree-changes-sum")).startsWith(`${shown}of${queens.sum}instructions`), 60);
    // There is no order of first execution in the rows of hiprof.
    await go(queens, { order: "in" });
    await page.read("have no order of execution", ".tree-changes-note");
    await page.looks("no-order");

    // ---- libraries of a dynamic program in C++ ----
    const words = await open("words-dynamic", { objects: "all" });
    await go(words);
    await page.see(".flame canvas[data-drawn]");
    await page.choose("Collapse libraries", ".tree-changes button");
    const objects = words.program.objects.filter(({ role }) => role !== "main");
    const objectOf = (one) => {
        const address = BigInt(one.slice(one.lastIndexOf(" ") + 1));
        return objects.find(({ text_pc, text_size }) => text_pc && address >= BigInt(text_pc) && address < BigInt(text_pc) + BigInt(text_size))?.name;
    };
    const libraries = (path) => {
        const kept = [];
        for (const one of path) {
            const object = objectOf(one);
            if (object === undefined || kept.at(-1) !== `${object} `) kept.push(object === undefined ? one : `${object} `);
        }
        return kept;
    };
    const fewer = await agrees("libraries", words, libraries);
    check("libraries-fewer", fewer.paths < words.nodes.length / 2 && fewer.shown === words.sum, `${fewer.paths} of ${words.nodes.length}`);
    await page.looks("libraries", [], [0, 3]);
    // A library that is one node can be hidden as a function can.
    await go(words, { changed: "libraries\nhide libstdc++.so.6", name: "libc.so.6.1" });
    await agrees("libraries-hidden", words, (path) => hidden("libstdc++.so.6")(libraries(path)));
    // A name of C++ has commas, spaces and angle brackets for people, and is itself in the address.
    const measure = words.names.find((one) => /^_Z7measureISt3map/.test(one));
    await go(words, { name: measure });
    await page.choose("Collapse", ".tree-changes button");
    await agrees("collapse-c++", words, collapsed(measure));
    check("address-c++", new URLSearchParams((await page.address()).split("?")[1]).get("changed") === `collapse ${measure}`, await page.address());
    await page.read("measure<std::map<…>>", ".lower .flame-said"); // names of C++ come later than the picture
    await page.looks("chips", [], [0, 3]);
    await page.quiet();
    await page.close();
    await server.stop();
});
