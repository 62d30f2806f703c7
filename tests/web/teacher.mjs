// teacher: from a shell to a picture in a minute: a program is opened, the first tool of the list chosen, run, looked at. bzip2.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atomc, browse, check, equal, keys, programs, run as runCommand, scratch, testCase, until, workbench } from "../lib/webdriver.mjs";

await testCase(async () => {
    const began = Date.now();
    const server = await workbench();
    const page = await browse(server.address);
    await page.type(".open input", join(programs, "bzip2"));
    await page.press(keys.Enter);
    await until("bzip2 is opened", async () => (await page.address()).startsWith("#/program"));
    // Nobody has chosen a procedure: main is shown.
    await page.read("main", ".procedure .what");
    await page.step("program");
    await page.click('.rail a[href^="#/run"]');
    await page.choose("prof: instructions executed by each procedure", "#run-tool option");
    await page.see(".chosen");
    await page.type("#run-arguments", "-c -9 -v");
    await page.type("#run-input", join(programs, "text"));
    // Nothing of the form is cut off at the side: a path is broken.
    equal("run/whole", await page.evaluate(() => [...document.querySelectorAll("main .pane .body")].filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.closest("section").getAttribute("aria-label"))), []);
    await page.step("run");
    await page.documented("run");
    await page.choose("Run", "main button");
    await page.read("Finished", ".live", 50);
    const output = await page.text(".live pre.output");
    check("output", output.includes("[standard output that is no text]") && /4.198:1, .* 20000 in, 4764 out/.test(output) && !output.includes("\ufffd"), output);
    await page.step("finished");
    await page.documented("finished");
    await page.click(".live .button.primary");
    await page.see(".tables table.rows tbody tr");
    await page.see(".lower svg");
    await page.read("mainSort", ".lower svg");
    await page.step("results");
    const took = (Date.now() - began) / 1000;
    console.log(`# from a shell to a picture: ${took} s`);

    // ---- the numbers are those of the run's own rows, and of the text report of another run, as far as they do not depend on the
    //      environment: of bzip2's own procedures ----
    const shown = await page.evaluate(() => [...document.querySelectorAll(".tables table.rows tbody tr")].map((row) => [...row.cells].map((cell) => cell.innerText.replaceAll("\u2009", "")).join("\t")));
    const run = (await page.evaluate(() => fetch("/api/v1/runs").then((answer) => answer.json()))).runs[0];
    const { folder } = await page.evaluate((id) => fetch(`/api/v1/runs/${id}`).then((answer) => answer.json()), run.id);
    const merged = (await runCommand(atomc, ["merge", join(scratch, "project", folder)])).trim().split("\n").slice(1);
    // Of rows that are equal in their counts, which is first is nowhere said: a page may end between them.
    equal("rows", shown.filter((row) => !merged.includes(row)), []);
    check("many", shown.length >= Math.min(100, merged.length), `${shown.length} of ${merged.length}`);
    const counts = shown.map((row) => Number(row.split("\t")[1]));
    check("busiest-first", counts.every((count, at) => at === 0 || count <= counts[at - 1]), counts);
    await runCommand(atomc, ["-t", "prof", join(programs, "bzip2"), "-o", join(scratch, "bzip2.atom")]);
    await runCommand("sh", ["-c", 'qemu-alpha -0 bzip2 bzip2.atom -c -9 -v <"$0" >compressed', join(programs, "text")], { cwd: scratch });
    const own = (lines) => lines.map((line) => line.split("\t")).filter((row) => /^(BZ2_|main[A-Z]|generateMTF|handle_compress|add_pair)/.test(row.at(-1))).map((row) => `${row[0]} ${row[1]} ${row.at(-1)}`);
    const text = own(readFileSync(join(scratch, "prof.out"), "utf8").trim().split("\n"));
    check("own-procedures", text.length >= 8, text);
    equal("text-report", own(merged).sort(), text.sort());
    await page.looks("results");
    await page.quiet();
    await page.close();
    await server.stop();
});
