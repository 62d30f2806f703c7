// share: a run as one page, saved by the workbench and opened from its file, without a server: tables, source, flame graph. The
// numbers are those of the run's tables.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { browse, check, equal, programs, scratch, testCase, until, workbench } from "../lib/webdriver.mjs";

const plain = (text) => (text ?? "").replace(/[\u2009 ]/g, "");

await testCase(async () => {
    const server = await workbench();
    const page = await browse(server.address);
    await page.download(scratch);
    await page.see("main h1");
    const api = page.api;
    const { id } = await page.open(join(programs, "matrix"), [{ name: "hiprof" }, { name: "cache", parameters: { lines: true } }]);
    const { tables } = await api(`/runs/${id}/tables`);
    const lines = tables.find((one) => one.report.endsWith(".lines"));
    const at = (title) => lines.columns.findIndex((one) => one.title === title);
    const { rows } = await api(`/tables/${lines.id}/rows?limit=1000&sort=-${at("Misses")}`);
    const tree = tables.find((one) => one.tree);

    await page.go(`${server.origin}/#/results?run=${id}`);
    await page.choose("Share …", "summary");
    await page.looks("menu");
    check("gprof", await page.evaluate(() => [...document.querySelectorAll(".menu a")].some((one) => one.innerText === "gmon.out: gprof")));
    await page.choose("Page (HTML): opens anywhere", ".menu a");
    const file = join(scratch, `run-${id}.html`);
    await until("the page is saved", () => existsSync(file));
    const saved = await page.evaluate((run) => Promise.all(["pb.gz", "trace.json", "gmon.out"].map((end) => fetch(`/api/v1/export/runs/${run}.${end}`).then((answer) => [answer.status, answer.headers.get("Content-Disposition")]))), id);
    equal("others", saved.map(([status]) => status), [200, 200, 200]);
    check("attached", saved.every(([, how]) => /^attachment/.test(how)), saved);
    await page.quiet();
    await server.stop();

    // ---- without the server ----
    await page.go(`file://${file}`);
    await page.see("#canvas[data-boxes]");
    equal("program", await page.text("#program"), "matrix");
    await page.choose(`cache: ${lines.report}`, "#tabs button");
    await page.choose("Misses", "#rows th button");
    const shown = await page.evaluate(() => [...document.querySelectorAll("#rows tbody tr")].map((row) => [...row.cells].map((cell) => cell.innerText)));
    equal("rows", shown.length, rows.length);
    equal("misses", plain(shown[0][at("Misses")]), String(rows[0][at("Misses")]));
    await page.click("#rows tbody tr");
    const [line, count] = await page.evaluate(() => [...document.querySelector("#lines .here").cells].map((cell) => cell.innerText));
    equal("line", `${line} ${plain(count)}`, `${rows[0].at(-1) > 0 ? rows[0].at(-1) : /:(\d+)$/.exec(rows[0][at("Source")])[1]} ${rows[0][at("Misses")]}`);
    check("boxes", Number(await page.evaluate(() => document.querySelector("#canvas").dataset.boxes)) > 3 && tree);
    await page.type("#search", "main");
    await page.read("frames with 'main'", "#frame");
    check("whole", readFileSync(file, "utf8").includes("</html>"));
    equal("page-messages", await page.messages(), []);
    // What a row is about stays when its table is scrolled to the right.
    const left = await page.evaluate(() => {
        const box = document.querySelector("#rows");
        box.style.width = "300px";
        box.scrollTo(box.scrollWidth, 0);
        const found = [box.scrollLeft > 0, ...[box.querySelector("th"), box.querySelector("td")].map((cell) => Math.round(cell.getBoundingClientRect().left - box.getBoundingClientRect().left))];
        box.style.width = "";
        return found;
    });
    equal("scrolled", left, [true, 0, 0]);
    // The page scrolls, as documents do, but not sideways.
    for (const look of [{ width: 1280 }, { width: 1600, height: 1000, dark: true }]) {
        await page.look(look);
        check(`page-${look.width}`, !/in x/.test(await page.overflow()) && (await page.barriers()).length === 0, `${await page.overflow()} ${await page.barriers()}`);
        await page.picture(`share-page-${look.width}`);
    }
    await page.close();
});
