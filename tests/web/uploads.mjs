// uploads: a program, an input and a file of a run come from where the browser is; the output is checked; where the run is.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { browse, check, equal, programs, scratch, testCase, until, workbench } from "../lib/webdriver.mjs";

const api = (page, path) => page.evaluate((to) => fetch(`/api/v1${to}`).then((answer) => answer.json()), path);

await testCase(async () => {
    const server = await workbench();
    const page = await browse(server.address);
    const input = join(scratch, "some input");
    writeFileSync(input, "word\n");

    // ---- a program ----
    await page.see(".open");
    await page.give(".open input[type=file]", input);
    await page.see(".open .notice.error");
    check("no-program", /ELF/.test(await page.text(".open .notice.error")), await page.text(".open .notice.error"));
    await page.give(".open input[type=file]", join(programs, "same"));
    await until("it is opened", async () => (await page.address()).startsWith("#/program"));
    const [program] = (await api(page, "/programs")).programs;
    check("uploaded", program.name === "same" && program.uploaded, program);

    // ---- an input, and a file, of which the second is an earlier upload ----
    await page.evaluate((to) => (location.hash = to), `#/run?program=${program.id}&tools=prof`);
    await page.see(".chosen");
    await page.give("[aria-label='Arguments and input'] .file input[type=file]", input);
    await page.read("some input", ".file .upload");
    await page.choose("Add a file");
    await page.read("First name the files.");
    await page.type("[aria-label^='Name in the program']", "given/words");
    await page.choose("some input (5 B)", "[aria-label='Earlier uploads, for the file 1'] option");
    await until("it has its file", async () => (await page.texts(".file .upload")).length === 2);
    await page.choose("Check the output", "label");
    await page.choose("Environment, isolation and limits", "summary");
    await page.choose("plain", "#run-isolation option");
    await page.read("with all your rights", "#run-isolation-help");
    await page.choose("a sandbox, if there is one", "#run-isolation option");
    await page.looks("form");
    const before = await page.address();
    await page.reload();
    await until("after a reload the same", async () => (await page.texts(".file .upload")).length === 2);
    equal("address", await page.address(), before);
    await page.choose("Run", "main button");
    await page.read("Finished", ".live");
    equal("output", (await page.text(".live pre.output")).trim(), "word");
    await page.read("as that of the uninstrumented program", ".live");
    equal("phases", (await page.texts(".phases li b")), ["Instrument", "Run", "Check", "Collect"]);

    // ---- the same again is offered before it is asked for ----
    await page.choose("Change and run again");
    await page.see(".chosen");
    equal("address-again", (await page.texts(".file .upload")).length, 2);
    await page.read("As run 1 of today", ".same");
    await page.choose("show that instead?");
    await until("its results", async () => (await page.address()).startsWith("#/results?run=1"));

    // ---- a program that does something else when it is instrumented: the first line of its pages says so ----
    await page.evaluate((to) => (location.hash = to), `#/run?program=${program.id}&tools=prof&arguments=size&check=1`);
    await page.see(".chosen");
    await page.choose("Run", "main button");
    await page.read("The instrumented program did not do what the program does.", "main > .notice.error");
    check("first", await page.evaluate(() => document.querySelector("main").firstElementChild.matches(".notice.error")));
    await page.read("Different: standard output.", "main > .notice.error");
    await page.looks("difference");
    const evidence = await page.evaluate(() => document.querySelector("main > .notice a").getAttribute("href"));
    equal("evidence", [evidence, await page.evaluate((to) => fetch(to).then((answer) => [answer.status, answer.headers.get("content-type")]), evidence)], ["/api/v1/export/runs/2.tar.zst", [200, "application/zstd"]]);
    await page.choose("Show the results");
    await page.read("The instrumented program did not do what the program does.", "main > .notice.error");

    await page.quiet(/status of 400/);
    await page.close();
    await server.stop();
});
