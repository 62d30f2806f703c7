// teacher: from a shell to a picture in a minute: a program is opened, the first tool of the list chosen, run, looked at. bzip2.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { browse, check, equal, keys, programs, scratch, testCase, until, workbench } from "./webdriver.mjs";

await testCase(async () => {
    const began = Date.now();
    const server = await workbench();
    const page = await browse(server.address);
    await page.type(".open input", join(programs, "bzip2"));
    await page.press(keys.Enter);
    await until("bzip2 is opened", async () => (await page.address()).startsWith("#/program"));
    await page.click('.rail a[href^="#/run"]');
    await page.choose("prof: instructions executed by each procedure", "#run-tool option");
    await page.see(".chosen");
    await page.type("#run-arguments", "-c -9 -v");
    await page.type("#run-input", join(programs, "text"));
    await page.documented("run");
    await page.choose("Run", "main button");
    await page.read("Finished", ".live", 50);
    const output = await page.text(".live pre.output");
    check("output", output.includes("[standard output that is no text]") && /4.198:1, .* 20000 in, 4764 out/.test(output) && !output.includes("\ufffd"), output);
    await page.documented("finished");
    console.log(`# ${(Date.now() - began) / 1000} s`);
    await page.looks("finished");
    await page.quiet();
    await page.close();
    await server.stop();
});
