// frame: the rail, the address, keys, Help, what is said when something is not there, at every width and in both colours.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { plural, seconds } from "../../workbench/web/parts/format.js";
import { browse, check, equal, keys, testCase, top, until, workbench } from "../lib/webdriver.mjs";

// ---- words of one and of several; a short time is not none ----
equal("plural", [plural(1, "row"), plural("1", "row is", "rows are"), plural(0, "row"), plural(1234, "row is", "rows are")], ["1 row", "1 row is", "0 rows", "1\u2009234 rows are"]);
equal("seconds", [seconds(0), seconds(0.0004), seconds(0.041), seconds(0.05), seconds(12)], ["0.0 s", "1 ms", "41 ms", "0.1 s", "12 s"]);

await testCase(async () => {
    const server = await workbench();
    const began = Date.now();
    const page = await browse(server.address);
    await page.see("main h1");
    const started = Date.now() - began;
    const first_paint = () =>
        page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? performance.now());
    console.log(`# first paint after ${await first_paint()} ms; with the browser's start ${started} ms`);
    equal("token-is-gone", await page.evaluate(() => location.href), `${server.origin}/`);

    // ---- keys: digits are screens, / is the filter, Tab reaches all; back ----
    const titles = await page.texts(".rail a");
    equal("title", await page.evaluate(() => document.title), `${titles[0]} – atomc workbench`);
    for (const [index, title] of titles.entries()) {
        await page.press(String((index + 1) % 10));
        await until(title, async () => (await page.evaluate(() => document.title)) === `${title} – atomc workbench`);
    }
    equal("keys", await page.address(), "#/help");
    await page.back();
    check("back", (await page.address()) !== "#/help", await page.address());
    await page.press("?");
    await until("help on keys", async () => (await page.address()).startsWith("#/help?page="));
    await page.go(`${server.origin}/#/help`);
    await page.see(".document h1");
    await page.press("/", ..."cook");
    await until("one page", async () => (await page.texts(".help nav .body > ul > li > a")).length === 1);
    equal("filter", await page.texts(".help nav .body > ul > li > a"), ["Cookbook"]);
    equal("digits-in-fields", [await page.press("1", keys.Enter), await page.evaluate(() => document.activeElement.value), await page.address()], [null, "cook1", "#/help"].map((one) => one ?? undefined));
    await page.evaluate(() => document.activeElement.blur());
    await page.reload();
    await page.see(".document h1");
    await page.press(keys.Tab);
    equal("skip-link", await page.evaluate(() => document.activeElement.className), "skip");
    await page.press(keys.Enter);
    equal("skipped", await page.evaluate(() => document.activeElement.id), "main");

    // ---- an address that changes when the page has just loaded is shown ----
    await page.evaluate(() => (location.hash = "#/tools"));
    await page.see(".tools");
    await page.before("addEventListener('load', () => location.hash === '#/tools' && (location.hash = '#/help'))");
    await page.reload();
    equal("address-at-load", await page.address(), "#/help");
    await page.see(".document h1");
    equal("shown-at-load", await page.evaluate(() => document.title), "Help – atomc workbench");
    await page.press(keys.Tab);

    // ---- Help: all pages, with their headings, and no link that leads nowhere ----
    const listed = await page.evaluate(() => fetch("/web/contents.json").then((answer) => answer.json()));
    const files = [...readdirSync(join(top, "docs")), ...["internals", "internals/engine", "internals/runtime"].flatMap((folder) => readdirSync(join(top, "docs", folder)).map((file) => `${folder}/${file}`))].filter((file) => file.endsWith(".md"));
    equal("pages", listed.map((entry) => entry.page).sort(), files.sort());
    const wrong = [];
    for (const { page: file } of listed) {
        await page.evaluate((to) => (location.hash = `#/help?page=${to}`), file);
        const text = readFileSync(join(top, "docs", file), "utf8").replace(/^(```|~~~).*?^\1/gms, "");
        const headings = [...text.matchAll(/^(#+) (.*)$/gm)].length;
        const seen = () =>
            page.evaluate((to) => {
                const shown = document.querySelector(".help nav [aria-current=page]")?.getAttribute("href");
                const all = document.querySelectorAll(".document :is(h1, h2, h3, h4)");
                if (shown !== `#/help?page=${encodeURIComponent(to)}` || all.length === 0) return null;
                const pictures = [...document.querySelectorAll(".document img")];
                return {
                    headings: all.length,
                    pictures: pictures.every((one) => one.complete) ? pictures.filter((one) => one.naturalWidth === 0).map((one) => one.src) : null,
                    // A link within a page has its heading; one to another page is of a page that is listed.
                    lost: [...document.querySelectorAll(`.document a[href^="#/help?"]`)].flatMap((one) => {
                        const words = new URLSearchParams(one.getAttribute("href").slice("#/help?".length));
                        return words.get("page") === to && words.get("part") && !document.getElementById(`doc-${words.get("part")}`) ? [one.getAttribute("href")] : [];
                    }),
                };
            }, file);
        const found = await until(`${file} is shown`, async () => {
            const one = await seen();
            return one?.pictures && one.headings === headings ? one : false;
        }).catch((error) => ({ pictures: [], lost: [`${error.message}; it has ${headings} headings`] }));
        wrong.push(...found.pictures, ...found.lost.map((one) => `${file}: ${one}`));
    }
    equal("pages-are-shown", wrong, []);
    await page.go(`${server.origin}/#/help?page=internals/how-it-works.md`);
    await page.see(".document img");
    await page.looks("help");

    // ---- what is not there ----
    await page.go(`${server.origin}/#/nothing?a=<img src=x onerror=alert(1)>`);
    await page.read("There is no screen 'nothing' here.");
    await page.go(`${server.origin}/#/help?page=%3Cb%3E.md`);
    await page.see("main");
    await page.settled();
    await page.quiet();

    // ---- the server ends: the page says so, and keeps what it shows ----
    await page.go(`${server.origin}/#/tools`);
    await page.see(".tools nav li");
    await server.stop();
    await page.choose("third", ".tools nav li b");
    await page.read("does not answer");
    check("kept", (await page.texts(".tools nav li")).length > 20);
    await page.messages();
    await page.close();
});
