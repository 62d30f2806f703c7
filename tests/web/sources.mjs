// sources: a program of several sources: a folder, archives and chosen files; mistakes at their lines in the file that has them; each
// file is changed; the views of a run find each; the other machine. What the page makes is what the shell makes of the same files.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { leftOut, mainsOf, untar, unzip } from "../../workbench/web/parts/source_files.js";
import { atomc, browse, check, equal, keys, scratch, testCase, until, workbench } from "../lib/webdriver.mjs";

const plain = (text) => Number((text ?? "").replace(/[\u2009 ]/g, ""));
const given = {
    "main.c": '#include <stdio.h>\n#include <table.h>\n#include "turns.h"\nint main(int count, char **words) {\n    struct table table = {0};\n    for (int i = 0; i < TURNS; i++)\n        table_add(&table, i % 17);\n    printf("%d %d\\n", table_sum(&table), half(count));\n    return words == 0;\n}\n',
    "turns.h": "enum { TURNS = 400 };\n",
    "include/table.h": "struct table { int count[32]; };\n#ifdef __cplusplus\nextern \"C\" int half(int value);\n#else\nint half(int value);\nint table_sum(const struct table *table);\n/* The loop is for its counts. */\nstatic __attribute__((noinline, unused)) void table_add(struct table *table, int value) {\n    for (int i = 0; i <= value; i++)\n        table->count[i]++;\n}\n#endif\n",
    "table/table.c": '#include "table.h"\nint table_sum(const struct table *table) {\n    int sum = 0;\n    for (int i = 0; i < 32; i++)\n        sum += table->count[i];\n    return sum;\n}\n',
    "other.c": "int main(void) { return 7; }\n",
    "table/half.cc": '#include "table.h"\nint half(int value) {\n    int found = 0;\n    while (found + found < value)\n        found++;\n    return found;\n}\n',
};
function put(folder, files) {
    for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
    }
    return folder;
}

// ---- archives, with names of all lengths; which source begins the program ----
const kinds = { sources: { ".c": "gcc", ".cc": "g++", ".f90": "gfortran" }, headers: [".h"], most_bytes: 900000 };
const long = `${"deep/".repeat(30)}a.c`;
put(join(scratch, "packed"), { [long]: "int a;\n", "b.c": "int b;\n" });
for (const format of ["gnu", "pax", "ustar"]) {
    execFileSync("tar", ["-C", scratch, `--format=${format}`, "-cf", join(scratch, `${format}.tar`), "packed"]);
    equal(`untar/${format}`, untar(readFileSync(join(scratch, `${format}.tar`))).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]).sort(), [["packed/b.c", "int b;\n"], [`packed/${long}`, "int a;\n"]]);
}
const thrown = (attempt) => {
    try {
        return attempt();
    } catch (error) {
        return error.error;
    }
};
check("untar/cut", /is cut/.test(thrown(() => untar(readFileSync(join(scratch, "gnu.tar")).subarray(0, 700)))));
check("untar/cut-at-a-file", /is cut/.test(thrown(() => untar(readFileSync(join(scratch, "gnu.tar")).subarray(0, 512)))));
check("unzip/none", /no list/.test(thrown(() => unzip(new Uint8Array(100)))));
equal("mains", mainsOf({ "a.c": "  x = main(1);\n// main\n", "b.c": "IntNative main ( int argc )\n{}", "c.c": "int main(void) {}", "d.f90": "! begin\n  program x\nend\n", "e.h": "int main(void);\n" }, kinds), ["b.c", "c.c", "d.f90"]);
equal("left-out", leftOut("c-1.2", { "b.c": "int main() {}", "c.c": "int main() {}", "d.c": "int d;" }, kinds), ["b.c"]);

