// bundle.mjs MODULES OUT: makes one ES module of each library that the pages use, below OUT, with the licences of all that is in them.
// MODULES is the folder that `npm ci` filled. The same input gives the same bytes.
import { createRequire } from "node:module";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

const [modules, out] = process.argv.slice(2).map((path) => resolve(path));
const esbuild = createRequire(join(modules, "package.json"))("esbuild");

// What each library offers to the pages, by the name of its file.
const libraries = {
    preact: `
        export { Component, Fragment, createContext, createRef, h, render } from "preact";
        export { useCallback, useContext, useEffect, useId, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
        export { html } from "htm/preact";`,
    codemirror: `
        export * from "@codemirror/autocomplete";
        export * from "@codemirror/commands";
        export * from "@codemirror/language";
        export * from "@codemirror/lint";
        export * from "@codemirror/merge";
        export * from "@codemirror/search";
        export * from "@codemirror/state";
        export * from "@codemirror/view";
        export { tags, tagHighlighter, classHighlighter } from "@lezer/highlight";
        export { c, cpp } from "@codemirror/legacy-modes/mode/clike";
        export { fortran } from "@codemirror/legacy-modes/mode/fortran";`,
    plot: `export * from "@observablehq/plot";`,
    dagre: `import * as dagre from "@dagrejs/dagre"; export default dagre; export * from "@dagrejs/dagre";`,
};

// Their texts go to whoever gets the bundles; anything else is looked at by a person first.
const licences = ["MIT", "ISC", "BSD-3-Clause", "Apache-2.0", "Unlicense"];

function packageOf(file) {
    const parts = file.split("node_modules/").pop().split("/");
    return parts[0].startsWith("@") ? `${parts[0]}/${parts[1]}` : parts[0];
}

const packages = new Set();
await mkdir(out, { recursive: true });
for (const [name, contents] of Object.entries(libraries)) {
    const result = await esbuild.build({
        stdin: { contents, resolveDir: modules, sourcefile: `${name}.js` },
        absWorkingDir: modules,
        nodePaths: [join(modules, "node_modules")],
        bundle: true,
        minify: true,
        format: "esm",
        target: "es2021",
        legalComments: "none", // they are in LICENCES.txt
        charset: "utf8",
        metafile: true,
        outfile: join(out, `${name}.js`),
        logLevel: "warning",
    });
    for (const file of Object.keys(result.metafile.inputs)) {
        if (file.includes("node_modules/")) packages.add(packageOf(file));
    }
}

let texts = "";
for (const name of [...packages].sort()) {
    const folder = join(modules, "node_modules", name);
    const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (!licences.includes(license) || !file) throw new Error(`${name} ${version}: the licence '${license}' is not one of ${licences}, or has no text`);
    texts += `${name} ${version} (${license})\n\n${(await readFile(join(folder, file), "utf8")).trim()}\n\n${"-".repeat(78)}\n\n`;
}
await writeFile(join(out, "LICENCES.txt"), texts);
