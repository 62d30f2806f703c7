// tools: each stock tool is in a group, its page says what atomc --help says, its form has a field for each parameter; presets.
import { readFileSync } from "node:fs";
import { atomc, browse, check, equal, keys, run, testCase, until, workbench } from "../lib/webdriver.mjs";

await testCase(async () => {
    const listed = JSON.parse(await run(atomc, ["--list", "--json"])).tools;
    const about = Object.fromEntries(
        await Promise.all(listed.map(async ({ name }) => [name, JSON.parse(await run(atomc, ["--help", "--json", "-t", name])).tools[0]])),
    );
    const server = await workbench();
    const page = await browse(server.address);
    await page.click('.rail a[href^="#/tools"]');
    await page.see(".tools nav li");

    // ---- groups ----
    const grouped = await page.evaluate((tools) => import("/web/groups.js").then((module) => module.grouped(tools).map(({ title, tools }) => ({ title, names: tools.map((tool) => tool.name) }))), listed);
    equal("groups", grouped.slice(1).flatMap((group) => group.names).sort(), listed.map((tool) => tool.name).sort());
    check("others", !grouped.some((group) => group.title === "Others"));
    const first = await page.evaluate(() => [...document.querySelector(".tools nav ul").querySelectorAll("b")].map((one) => one.innerText));
    equal("start", first, ["branch", "cache", "hiprof", "prof"]);
    await page.read(`${listed.filter((tool) => !tool.has_c).length} of ${listed.length} have no C.`);

    // ---- search, by keys ----
    const words = ({ name, description, about: output }) => `${name} ${description} ${output}`.toLowerCase();
    await page.press("/", ..."leak");
    await until("those with leaks", async () => [...new Set(await page.texts(".tools nav li b"))].sort().join() === listed.filter((tool) => words(tool).includes("leak")).map((tool) => tool.name).sort().join());
    await page.type("input[data-filter]", "invalid frees, leaks");
    await until("one tool", async () => (await page.texts(".tools nav li b")).join() === "third");
    await page.press(keys.Tab, keys.Enter);
    await page.read("Run this tool");
    equal("address", await page.address(), "#/tools?find=invalid+frees%2C+leaks&tool=third");
    await page.evaluate(() => (location.hash = "#/tools?find=nothing+has+this"));
    await page.read("No tool's name, description or help has 'nothing has this'.");

    // By what only its help says.
    const dynmem = listed.find((tool) => tool.name === "dynmem");
    const rare = dynmem.about.toLowerCase().match(/[a-z]{6,}/g).find((word) => !dynmem.description.includes(word) && listed.every((tool) => tool === dynmem || !words(tool).includes(word)));
    await page.evaluate((word) => (location.hash = `#/tools?find=${word}`), rare);
    await until(`one tool by ${rare}`, async () => (await page.texts(".tools nav li b")).join() === "dynmem");

    // ---- pages and forms ----
    const differs = [];
    for (const { name } of listed) {
        const { heading, parameters } = about[name];
        const own = parameters.filter((one) => one.name !== "out");
        await page.evaluate((tool) => (location.hash = `#/tools?tool=${tool}`), name);
        await until(name, async () => (await page.text(".tool h2")) === name);
        const shown = await page.evaluate(() => ({
            sample: document.querySelector(".tool pre")?.textContent ?? "",
            names: [...document.querySelectorAll(".tool table.plain td.mono:first-child")].map((one) => one.innerText),
        }));
        if (shown.sample !== heading.sample || shown.names.join() !== own.map((one) => one.name).join()) differs.push({ name, shown });
    }
    equal("pages", differs, []);
    await page.evaluate((tools) => (location.hash = `#/run?tools=${tools}`), listed.map((tool) => tool.name).join());
    await until("all forms", async () => (await page.texts(".chosen")).length === listed.length && (await page.texts(".chosen .form, .chosen > p")).length === listed.length);
    const forms = await page.evaluate(() =>
        Object.fromEntries(
            [...document.querySelectorAll(".chosen")].map((section) => [
                section.getAttribute("aria-label"),
                [...section.querySelectorAll(".form .field")].map((field) => {
                    const control = field.querySelector("input, select");
                    return [field.querySelector("label").innerText.trim(), control.type === "checkbox" ? String(control.checked) : control.value, control.tagName === "SELECT" ? control.options.length : control.type];
                }),
            ]),
        ),
    );
    const expected = Object.fromEntries(
        listed.map(({ name }) => [
            name,
            about[name].parameters
                .filter((one) => one.name !== "out")
                .map((one) => [one.name, String(one.default), one.choices ? one.choices.length : one.type === "boolean" ? "checkbox" : "text"]),
        ]),
    );
    equal("forms", forms, expected);
    check("nothing-is-wrong", (await page.texts(".form .wrong")).every((text) => text === ""), await page.texts(".form .wrong"));

    // ---- presets ----
    await page.evaluate(() => (location.hash = "#/run?tools=cache&cache.size=1024&cache.ways=4"));
    await page.choose("Keep as a preset …");
    await until("its name has the focus", () => page.evaluate(() => document.activeElement.matches(".presets input")));
    await page.type(".presets input", 'small <b>"4"');
    await page.press(keys.Enter);
    await until("it is chosen", async () => (await page.evaluate(() => document.querySelector(".presets select")?.selectedOptions[0]?.innerText)) === 'small <b>"4"');
    await page.evaluate(() => (location.hash = "#/run?tools=cache"));
    await page.see(".presets select");
    await page.choose('small <b>"4"', ".presets option");
    await until("its values", async () => (await page.address()) === "#/run?tools=cache&cache.size=1024&cache.ways=4");
    await page.looks("preset");
    await page.choose("Remove the preset");
    await page.read("Keep as a preset");
    equal("removed", (await page.evaluate(() => fetch("/api/v1/presets").then((answer) => answer.json()))).presets, []);

    // ---- what is not there ----
    await page.evaluate(() => (location.hash = "#/tools?tool=nothing"));
    await page.see(".tools .notice.error");
    await page.evaluate(() => (location.hash = "#/tools?tool=hiprof"));
    await page.read("Run this tool");
    await page.looks("hiprof");
    await page.documented("tools");
    await page.click(".tool-source summary");
    await page.see(".tool-source pre");
    equal("source", (await page.evaluate(() => [...document.querySelectorAll(".tool-source pre")].map((one) => one.textContent))).includes(readFileSync(listed.find((tool) => tool.name === "hiprof").path, "utf8")), true);
    await page.looks("source");
    await page.click(".tool-source summary");
    await page.quiet(/status of 4/);
    await page.close();
    await server.stop();
});