await testCase(async () => {
    const folder = put(join(scratch, "counts"), { ...given, "notes.txt": "not used\n" });
    const server = await workbench();
    const page = await browse(server.address);
    const ask = (path, body) =>
        page.evaluate((to, sent) => fetch(`/api/v1${to}`, sent ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent) } : {}).then(async (answer) => ({ status: answer.status, ...(await answer.json()) })), path, body ?? null);
    const rows = () => page.evaluate(() => [...document.querySelectorAll(".source-runs tbody tr")].map((row) => [...row.cells].map((cell) => cell.innerText.trim())));
    const finished = (count) => until(`${count} runs with counts`, async () => (await rows()).filter((row) => /^[\d\u2009 ]+$/.test(row[3])).length === count && rows());
    const type = (words) => page.evaluate((now) => document.execCommand("insertText", false, now), words);
    const shown = () => page.texts(".source-files li button");
    const open = async (name) => {
        await page.choose(name, ".source-files li button");
        await page.see(`.source-text .cm-content[aria-label="${name}, text"]`);
    };
    const change = async (name, from, to) => {
        await open(name);
        await page.click(".source-text .cm-line");
        await page.press("Control+a");
        await type(given[name].replace(from, to));
    };
    const visit = (hash) => page.evaluate((to) => (location.hash = to), hash);

    // ---- a folder ----
    await visit("#/source");
    await page.type('section[aria-label="Open a source"] input', folder);
    await page.press(keys.Enter);
    await page.see(".source-files li");
    equal("files", await shown(), Object.keys(given).sort());
    await page.read("1 other file is not used");
    equal("compiled", await page.evaluate(() => [...document.querySelectorAll(".source-files input:checked")].map((one) => one.getAttribute("aria-label"))), ["Compile main.c", "Compile table/half.cc", "Compile table/table.c"]);
    equal("first", await page.text(".source-text h2"), "main.c");
    await page.choose("Compile and run", "button");
    const [slow, fast] = await finished(2);
    equal("programs", [slow[1], fast[1]], ["counts-O0", "counts-O2"]);
    await page.settled();
    await page.looks("folder");
    // Bars are as long as the counts; a label is beside its field; the table is as wide as its pane.
    const widths = await page.evaluate(() => [...document.querySelectorAll(".source-bar .bar")].map((one) => one.getBoundingClientRect().width));
    check("bars", widths[0] > 40 && Math.abs(widths[1] / widths[0] - plain(fast[3]) / plain(slow[3])) < 0.02, [widths, slow[3], fast[3]]);
    equal("labels", await page.evaluate(() => [...document.querySelectorAll(".source form label[for]")].filter((label) => Math.abs(label.getBoundingClientRect().top - document.getElementById(label.htmlFor).getBoundingClientRect().top) > 12).map((label) => label.innerText)), []);
    equal("table-fits", await page.evaluate(() => { const body = document.querySelector(".source-runs").parentElement; return body.scrollWidth - body.clientWidth; }), 0);
    await page.documented("sources");
    // The shell's programs from the same files.
    const { programs: known } = await ask("/programs");
    for (const [level, row] of [["-O0", slow], ["-O2", fast]]) {
        const { path } = known.find((one) => one.name === row[1]);
        const words = (await page.text("footer .command code, footer code")) ?? "";
        if (level === "-O2") check("command", /alpha-linux-gnu-g\+\+ .*-x c main\.c -x none table\/half\.cc -x c table\/table\.c -x none -O2 -g -o counts-O2/.test(words), words);
        const { output } = spawnSync(atomc, ["run", "-t", "prof", path], { encoding: "utf8" });
        equal(`same-count/${level}`, /^total\s+(\d+)/m.exec(output.join(""))?.[1], String(plain(row[3])));
        const made = join(scratch, `made${level}`);
        const place = join(dirname(path), "counts");
        execFileSync("alpha-linux-gnu-g++", ["-iquote", place, "-I", join(place, "include"), "-x", "c", join(place, "main.c"), "-x", "none", join(place, "table/half.cc"), "-x", "c", join(place, "table/table.c"), level, "-g", "-o", made], { cwd: place });
        const counted = spawnSync(atomc, ["run", "-t", "prof", made], { encoding: "utf8" }).output.join("");
        equal(`shell-count/${level}`, /^total\s+(\d+)/m.exec(counted)?.[1], String(plain(row[3])));
    }

    // ---- each file of the run's program is found, also the header, and none is said to be newer ----
    const quick = known.find((one) => one.name === "counts-O2");
    for (const [name, file, words] of [["main", "main.c", "table_sum(&table)"], ["table_add", "include/table.h", "The loop is for its counts"], ["half", "table/half.cc", "found + found"], ["table_sum", "table/table.c", "sum += table->count[i]"]]) {
        const { rows: procedures } = await ask(`/programs/${quick.id}/procedures?find=${name}`);
        const procedure = procedures.find((one) => one.name === name);
        check(`views/${name}/file`, procedure?.file.endsWith(`/counts/${file}`), procedure);
        const source = await ask(`/programs/${quick.id}/source?path=${encodeURIComponent(procedure.file)}`);
        equal(`views/${name}`, [source.state, source.text], ["found", given[file]]);
        await visit(`#/program?program=${quick.id}&procedure=${procedure.pc}`);
        await page.read(words, '.cm-content[aria-label="Source"]');
    }
    await page.back();
    await page.back();
    await page.back();
    await page.back();
    await finished(2);

    // ---- mistakes, each in its file ----
    await change("table/table.c", "int sum = 0;", "int sum = ;");
    await change("include/table.h", "int count[32];", "int count[missing];");
    await page.press("Control+" + keys.Enter);
    await page.read("include/table.h:1", ".source-said button");
    await page.read("table/table.c:3", ".source-said button");
    equal("mistakes/no-run", (await rows()).length, 2);
    await page.looks("mistakes");
    await page.choose("table/table.c:3", ".source-said button");
    await page.see('.source-text .cm-content[aria-label="table/table.c, text"]');
    await page.see(".cm-lintRange-error");
    await page.read("int sum = ;", ".cm-activeLine");
    check("mistakes/counted", plain(await page.text(".source-files li.current .wrong")) >= 1);
    await page.choose("As in the file", "button");
    await open("include/table.h");
    await page.see(".cm-lintRange-error");
    await page.choose("As in the file", "button");
    // Two beginnings: the linker's words lead to both.
    await page.click('input[aria-label="Compile other.c"]');
    await page.choose("Compile and run", "button");
    await page.read("multiple definition of `main'", ".source-said");
    await page.read("first defined here", ".source-said");
    equal("linker", (await page.texts(".source-said button")).sort(), ["main.c:4", "other.c:1"]);
    await page.click('input[aria-label="Compile other.c"]');

    // ---- a header is changed: another version ----
    await change("turns.h", "400", "40");
    await page.press("Control+" + keys.Enter);
    const four = await finished(4);
    equal("change/versions", four.map((row) => row[0]), ["1", "1", "2", "2"]);
    check("change/less", plain(four[2][3]) < plain(slow[3]) && plain(four[3][3]) < plain(fast[3]), four);
    equal("files/unchanged", Object.keys(given).map((name) => readFileSync(join(folder, name), "utf8")), Object.values(given));

    // ---- an option that finds a folder, and one that leads out of it ----
    const several = (options, files = given) => ask("/compile", { name: "counts", files, without: ["other.c"], options });
    check("option/folder", (await several(["-O1", "-Itable"])).path?.endsWith("/counts-O1-Itable"));
    equal("option/outside", [(await several(["-I../other"])).status, (await several(["-I/etc"])).status], [400, 400]);
    for (const name of ["../x.c", "/x.c", "a//x.c", "a/../x.c", ".x.c", "a/.b/x.c", "x.txt", "x y.c"]) equal(`name/${name}`, (await several([], { [name]: "int main;" })).status, 400);
    equal("nothing-to-compile", (await several([], { "x.h": "" })).status, 400);

    // ---- from the browser's machine: archives, files, a folder ----
    const upload = async (test, paths, name, names = Object.keys(given).sort(), field = "input[type=file][multiple]") => {
        await visit("#/source");
        await page.give(field, paths);
        await page.see(".source-files li");
        equal(`upload/${test}`, [await page.text("h1"), await shown()], [name, names]);
        for (const one of names) {
            await open(one);
            const text = () => page.evaluate(() => document.querySelector(".source-text .cm-content").cmTile?.view?.state.doc.toString() ?? document.querySelector(".source-text .cm-content").cmView.view.state.doc.toString());
            if (one in given) equal(`upload/${test}/${one}`, await text(), given[one]);
        }
    };
    cpSync(folder, join(scratch, "counts-2.1"), { recursive: true });
    execFileSync("tar", ["-C", scratch, "-czf", join(scratch, "counts.tar.gz"), "counts-2.1"]);
    await upload("tar.gz", join(scratch, "counts.tar.gz"), "counts-2.1");
    execFileSync("tar", ["-C", scratch, "-cJf", join(scratch, "counts.tar.xz"), "counts-2.1"]);
    const uploads = async () => (await ask("/objects")).objects.map((one) => one.name);
    const before = await uploads();
    await upload("tar.xz", join(scratch, "counts.tar.xz"), "counts-2.1");
    equal("upload/tar.xz/nothing-left", await uploads(), before);
    execFileSync("tar", ["-C", folder, "-cf", join(scratch, "flat.tar"), "."]);
    await upload("tar", join(scratch, "flat.tar"), "flat");
    if (existsSync("/usr/bin/zip")) {
        execFileSync("zip", ["-q", "-r", join(scratch, "counts.zip"), "counts-2.1"], { cwd: scratch });
        await upload("zip", join(scratch, "counts.zip"), "counts-2.1");
    }
    await upload("files", [join(folder, "main.c"), join(folder, "turns.h")].join("\n"), "main", ["main.c", "turns.h"]);
    await upload("folder", folder, "counts", Object.keys(given).sort(), "input[type=file]:not([multiple])");
    await page.choose("-O0", ".source label");
    await page.choose("Compile and run", "button");
    equal("upload/count", (await finished(1)).map((row) => [row[1], row[3]]), [["counts-O2", fast[3]]]);
    // What cannot be taken is said.
    const refused = async (test, file, bytes, words) => {
        await visit("#/source");
        await page.see('section[aria-label="Open a source"]');
        writeFileSync(join(scratch, file), bytes);
        await page.give("input[type=file][multiple]", join(scratch, file));
        await page.read(words, ".notice.error");
        check(`refused/${test}`, true);
        await visit("#/project");
        await page.see(".card");
    };
    await refused("kind", "x.tar.zst", "x", "archives of this kind cannot be unpacked here");
    await refused("xz/damaged", "x.tar.xz", "x", "x.tar.xz: xz cannot uncompress it: it is damaged, or no .xz file");
    const xz = (bytes) => execFileSync("xz", ["-c"], { input: bytes, maxBuffer: 1 << 26 });
    await refused("xz/cut", "y.tar.xz", xz(readFileSync(join(scratch, "flat.tar"))).subarray(0, -40), "xz cannot uncompress it");
    const zeros = Buffer.alloc(70 << 20);
    await refused("xz/bomb", "z.tar.xz", xz(zeros), "it has more than 64 MB when it is uncompressed");
    await refused("gz/bomb", "z.tar.gz", gzipSync(zeros), "the archive has more than 64 MB when it is uncompressed");
    // Names of other folders, and links, which are no files.
    execFileSync("tar", ["-C", join(scratch, "counts"), "-P", "-cf", join(scratch, "up.tar"), "../counts/main.c"]);
    await refused("outside", "up.tar.xz", xz(readFileSync(join(scratch, "up.tar"))), "../counts/main.c: a file of the archive would be outside of its folder");
    symlinkSync("/etc/passwd", join(scratch, "link.c"));
    execFileSync("tar", ["-C", scratch, "-cJf", join(scratch, "link.tar.xz"), "link.c"]);
    await refused("link", "link.tar.xz", readFileSync(join(scratch, "link.tar.xz")), "there is no source of C, C++ or Fortran in it");
    equal("refused/nothing-left", await uploads(), before);
    await refused("damaged", "x.tar.gz", "no gzip", "the archive is damaged");
    await refused("cut", "y.tar.gz", gzipSync(readFileSync(join(scratch, "flat.tar")).subarray(0, 900)), "the archive is cut");
    await refused("nothing", "notes.txt", "words", "there is no source of C, C++ or Fortran in it");
    await refused("latin", "x.c", Buffer.from([0x2f, 0x2f, 0xe4, 0x0a]), "it is no text in UTF-8");

    // ---- the other machine ----
    if (existsSync("/usr/bin/aarch64-linux-gnu-g++")) {
        await visit(`#/source?path=${encodeURIComponent(folder)}&machine=AArch64`);
        await page.see(".source-files li");
        equal("machine/options", await page.evaluate(() => document.querySelector(".source form input.mono").value), "-g -static");
        equal("machine/tools", await page.evaluate(() => [...document.querySelectorAll(".source form option:disabled")].map((one) => one.value)), ["cache", "dynmem"]);
        await page.choose("Compile and run", "button");
        const [first, second] = await finished(2);
        equal("machine/programs", [first[1], second[1]], ["counts-aarch64-O0-static", "counts-aarch64-O2-static"]);
        await page.read("aarch64-linux-gnu-g++", "footer");
        const { path, id } = (await ask("/programs")).programs.find((one) => one.name === second[1]);
        const { output } = spawnSync(atomc, ["run", "-t", "prof", path], { encoding: "utf8" });
        // The C library's own depend on the environment.
        const runs = (await ask(`/runs?program=${id}`)).runs;
        const { rows: procedures } = await ask(`/programs/${id}/procedures?find=table_&run=${runs[0].id}`);
        for (const name of ["table_add", "table_sum"]) equal(`machine/count/${name}`, new RegExp(`\\t(\\d+)\\t[^\\t]*\\t${name}$`, "m").exec(output.join(""))?.[1], String(procedures.find((one) => one.name === name)?.count));
        await page.looks("machine");
        // Its pages have its machine, not Alpha.
        equal("machine/said", await ask(`/programs/${id}`).then(({ machine, emulator }) => [machine, emulator]), ["AArch64", "qemu-aarch64"]);
        await visit(`#/program?program=${id}`);
        await page.read("AArch64", "dl.facts");
        await visit(`#/run?program=${id}&tools=prof`);
        await page.read("qemu-aarch64 -0", '[aria-label="Commands"]');
        await visit(`#/run?program=${id}&tools=cache`);
        await page.read("tools with C are not yet there for AArch64", ".chosen .notice.error");
        const dynamic = await ask("/compile", { name: "counts", files: given, without: ["other.c"], options: ["-O2"], machine: "AArch64" });
        const refusal = await ask("/programs", { path: dynamic.path });
        equal("machine/dynamic", [refusal.status, refusal.hint], [400, "aarch64-linux-gnu-gcc -static links one that is not"]);
    }
    equal("machine/unknown", (await ask("/compile", { name: "x.c", text: "int main;", machine: "VAX" })).error, "'VAX' is no machine that atomc knows");
    await page.quiet(/status of 40[0-9]/);
    await page.close();
    await server.stop();
});
