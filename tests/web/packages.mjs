// packages: on the screen Tools, packages are added from the gallery, a folder and an upload, trusted, packed and removed; a tool of one is run
// with its preset; what is refused is said.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atomc, browse, check, equal, keys, run, scratch, testCase, top, until, workbench } from "../lib/webdriver.mjs";

await testCase(async () => {
    process.env.XDG_DATA_HOME = join(scratch, "data");
    const folder = join(scratch, "sources");
    mkdirSync(join(folder, "mine"), { recursive: true });
    writeFileSync(join(folder, "mine/entries.atd"), 'tool entries "entries of <b>main</b>"\nuse int Twice(int) from "twice.inst.c"\nparam int least = 0 "nothing counts less"\ncounter n\nfor p in procs where p.name == "main" and Twice(1) == 2 { before p n++ }\nreport "entries.out" "Entered" n display table\n');
    writeFileSync(join(folder, "mine/twice.inst.c"), "int Twice(int n) { return 2 * n; }\n");
    writeFileSync(join(folder, "mine/package.json"), JSON.stringify({ name: "mine", version: "1.0", description: 'what <i>"this"</i> & that is', tools: ["entries.atd"], presets: [{ tool: "entries", name: "many <b>", parameters: { least: 10 } }] }));
    await run(atomc, ["package", "make", join(top, "packages/gallery/calls"), "-o", join(folder, "calls.tar.zst")]);
    const server = await workbench(undefined, ["--allow", scratch].flatMap((word, at, all) => (at ? [] : [`${all[0]}=${all[1]}`])));
    const page = await browse(server.address);
    const own = join(scratch, "project/tools");
    const article = (name) => `article[aria-label="${name}"]`;

    // ---- the gallery, by keys ----
    await page.click('.rail a[href^="#/tools"]');
    await page.choose("Packages …", ".tools nav .head a");
    await page.read("There are no packages in this project");
    const listed = JSON.parse(await run(atomc, ["package", "list", "--gallery", "--json"])).packages.map((one) => one.name);
    await until("the gallery", async () => (await page.texts(".gallery h4")).join() === listed.join());
    await page.reach('button[aria-label="Add loops"]', 120);
    await page.press(keys.Enter);
    await page.read("loops is in the project now.");
    equal("added/files", readdirSync(join(own, "loops")).sort(), readdirSync(join(top, "packages/gallery/loops")).sort());
    await until("it is in the list of tools", async () => (await page.texts(".tools nav li b")).includes("loops") && (await page.texts(".tools nav h3")).includes("loops"));

    // ---- a folder, and what is refused ----
    await page.type(".package-add input", join(folder, "nothing"));
    await page.press(keys.Enter);
    await page.read("No such file or directory", ".packages");
    await page.type(".package-add input", "/etc");
    await page.press(keys.Enter);
    await page.read("it is not below a folder that the workbench may read", ".packages");
    equal("refused/nothing-is-there", readdirSync(own), ["loops"]);
    await page.type(".package-add input", join(folder, "mine"));
    await page.press(keys.Enter);
    await page.see(article("mine"));
    check("names-are-text", (await page.text(article("mine"))).includes('what <i>"this"</i> & that is'));
    await page.looks("packages");

    // ---- trust ----
    await page.read("with your rights", article("mine"));
    await page.choose("Trust mine", "button");
    await until("it is trusted", async () => (await page.text(article("mine"))).includes("trusted") && !(await page.text(article("mine"))).includes("with your rights"));
    const digest = JSON.parse(await run(atomc, ["package", "list", "--json"], { env: { ...process.env, ATOMC_PACKAGES: own } })).packages.find((one) => one.name === "mine").digest;
    check("trusted", readFileSync(join(scratch, "data/atomc/trusted"), "utf8").includes(digest));

    // ---- an upload; packing ----
    await page.give('.package-add input[type="file"]', join(folder, "calls.tar.zst"));
    await page.read("calls is in the project now.");
    await page.see('a[aria-label="Pack calls"]');
    const [status, same] = await page.evaluate(async () => {
        const answer = await fetch(document.querySelector('a[aria-label="Pack calls"]').href);
        return [answer.status, (await answer.arrayBuffer()).byteLength];
    });
    equal("packed", [status, same], [200, readFileSync(join(folder, "calls.tar.zst")).length]);

    // ---- a tool of a package, and its preset ----
    await page.choose("entries", `${article("mine")} a`);
    await page.read("many <b>");
    equal("address", await page.address(), "#/tools?tool=mine%2Fentries");
    await page.choose("many <b>", ".tool ul a");
    await until("the form has it", async () => (await page.evaluate(() => document.querySelector(".presets select")?.selectedOptions[0]?.innerText)) === "many <b>" && (await page.evaluate(() => document.querySelector(".chosen .form input")?.value)) === "10");

    // ---- removing ----
    await page.evaluate(() => (location.hash = "#/tools?packages=1"));
    await page.see('button[aria-label="Remove calls …"]');
    await page.click('button[aria-label="Remove calls …"]');
    await page.choose("Remove calls and its files", "button");
    await until("it is gone", () => readdirSync(own).sort().join() === "loops,mine");
    await until("from the page, too", async () => !(await page.texts("article h4")).includes("calls"));
    await page.quiet(/status of 4/);
    await page.close();
    await server.stop();
});
