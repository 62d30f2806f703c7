// processes: the results of a program that forks, by process and together: what is chosen holds in all panes, the numbers are those of each
// process's own report, and which process is whose child is said.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { atomc, browse, check, equal, keys, programs, run as execute, scratch, testCase, until, workbench } from "../lib/webdriver.mjs";

const plain = (text) => text.replace(/[\u2009 ]/g, "");

await testCase(async () => {
    const server = await workbench();
    const page = await browse(server.address);
    await page.see("main h1");
    const { id, run: about } = await page.open(join(programs, "kin"), [{ name: "pixie", parameters: { instructions: true } }, { name: "hiprof" }]);

    // ---- each process's own reports, by other code than the server's ----
    const out = join(scratch, "project", about.folder, "out");
    const files = readdirSync(out).flatMap((folder) => readdirSync(join(out, folder)).filter((name) => name.endsWith(".rows")).map((name) => join(out, folder, name)));
    const header = (file) => JSON.parse(readFileSync(file, "utf8").split("\n", 1)[0]);
    const report = async (name, process) => {
        const wanted = files.filter((file) => header(file).report === name && (process === undefined || header(file).process === process));
        const [titles, ...rows] = (await execute(atomc, ["merge", "--format=text", ...wanted])).trimEnd().split("\n").map((line) => line.split("\t"));
        return rows.map((row) => Object.fromEntries(titles.map((title, at) => [title, row[at]])));
    };
    const of = new Map();
    for (const file of files) of.set(header(file).process, header(file).parent);
    equal("four", of.size, 4);
    const children = (process) => [...of].filter(([, parent]) => parent === process).map(([child]) => child);
    const [first] = [...of.keys()].filter((process) => !of.has(of.get(process)));
    const generation = (process) => (of.has(of.get(process)) ? 1 + generation(of.get(process)) : 0);
    equal("kin", [children(first).length, [...of.keys()].map(generation).sort()], [2, [0, 1, 1, 2]]);

    // ---- the selector: all, and each, as a tree ----
    await page.evaluate((to) => (location.hash = to), `#/results?run=${id}&name=work`);
    await page.see("#process");
    const options = await page.evaluate(() => [...document.querySelectorAll("#process option")].map((one) => [one.value, one.textContent.trim()]));
    equal("options", options.map(([value]) => value).sort(), ["all", ...[...of.keys()].map(String)].sort());
    for (const process of of.keys()) {
        const [, words] = options.find(([value]) => value === String(process));
        check(`option-${generation(process)}`, words.trim().startsWith(String(process)) && (process === first ? /first/.test(words) : words.includes(`child of ${of.get(process)}`)), words);
    }

    // ---- numbers: tables, tree, beside the code, chart ----
    const seen = new Set();
    for (const process of [undefined, ...of.keys()]) {
        const expected = (await report("hiprof.out", process)).find((row) => row.Procedure === "work");
        const which = process === undefined ? "all" : `generation-${generation(process)}`;
        await page.evaluate((value) => {
            const field = document.querySelector("#process");
            field.value = value;
            field.dispatchEvent(new Event("change", { bubbles: true }));
        }, String(process ?? "all"));
        await until("the process is in the address", async () => (await page.address()).includes(`process=${process}`) === (process !== undefined));
        await page.evaluate(() => [...document.querySelectorAll('.tables [role="tab"]')].find((one) => /^hiprof\b(?! tree)/.test(one.innerText)).click());
        const row = await until(`the row of ${which}`, () =>
            page.evaluate((words) => {
                const titles = [...document.querySelectorAll(".tables table.rows thead th")].map((one) => one.innerText.replace(/ [▾▴]$/, "").trim());
                const found = [...document.querySelectorAll(".tables table.rows tbody tr")].map((one) => Object.fromEntries([...one.cells].map((cell, at) => [titles[at], cell.innerText.replace(/\u2009/g, "").trim()]))).find((one) => one.Procedure === "work");
                return found?.Instructions === words && found;
            }, expected.Instructions),
        );
        equal(`${which}/table`, [row.Instructions, row.Calls], [expected.Instructions, expected.Calls]);
        seen.add(expected.Instructions);
        await page.choose("work", ".tables td");
        await page.choose("Flame graph", '[role="tab"]');
        await page.read(`work ${expected.Total.replace(/\B(?=(\d{3})+$)/g, "\u2009")}`, ".flame-said");
        // Beside the code: what this process executed.
        const executed = (await report("pixie.out.instructions", process)).filter((one) => one.Procedure === "work");
        const most = String(Math.max(...executed.map((one) => Number(one.Executed))));
        await until(`${most} beside the code`, () => page.evaluate((words) => [...document.querySelectorAll(".results-code .cm-gutterElement")].some((one) => one.innerText.replace(/[\u2009 ]/g, "") === words), most));
    }
    equal("each-another", seen.size, 5);

    // ---- it stays: in the address, behind reload and back; by keys ----
    const [grandchild] = [...of.keys()].filter((process) => generation(process) === 2);
    await page.evaluate((to) => (location.hash = to), `#/results?run=${id}&process=${grandchild}&view=chart`);
    await page.see(".chart svg");
    await page.reload();
    await page.see(".chart svg");
    equal("reload", await page.evaluate(() => document.querySelector("#process").value), String(grandchild));
    await page.reach("#process");
    await page.press(keys.Home);
    await until("all of them, by keys", async () => !(await page.address()).includes("process="));
    await page.read("all 4 (merged)", "#process");
    await page.looks("all");
    await page.quiet();
    await page.close();
    await server.stop();
});
