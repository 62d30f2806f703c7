// charts: each kind of picture of the tab Chart, on results of stock tools: its numbers are those of `atomc chart` of the same run, whose SVG
// is made, too; what is chosen stays in the address; names of a graph are chosen by keys.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atomc, browse, check, equal, keys, programs, run, scratch, testCase, until, workbench } from "../lib/webdriver.mjs";

const plain = (text) => text.replace(/[\u2009 ]/g, "");

// What is drawn: as the report asks for it, or as it is chosen.
const pictures = [
    { name: "bars", report: "prof.out", kind: "bars" },
    { name: "histogram", report: "malloc.out", kind: "histogram" },
    { name: "heat", report: "branch.out", kind: "heat" },
    { name: "graph", report: "callgraph.out", kind: "graph" },
    { name: "treemap", report: "pixie.out", kind: "treemap", by: "File", value: "Instructions", chosen: true },
    { name: "scatter", report: "loops.out", kind: "scatter", by: "Entered", value: "Turns", chosen: true },
    { name: "line", report: "malloc.out", kind: "line", by: "From", value: "Bytes", chosen: true },
];

await testCase(async () => {
    const bzip2 = existsSync(join(programs ?? "", "bzip2"));
    const program = bzip2 ? "bzip2" : "queens";
    const server = await workbench();
    const page = await browse(server.address);
    await page.see("main h1");
    const id = await page.evaluate(
        (path, input) =>
            import("/web/api.js").then(async ({ post }) => {
                await post("/programs", { path });
                const tools = [{ name: "prof" }, { name: "malloc" }, { name: "branch" }, { name: "callgraph" }, { name: "loops" }, { name: "pixie" }, { name: "hiprof" }];
                return (await post("/runs", { program: { path }, tools, ...(input ? { arguments: ["-c"], input: { path: input } } : {}) })).id;
            }),
        join(programs, program),
        bzip2 ? join(programs, "text") : "",
    );
    const about = await page.finished(id);
    equal("state", about.state, "finished");
    const { tables } = await page.evaluate((number) => import("/web/api.js").then(({ get }) => get(`/runs/${number}/tables`)), id);
    const out = join(scratch, "project", about.folder, "out");
    const folder = join(out, readdirSync(out)[0]);
    const words = () => page.evaluate(() => [...document.querySelectorAll(".chart .hidden table tr")].map((row) => [...row.cells].map((cell) => cell.textContent)));

    for (const { name, report, kind, by, value, chosen } of pictures) {
        const table = tables.find((one) => one.report === report);
        const column = (title) => table.columns.findIndex((one) => one.title === title);
        if (!chosen) equal(`${name}-is-asked-for`, table.display.kind, kind);
        const asked = { run: id, table: table.id, view: "chart", high: 35, ...(chosen ? { chart: kind, chartby: column(by), metric: `${table.id}.${column(value)}` } : {}) };
        await page.evaluate((to) => (location.hash = to), `#/results?${new URLSearchParams(asked)}`);
        await page.see({ graph: ".network-node", treemap: ".treemap-area" }[kind] ?? ".chart svg");
        await until(`the heading of ${name}`, async () => (await page.text(".chart h3"))?.startsWith(value ?? table.columns[table.display.columns[0]].title));
        const found = await until(`${name} says its numbers`, async () => (await words()).length > 0 && words());

        // ---- as `atomc chart` has it, of the same rows ----
        const options = [`--report=${report}`, "--top=10000", "--width=400", ...(chosen ? [`--display=${kind} ${value} ${kind === "scatter" ? "against" : "by"} ${by}`] : [])];
        const text = (await run(atomc, ["chart", ...options, folder])).trimEnd().split("\n").slice(2);
        writeFileSync(join(scratch, `${name}.svg`), await run(atomc, ["chart", "--format=svg", ...options, folder]));
        const svg = readFileSync(join(scratch, `${name}.svg`), "utf8").replaceAll("&gt;", ">").replaceAll("&lt;", "<");
        if (["bars", "heat", "graph", "treemap", "histogram"].includes(kind)) {
            const printed = text.map((line) => /^(.*?) +(\d+) [█▏▎▍▌▋▊▉ ]*$/.exec(`${line} `)).filter(Boolean);
            const known = new Set(printed.map(([, label, amount]) => `${label.replace(" -> ", " → ").replace("..", "–").replace(/ +/g, " ")} ${amount}`));
            // What has no name has none in a terminal.
            const mine = found.map(([label, amount]) => `${label.replaceAll("\u2009", "").replace("(none)", "")} ${plain(amount)}`);
            check(`${name}-numbers`, known.size >= mine.length && mine.length > 3 && mine.every((one) => known.has(one)), { missing: mine.filter((one) => !known.has(one)).slice(0, 5), known: [...known].slice(0, 5) });
            // The greatest is first.
            if (kind !== "histogram") equal(`${name}-first`, plain(found[0][1]), printed[0][2]);
            const boxes = kind === "graph" ? svg.match(/<path [^>]*marker-end/g) : svg.match(/<rect [^>]*><title>/g);
            check(`${name}-svg`, boxes?.length >= mine.length, boxes?.length);
        } else {
            const rows = (await run(atomc, ["merge", join(folder, readdirSync(folder).find((file) => file.startsWith(`${table.tool}.`)))])).trimEnd().split("\n").map((line) => line.split("\t"));
            const at = (title) => rows[0].indexOf(title);
            const points = new Set(rows.slice(1).map((row) => `${row[at(by)]} ${row[at(value)]}`));
            check(`${name}-numbers`, found.length > 3 && found.every(([x, y]) => points.has(`${plain(x)} ${plain(y)}`)), { found: found.slice(0, 5), points: [...points].slice(0, 5) });
            check(`${name}-svg`, kind === "line" ? /<path fill="none"[^>]* d="M/.test(svg) : svg.match(/<circle /g)?.length === rows.length - 1, svg.slice(0, 500));
        }
        // Names are drawn whole or with what is left out in the middle; of places, the line stays.
        if (kind === "bars" || kind === "heat") {
            const labels = await page.evaluate(() => {
                const { left } = document.querySelector(".chart svg").getBoundingClientRect();
                return [...document.querySelectorAll('.chart svg [aria-label="y-axis tick label"] text')].map((one) => ({ text: one.textContent, room: Math.round(one.getBoundingClientRect().left - left) }));
            });
            const ends = kind === "heat" ? /(:\d+|0x[0-9a-f]+)$/ : /[^…]$/;
            check(`${name}-labels`, labels.length > 3 && labels.every(({ text, room }) => room >= 0 && ends.test(text)), labels);
        }
        if (table.display.kind !== "histogram") await page.see(".results-code .cm-line");
        if (bzip2) {
            await page.documented(`chart-${name}`, ".lower");
            // A page of the documentation has room for the ten that count most.
            page.drawing(name, await run(atomc, ["chart", "--format=svg", ...options.filter((one) => !one.startsWith("--top")), `--top=${kind === "graph" ? 14 : 10}`, folder]));
        }
    }

    if (bzip2) {
        await page.evaluate((to) => (location.hash = to), `#/results?run=${id}&view=flame&high=35`);
        await page.see(".flame canvas[data-drawn]");
        await page.documented("chart-flame", ".lower");
        page.drawing("flame", await run(atomc, ["chart", "--format=svg", "--report=hiprof.out.tree", folder]));
    }

    // ---- a name of the graph is chosen by keys, and shown in the other panes; the kind is chosen, and kept ----
    const graph = tables.find((one) => one.report === "callgraph.out");
    await page.evaluate((to) => (location.hash = to), `#/results?run=${id}&table=${graph.id}&view=chart`);
    await page.see(".network-node");
    await page.evaluate(() => document.querySelector(".network").focus());
    await page.press(keys.Down);
    const name = await until("a name is chosen", () => page.evaluate(() => document.querySelector(".network-node.selected text")?.textContent));
    await page.press(keys.Down);
    const next = await until("the next name", async () => {
        const found = await page.evaluate(() => document.querySelector(".network-node.selected text")?.textContent);
        return found !== name && found;
    });
    check("graph-keys", (await page.address()).includes(`name=${encodeURIComponent(next.replace(/…$/, ""))}`), await page.address());
    await page.read(next.replace(/…$/, ""), ".results-code .procedure-name"); // the address has its procedure from then on
    await page.evaluate((words) => {
        const field = document.querySelector('select[aria-label="Kind of picture"]');
        field.value = words;
        field.dispatchEvent(new Event("change", { bubbles: true }));
    }, "treemap");
    await page.see(".treemap-area");
    const there = await page.address();
    check("kept", there.includes("chart=treemap"), there);
    await page.reload();
    await page.see(".treemap-area");
    equal("reload", await page.address(), there);
    await page.look({ width: 1280 });
    await page.looks("treemap");
    await page.evaluate((to) => (location.hash = to), `#/results?run=${id}&table=${graph.id}&view=chart`);
    await page.see(".network-node");
    await page.looks("graph");
    // The buttons above the table stand in one line.
    const tops = await page.evaluate(() => [...document.querySelectorAll(".table-tools > button, .table-tools summary")].map((one) => Math.round(one.getBoundingClientRect().top)));
    check("one-line", new Set(tops).size === 1, tops);
    await page.quiet();
});
