// parquet.mjs FILE: prints the rows of a file of Parquet, as hyparquet reads them, a line of JSON each; addresses (unsigned) as atomc prints
// them. Requires: the modules that make workbench fetched.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

const folder = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../../build/workbench");
const modules = readdirSync(folder).filter((entry) => entry.startsWith("npm-")).sort((one, other) => statSync(join(folder, one)).mtimeMs - statSync(join(folder, other)).mtimeMs);
const { parquetMetadata, parquetReadObjects } = await import(join(folder, modules.at(-1), "node_modules/hyparquet/src/index.js"));
const bytes = readFileSync(process.argv[2]);
const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const addresses = parquetMetadata(file).schema.filter((column) => column.converted_type === "UINT_64").map((column) => column.name);
const shown = (name, value) => (typeof value !== "bigint" ? value : addresses.includes(name) ? `0x${BigInt.asUintN(64, value).toString(16)}` : Number.isSafeInteger(Number(value)) ? Number(value) : `${value}`);
for (const row of await parquetReadObjects({ file, compressors: { GZIP: (input) => gunzipSync(input) } }))
    console.log(JSON.stringify(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shown(name, value ?? null)]))));
