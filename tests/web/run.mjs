// run: programs are opened, tools chosen, their forms filled in, runs seen while they are under way, stopped, offered again.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { browse, check, equal, keys, programs, sleep, testCase, until, workbench } from "../lib/webdriver.mjs";

const api = (page, path) => page.evaluate((to) => fetch(`/api/v1${to}`).then((answer) => answer.json()), path);
/** Alt+digit does not exist in the page: the rail is clicked on. */
const screen = (page, name) => page.click(`.rail a[href^="#/${name}"]`);

async function open(page, path) {
    await screen(page, "project");
    await page.type(".open input", path);
    await page.press(keys.Enter);
}

await testCase(async () => {
    const server = await workbench();
    const page = await browse(server.address);

    // ---- an empty project says so; wrong files are refused in the field, with atomc's own words ----
    await page.read("There is no program in this project yet.");
    await page.read("Nothing has been run yet.");
    await page.looks("empty");
    await page.type(".open input", join(programs, "text"));
    await page.press(keys.Enter);
    await page.see(".open .notice.error");
    check("no-program", /ELF/.test(await page.text(".open .notice.error")), await page.text(".open .notice.error"));
    equal("field-is-marked", await page.evaluate(() => document.querySelector(".open input").getAttribute("aria-invalid")), "true");
    await page.type(".open input", "/etc/passwd");
    equal("mark-goes", await page.evaluate(() => document.querySelector(".open .notice.error")), null);
    await page.press(keys.Enter);
    await page.read("outside", ".open .notice.error");
    // Completion: the folder's names, when the folder is typed.
    await page.type(".open input", `${programs}/`);
    await until("completion", async () => (await page.evaluate(() => [...document.querySelectorAll(".open datalist option")].map((one) => one.value))).includes(join(programs, "shapes")));

    for (const name of ["shapes", "spin", 'a <b> & "c"']) {
        await open(page, join(programs, name));
        await until(name, async () => (await api(page, "/programs")).programs.some((program) => program.name === name));
    }
    await screen(page, "project");
    await page.see("table.plain");
    check("hostile-name", (await page.texts("table.plain td")).includes('a <b> & "c"'));
    const number = Object.fromEntries((await api(page, "/programs")).programs.map((program) => [program.name, program.id]));

    // ---- the form: what is missing is said; values are checked as they are typed; the commands follow ----
    await screen(page, "run");
    await page.read("First choose a program, and choose a tool.");
    await page.evaluate((to) => (location.hash = to), `#/run?program=${number.shapes}&tools=cache`);
    await page.see(".form");
    const field = (label) =>
        page.evaluate((words) => {
            const found = [...document.querySelectorAll(".form label")].find((one) => one.innerText.trim() === words);
            document.querySelectorAll("[data-field]").forEach((one) => one.removeAttribute("data-field"));
            document.getElementById(found.htmlFor).setAttribute("data-field", "");
        }, label);
    const wrong = () => page.texts(".form .wrong").then((all) => all.filter(Boolean));
    await field("line");
    await page.type("[data-field]", "33");
    await until("33 is wrong", async () => (await wrong())[0] === "it must be a power of two, at least 8");
    await until("not to be run", () => page.evaluate(() => document.querySelector("main button.primary").disabled));
    await page.type("[data-field]", "many");
    await until("many is wrong", async () => (await wrong())[0] === "it must be an integer");
    await page.type("[data-field]", "64");
    await until("64 is right", async () => (await wrong()).length === 0);
    await page.press(keys.Up);
    equal("twice", await page.evaluate(() => document.activeElement.value), "128");
    await page.press(keys.Down, keys.Down, keys.Down);
    equal("half", await page.evaluate(() => document.activeElement.value), "16");
    // What only atomc knows: more ways than the cache has lines.
    await field("ways");
    await page.type("[data-field]", "100000");
    await until("atomc's own check", async () => (await wrong())[0]?.includes("the cache has a whole number of sets"));
    await page.type("[data-field]", "2");
    await until("it is right", async () => (await wrong()).length === 0);
    await field("writeback");
    await page.click("[data-field]");
    await page.type("#run-arguments", "one 'two three' \"fo");
    await page.read("is not closed");
    await page.type("#run-arguments", "one 'two three'");
    const commands = await page.texts(".command code");
    equal("commands", commands, [
        `atomc -t cache -D line=16 -D ways=2 -D writeback=false ${programs}/shapes -o shapes.atom`,
        "qemu-alpha -0 shapes shapes.atom one 'two three'",
    ]);
    equal("footer", await page.text("footer code"), `atomc run -t cache -D line=16 -D ways=2 -D writeback=false -- ${programs}/shapes one 'two three'`);
    await page.looks("form");
    const before = await page.address();
    await page.reload();
    await page.see(".form");
    equal("address", [await page.address(), await page.texts(".command code")], [before, commands]);

    // ---- a run, by keys alone; what is shown is what the server has ----
    await page.reach("main button.primary");
    await page.press(keys.Enter);
    await page.read("Finished", ".live");
    await page.read("exit status 0", ".live");
    const output = await page.text(".live pre.output");
    equal("output", output.trim(), "a length of 97 2\neven 2308608");
    const [first] = (await api(page, "/runs")).runs;
    const record = await api(page, `/runs/${first.id}`);
    equal("request", [record.arguments, record.tools[0].parameters.filter((one) => one.given).map((one) => `${one.name}=${one.value}`)], [
        ["one", "two three"],
        ["line=16", "ways=2", "writeback=false"],
    ]);
    check("phases", (await page.texts(".phases li.done")).length >= 2, await page.texts(".phases li"));
    await page.looks("finished");
    await page.reload();
    await page.read("Finished", ".live");

    // ---- the same again: the run that is there is offered ----
    await page.choose("Change and run again");
    await page.see(".form");
    await page.choose("Run", "main button");
    await page.read(`Run ${first.id} was the same`);
    await page.looks("offer");
    await page.choose("Run again");
    await page.read("Finished", ".live");
    const [second] = (await api(page, "/runs")).runs;
    check("repeated", second.id !== first.id && second.key === first.key, second);
    equal("repeated-output", await page.text(".live pre.output"), output);

    // ---- a program that does not end: seen while it runs, also after a reload; stopped, with its results ----
    await page.evaluate((to) => (location.hash = to), `#/run?program=${number.spin}&tools=prof`);
    await page.see(".chosen");
    await page.choose("Run", "main button");
    await page.read("millions", ".live pre.output");
    check("no-escapes", !/\x1b|\[31m/.test(await page.text(".live pre.output")), await page.text(".live pre.output"));
    await page.see(".live .curve");
    await page.looks("live");
    await page.reload();
    await page.read("millions", ".live pre.output");
    await page.choose("Stop (keep results)");
    await page.read("Stopped", ".live");
    await page.read("as asked for", ".live");
    await until("its results", async () => (await api(page, "/runs")).runs[0].rows > 0);

    // ---- a limit of time ----
    await page.evaluate((to) => (location.hash = to), `#/run?program=${number.spin}&tools=prof&seconds=1`);
    await page.see(".chosen");
    await page.choose("Run", "main button");
    await page.read("it reached the limit of time", ".live");
    await page.looks("limit");

    // ---- patterns: names of the program are offered; a pattern that no procedure has is warned of before the run ----
    await page.evaluate((to) => (location.hash = to), `#/run?program=${number.spin}&tools=args`);
    await page.see(".form");
    await field("procedures");
    await page.type("[data-field]", "mai");
    await until("names", () => page.evaluate(() => [...document.querySelector("[data-field]").list.options].some((one) => one.value === "main")));
    await page.type("[data-field]", "nothing*");
    await page.read("nothing that tool 'args' looks for is in the program. It can be run all the same.", ".chosen .warning");
    check("may-be-run", !(await page.evaluate(() => document.querySelector("main button.primary").disabled)));
    await page.looks("warned");
    await page.type("[data-field]", "main");
    await until("it is chosen", async () => (await page.text(".chosen .warning")) === null);

    // ---- names are shown as they are ----
    await page.evaluate((to) => (location.hash = to), `#/run?program=${number['a <b> & "c"']}&tools=prof,branch`);
    await page.see(".chosen");
    equal("quoted", (await page.texts(".command code"))[0], `atomc -t prof -t branch '${programs}/a <b> & "c"' -o 'a <b> & "c".atom'`);
    await page.choose("Run", "main button");
    await page.read("Finished", ".live");
    await screen(page, "project");
    await until("the list", async () => (await page.texts("[aria-label='Latest runs'] tbody tr")).length === 5);
    await page.looks("project");
    await page.documented("project");

    await page.quiet(/status of 4(00|03) .*|api\/v1\/programs - Failed/);
    await page.close();
    await server.stop();
});
