// empty: each screen where there is nothing yet: every pane says why it is empty, by keys alone, in both widths and colours; then with a run
// that reports nothing, with one run only, and with two that have nothing in common.
import { join } from "node:path";
import { browse, check, equal, programs, testCase, until, workbench } from "../lib/webdriver.mjs";

const screens = ["project", "program", "tools", "run", "results", "compare", "campaigns", "author", "sql", "help"];

/** Panes that can be seen and say nothing: by their labels. */
const silent = (page) =>
    page.evaluate(() =>
        [...document.querySelectorAll("main .pane, main [role=tabpanel]")]
            .filter((pane) => pane.offsetParent && pane.getBoundingClientRect().height > 0)
            .filter((pane) => {
                const body = pane.matches("[role=tabpanel]") ? pane : (pane.querySelector(".body") ?? pane);
                return body.innerText.trim() === "" && !body.querySelector("input, textarea, select, canvas, svg, img");
            })
            .map((pane) => pane.getAttribute("aria-label") ?? pane.className),
    );

await testCase(async () => {
    const server = await workbench();
    const page = await browse(server.address);
    await page.see("main h1");
    const api = page.api;

    // ---- nothing is there ----
    for (const [at, screen] of screens.entries()) {
        await page.evaluate(() => document.activeElement?.blur());
        await page.press(String((at + 1) % 10));
        await until(`the key of ${screen}`, async () => new RegExp(`^#/${screen}\\b`).test(await page.address()));
        await until(`${screen} is there`, () => page.evaluate(() => document.querySelector("main")?.innerText.trim().length > 10));
        await until(`no pane of ${screen} is silent`, async () => (await silent(page)).length === 0).catch(() => {});
        equal(`silent/${screen}`, await silent(page), []);
        // Tab goes to what is seen, and from there on.
        const visited = new Set();
        for (let i = 0; i < 12; i++) {
            await page.press("\ue004");
            visited.add(
                await page.evaluate(() => {
                    const one = document.activeElement;
                    const box = one.getBoundingClientRect();
                    return one === document.body ? "body" : `${box.width > 0 && box.height > 0 ? "" : "unseen "}${one.tagName} ${one.textContent.slice(0, 20)} ${one.id} ${Math.round(box.x)} ${Math.round(box.y)}`;
                }),
            );
        }
        check(`keys/${screen}`, visited.size > 8 && ![...visited].some((one) => one.startsWith("unseen")), [...visited]);
        await page.looks(screen);
    }

    // ---- a run that reports nothing: each tab says why ----
    await api("/programs", { path: join(programs, "same") });
    const nothing = await api("/runs", { program: { path: join(programs, "same") }, tools: [{ name: "empty" }] });
    equal("state", (await page.finished(nothing.id)).state, "finished");
    for (const view of ["flame", "tree", "sandwich", "chart", "facts", "files"]) {
        await page.evaluate((to) => (location.hash = to), `#/results?run=${nothing.id}&view=${view}`);
        await page.see("#lower-panel");
        await page.read("This run has no tables.");
        await until(`${view} is not silent`, async () => (await silent(page)).length === 0).catch(() => {});
        equal(`silent/results-${view}`, await silent(page), []);
    }
    await page.looks("no-tables");

    // ---- one run, and two that cannot be compared ----
    await page.evaluate(() => (location.hash = "#/compare"));
    await page.read("There is one run only: two are needed to compare.");
    const other = await api("/runs", { program: { path: join(programs, "same") }, tools: [{ name: "prof" }] });
    equal("state-of-the-other", (await page.finished(other.id)).state, "finished");
    await page.reload();
    await page.read("Choose two runs.");
    await page.looks("compare-none-chosen");
    await page.evaluate((to) => (location.hash = to), `#/compare?a=${nothing.id}&b=${other.id}`);
    await page.read("have no table in common");
    equal("silent/compare", await silent(page), []);
    await page.looks("compare-nothing-in-common");
    await page.evaluate((to) => (location.hash = to), `#/compare?a=${other.id}&b=${other.id}`);
    await page.read("A and B are the same run: nothing differs.");
    await page.see(".compare-view");
    for (const view of ["source", "code", "flame", "coverage"]) {
        await page.evaluate((to) => (location.hash = to), `#/compare?a=${other.id}&b=${other.id}&view=${view}`);
        await until(`${view} is not silent`, async () => (await silent(page)).length === 0).catch(() => {});
        equal(`silent/compare-${view}`, await silent(page), []);
    }
    await page.quiet();
    await page.close();
    await server.stop();
});
