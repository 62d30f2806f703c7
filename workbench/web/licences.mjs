// licences.mjs: the licences of what a bundle has taken in. Their texts go to whoever gets the bundle; a licence that is
// not in the list is looked at by a person first.
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const licences = ["MIT", "ISC", "BSD-3-Clause", "Apache-2.0", "Unlicense"];

/** The package of a file that is in node_modules; undefined: it is elsewhere. */
function packageOf(file) {
    const parts = file.split("node_modules/").slice(1).pop()?.split("/");
    return parts && (parts[0].startsWith("@") ? `${parts[0]}/${parts[1]}` : parts[0]);
}

/** Writes the texts into `to`; `inputs` are files that esbuild has read, `modules` the folder that `npm ci` filled. */
export async function writeLicences(inputs, modules, to) {
    const packages = new Set(inputs.map(packageOf).filter(Boolean));
    let texts = "";
    for (const name of [...packages].sort()) {
        const folder = join(modules, "node_modules", name);
        const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
        const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
        if (!licences.includes(license) || !file) throw new Error(`${name} ${version}: the licence '${license}' is not one of ${licences}, or has no text`);
        texts += `${name} ${version} (${license})\n\n${(await readFile(join(folder, file), "utf8")).trim()}\n\n${"-".repeat(78)}\n\n`;
    }
    await writeFile(to, texts);
}
