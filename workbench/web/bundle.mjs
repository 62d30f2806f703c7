// bundle.mjs MODULES OUT: makes one ES module of each library that the pages use, below OUT, with the licences of all that is in them.
// MODULES is the folder that `npm ci` filled. The same input gives the same bytes.
import { createRequire } from "node:module";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { writeLicences } from "./licences.mjs";

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

const inputs = [];
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
    inputs.push(...Object.keys(result.metafile.inputs));
}

await writeLicences(inputs, modules, join(out, "LICENCES.txt"));
