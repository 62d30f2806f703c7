// source: a source is opened, compiled at two levels, run, compared; changed with a mistake, then rightly, and compared again.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { saidPlaces, sourceVersions } from "../../workbench/web/parts/source_said.js";
import { atomc, browse, check, equal, keys, programs, scratch, testCase, until, workbench } from "../lib/webdriver.mjs";

const plain = (text) => Number((text ?? "").replace(/[\u2009 ]/g, ""));

// ---- what compilers say ----
equal(
    "said/gcc",
    saidPlaces("In file included from x.c:1:\nx.h:3:1: error: no\nx.c: In function 'f':\nx.c:2:5: error: 'y' undeclared\n    2 | y;\nx.c:2:5: note: each\n", { "x.c": "int x;\n    y;\n" }).map(({ line, column, severity, message, from, to }) => [line, column, severity, message, from, to]),
    [
        [2, 5, "error", "'y' undeclared", 11, 12],
        [2, 5, "note", "each", 11, 12],
    ],
);
equal("said/gfortran", saidPlaces("x.f90:2:3:\n\n    2 | foo\n      |   1\nError: Unclassifiable statement at (1)\n", { "x.f90": "program p\nfoo\nend\n" }).map(({ line, severity, message }) => [line, severity, message]), [[2, "error", "Unclassifiable statement at (1)"]]);
equal(
    "said/several",
    saidPlaces("In file included from a/x.c:1:\nb/x.h:1:1: error: no\n/usr/bin/ld: /tmp/c.o: in function `main':\na/x.c:2: multiple definition of `main'; /tmp/d.o:y.c:1: first defined here\n/usr/bin/ld: y.c:1: undefined reference to `f'\ny.c:1: undefined reference to `f'\n", { "a/x.c": "\nint main;\n", "b/x.h": "?\n", "y.c": "int main;\n" }).map(({ file, line, severity, message }) => [file, line, severity, message]),
    [
        ["b/x.h", 1, "error", "no"],
        ["a/x.c", 2, "error", "multiple definition of `main'"],
        ["y.c", 1, "note", "first defined here"],
        ["y.c", 1, "error", "undefined reference to `f'"],
    ],
);
equal("versions", sourceVersions(["/p/a/x-O0", "/p/a/x-O2", "/p/b/x-O0", "/p/a/x-O3"]), [1, 1, 2, 1]);

