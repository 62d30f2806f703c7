// names: names of several hundred letters, as templates have them, and names of files: they leave room for the numbers, say what
// differs, and are whole where they are pointed at.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { browse, equal, programs, scratch, testCase, workbench } from "../lib/webdriver.mjs";

const long = "a_program_whose_name_is_much_longer_than_the_names_of_other_programs_of_version_3.14.15-rc1_with_debugging";

await testCase(async () => {
    copyFileSync(join(programs, "queens"), join(scratch, long));
    const server = await workbench();
    const page = await browse(server.address);
    await page.see("main h1");
    const send = (path, body) => page.evaluate((to, sent) => fetch(`/api/v1${to}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent) }).then((answer) => answer.json()), path, body);
    const run = async (path, tool, words = []) => {
        await send("/programs", { path });
        const { id } = await send("/runs", { program: { path }, tools: [{ name: tool }], arguments: words });
        equal(`runs/${tool}-${id}`, (await page.finished(id)).state, "finished");
        return id;
    };
    await run(join(programs, "before/words"), "hiprof", ["300"]);
    await run(join(programs, "words"), "hiprof", ["300"]);
    await run(join(scratch, long), "prof", ["--level=17", "/home/ann/inputs/the-largest-one/of-all.txt"]);

    // ---- Project: one bar at most, and no column that is cut ----
    await page.go(`${server.origin}/#/project`);
    await page.reload(); // lists of other windows
    await page.see(".runs-table tbody tr");
    await page.settled();
    for (const width of [1280, 1600]) {
        await page.look({ width });
        await page.settled();
        equal(`project/nested-${width}`, await page.nested(), []);
        equal(`project/sideways-${width}`, await page.evaluate(() => [...document.querySelectorAll(".body, .runs-table")].filter((one) => one.scrollWidth > one.clientWidth).map((one) => `${one.className}: ${one.scrollWidth} of ${one.clientWidth}`)), []);
    }
    await page.look({ width: 1280 });
    await page.looks("project", [], [0]);
    await page.quiet();
    await page.close();
    await server.stop();
});
