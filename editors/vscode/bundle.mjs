// bundle.mjs MODULES OUT: makes OUT, the folder of which the .vsix is made: the extension with its client library in one file, what
// VS Code reads of itself, and the licences of all that is in it. MODULES is the folder that `npm ci` filled.
import { createRequire } from "node:module";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { writeLicences } from "../../workbench/web/licences.mjs";

const [modules, out] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
const esbuild = createRequire(join(modules, "package.json"))("esbuild");

await mkdir(join(out, "out"), { recursive: true });
const result = await esbuild.build({
    entryPoints: [join(here, "src/extension.js")],
    absWorkingDir: modules,
    nodePaths: [join(modules, "node_modules")],
    bundle: true,
    minify: true,
    platform: "node",
    format: "cjs",
    target: "node18",
    external: ["vscode"],
    legalComments: "none", // they are in LICENCES.txt
    metafile: true,
    outfile: join(out, "out/extension.js"),
    logLevel: "warning",
});

await writeLicences(Object.keys(result.metafile.inputs), modules, join(out, "LICENCES.txt"));

// The manifest without what builds it.
const manifest = JSON.parse(await readFile(join(here, "package.json"), "utf8"));
for (const key of ["private", "devDependencies", "overrides"]) delete manifest[key];
await writeFile(join(out, "package.json"), JSON.stringify(manifest, null, 4) + "\n");
for (const name of ["language-configuration.json", "syntaxes"]) await cp(join(here, name), join(out, name), { recursive: true });
await cp(join(here, "../README.md"), join(out, "README.md"));
await cp(join(here, "../../LICENSE"), join(out, "LICENSE"));