await testCase(async () => {
    const server = await workbench();
    const page = await browse(server.address);
    let clicks = 0;
    const choose = async (...words) => ((clicks += 1), page.choose(...words));
    const ask = (path, body) =>
        page.evaluate((to, sent) => fetch(`/api/v1${to}`, sent ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent) } : {}).then(async (answer) => ({ status: answer.status, ...(await answer.json()) })), path, body ?? null);
    const rows = () => page.evaluate(() => [...document.querySelectorAll(".source-runs tbody tr")].map((row) => [...row.cells].map((cell) => cell.innerText.trim())));
    const finished = (count) => until(`${count} runs with counts`, async () => (await rows()).filter((row) => /^[\d\u2009 ]+$/.test(row[3])).length === count && rows());

    // ---- the example at two levels: clicks that are counted ----
    await page.see(".card");
    await choose("Compile a source");
    await page.see('section[aria-label="Open a source"]');
    await page.looks("open");
    await choose("Open the example");
    await page.see(".source-text .cm-content");
    await choose("Compile and run", "button");
    const [slow, fast] = await finished(2);
    equal("programs", [slow[1], fast[1]], ["questions-O0", "questions-O2"]);
    equal("first", [slow[0], slow[4], fast[0]], ["1", "", "1"]);
    check("beside/less", plain(fast[3]) < plain(slow[3]), [slow[3], fast[3]]);
    equal("beside/percent", fast[4], `−${((100 * (plain(slow[3]) - plain(fast[3]))) / plain(slow[3])).toFixed(1)} %`);
    await page.settled();
    await page.looks("levels");
    await page.documented("source");
    // The programs are what the shell makes of the same file, and so are the counts.
    const { programs: known } = await ask("/programs");
    for (const [level, row] of [["-O0", slow], ["-O2", fast]]) {
        const { path } = known.find((one) => one.name === row[1]);
        const folder = path.slice(0, path.lastIndexOf("/"));
        execFileSync("alpha-linux-gnu-gcc", [level, "-g", join(folder, "questions.c"), "-o", join(scratch, "again")], { cwd: folder });
        // Without the symbols, which have the name of a temporary file.
        for (const [file, stripped] of [[path, "one"], [join(scratch, "again"), "other"]]) execFileSync("alpha-linux-gnu-strip", ["-o", join(scratch, stripped), file]);
        check(`same-program/${level}`, readFileSync(join(scratch, "one")).equals(readFileSync(join(scratch, "other"))), path);
        const { output } = spawnSync(atomc, ["run", "-t", "prof", path], { encoding: "utf8" });
        equal(`same-count/${level}`, /^total\s+(\d+)/m.exec(output.join(""))?.[1], String(plain(row[3])));
    }
    await choose("Compare", ".source-runs a");
    await page.see(".compare");
    await page.read("fewer instructions", ".compare");
    check("clicks", clicks <= 4, clicks);
    console.log(`# clicks to -O0 beside -O2: ${clicks}`);
    await page.back();
    await finished(2);

    // ---- a mistake in the text: said at its line, nothing is run ----
    const text = () => page.evaluate(() => document.querySelector(".source-text .cm-content").cmTile?.view?.state.doc.toString() ?? document.querySelector(".source-text .cm-content").cmView.view.state.doc.toString());
    const original = await text();
    await page.click(".source-text .cm-line");
    await page.press("Control+a");
    const type = (words) => page.evaluate((now) => document.execCommand("insertText", false, now), words);
    await type(original.replace("by_columns();", "by_colums();").replace("int main", "int nothing = ;\nint main"));
    await page.read("changed here");
    await page.press("Control+" + keys.Enter);
    await page.read("expected expression", ".source-said");
    await page.see(".cm-lintRange-error");
    equal("mistake/no-run", (await rows()).length, 2);
    await page.looks("mistake");

    // ---- another algorithm ----
    await page.choose("As in the file", "button");
    await page.click(".source-text .cm-line");
    await page.press("Control+a");
    check("change/possible", original.includes("right[i][column]"), original);
    await type(original.replace("SIZE = 96", "SIZE = 48"));
    await page.press("Control+" + keys.Enter);
    const four = await finished(4);
    equal("change/versions", four.map((row) => row[0]), ["1", "1", "2", "2"]);
    check("change/less", plain(four[2][3]) < plain(slow[3]) && plain(four[3][3]) < plain(fast[3]), four);
    await page.looks("versions");
    // The file is as it was, and a run's program has its own text as source.
    const { source } = await ask("/example", {});
    equal("file/unchanged", readFileSync(source, "utf8"), original);
    await page.choose("Results", ".source-runs tbody tr:last-child a");
    await page.see(".results");
    await page.back();

    // ---- C++ of one's own, with a library and arguments ----
    await page.choose("Another source …");
    await page.type('section[aria-label="Open a source"] input', join(programs, "../sources/shapes.cc"));
    await page.press(keys.Enter);
    await page.see(".source-text .cm-content");
    await page.read(basename("shapes.cc"), "h1");
    await page.choose("-O0", ".source label");
    await page.choose("-O3", ".source label");
    await page.choose("Compile and run", "button");
    equal("own/programs", (await finished(2)).map((row) => row[1]), ["shapes-O2", "shapes-O3"]);
    await page.looks("own");

    // ---- a source that no program can be made of ----
    const alone = await ask("/compile", { text: "int nothing;", name: "y.c" });
    check("said/linker", alone.path === null && alone.said.includes("main"), alone);
    await page.quiet();
    await page.close();
    await server.stop();
});
