// source_files.js: the sources of a program, as files of the browser's machine have them: chosen files, a folder, or an
// archive (.zip, .tar, .tar.gz, .tar.xz). Kinds are the server's: { sources: { ".c": "gcc" }, headers: [".h"], most_bytes }.

/** A text for the user: why files cannot be taken. */
class Refusal extends Error {}
const refuse = (error, hint) => {
    throw Object.assign(new Refusal(error), { error, hint });
};

const endingOf = (name) => /\.[^./]+$/.exec(name)?.[0] ?? "";
export const isSource = (name, kinds) => endingOf(name) in kinds.sources;
export const isFileOfProgram = (name, kinds) => isSource(name, kinds) || kinds.headers.includes(endingOf(name));

// ---- archives ----

const mostUnpacked = 64 * 1024 * 1024;

async function unpacked(bytes, format) {
    const parts = [];
    let size = 0;
    try {
        const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format)).getReader();
        for (let next = await reader.read(); !next.done && size <= mostUnpacked; next = await reader.read()) {
            parts.push(next.value);
            size += next.value.length;
        }
        if (size > mostUnpacked) reader.cancel();
    } catch {
        refuse("the archive is damaged: it cannot be decompressed");
    }
    // A small file can have gigabytes: nothing of it is kept then.
    if (size > mostUnpacked) refuse(`the archive has more than ${mostUnpacked >> 20} MB when it is uncompressed`);
    return new Uint8Array(await new Blob(parts).arrayBuffer());
}

const text = (bytes) => new TextDecoder().decode(bytes);
const untilNul = (bytes) => text(bytes.subarray(0, bytes.indexOf(0) < 0 ? bytes.length : bytes.indexOf(0)));
const octal = (bytes) => parseInt(untilNul(bytes).trim() || "0", 8);

/** The files of a tar archive: [name, bytes]. Long names are GNU's (L) or pax headers' (x). */
export function untar(bytes) {
    const BLOCK = 512;
    const files = [];
    let long = null, at = 0;
    // An empty block follows the last file.
    while (bytes[at] !== 0) {
        if (at + BLOCK > bytes.length) refuse("the archive is cut: it has no end");
        const head = bytes.subarray(at, at + BLOCK);
        const size = octal(head.subarray(124, 136));
        const body = bytes.subarray(at + BLOCK, at + BLOCK + size);
        if (Number.isNaN(size) || body.length < size) refuse("the archive is cut: a file in it is longer than the rest");
        const kind = String.fromCharCode(head[156] || 48);
        const folder = text(head.subarray(257, 262)) === "ustar" && head[263] === 48 ? untilNul(head.subarray(345, 500)) : "";
        if (kind === "L") long = untilNul(body);
        else if (kind === "x") long = /^\d+ path=(.*)$/m.exec(text(body))?.[1] ?? long;
        else {
            if (kind === "0") files.push([long ?? (folder ? `${folder}/` : "") + untilNul(head.subarray(0, 100)), body]);
            long = null;
        }
        at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    }
    return files;
}

/** The files of a zip archive: [name, a function that has its bytes]. */
export function unzip(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let end = bytes.length - 22;
    while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
    if (end < 0) refuse("the archive is cut: it has no list of its files");
    const files = [];
    let at = view.getUint32(end + 16, true);
    for (let left = view.getUint16(end + 10, true); left > 0; left--) {
        if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) refuse("the archive is damaged: its list of files is wrong");
        const [flags, method, packed, size] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true), view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
        const [nameBytes, extra, comment, start] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true), view.getUint16(at + 32, true), view.getUint32(at + 42, true)];
        const name = text(bytes.subarray(at + 46, at + 46 + nameBytes));
        const read = async () => {
            if (flags & 1 || (method !== 0 && method !== 8)) refuse(`${name}: it is packed in a way that this page does not know`);
            if (start + 30 > bytes.length) refuse("the archive is damaged: its list of files is wrong");
            const from = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
            const body = bytes.subarray(from, from + packed);
            const whole = method === 8 ? await unpacked(body, "deflate-raw") : body;
            return whole.length === size ? whole : refuse(`${name}: it is cut in the archive`);
        };
        if (!name.endsWith("/")) files.push([name, read]);
        at += 46 + nameBytes + extra + comment;
    }
    return files;
}

// ---- files ----

const archives = /\.(tar\.gz|tgz|tar\.xz|txz|tar|zip)$/i;
const unknown = /\.(tar\.\w+|tbz2?|7z|rar|xz|zst|bz2|gz)$/i;

async function entriesOf(file, unpackXz) {
    const bytes = async () => new Uint8Array(await file.arrayBuffer());
    if (/\.zip$/i.test(file.name)) return unzip(await bytes());
    if (/\.tar$/i.test(file.name)) return untar(await bytes());
    if (/xz$/i.test(file.name) && archives.test(file.name)) return untar(await unpackXz(file));
    if (archives.test(file.name)) return untar(await unpacked(await bytes(), "gzip"));
    if (unknown.test(file.name)) refuse(`${file.name}: archives of this kind cannot be unpacked here`, ".zip, .tar, .tar.gz and .tar.xz can; or unpack it, and choose the folder");
    return [[file.webkitRelativePath || file.name, bytes]];
}

/** Names without what all of them begin with, which names the program; ./ is nothing. */
function withoutTop(entries) {
    const plain = entries.map(([name, read]) => [name.replace(/^(\.?\/)+/, ""), read]);
    const top = plain[0]?.[0].split("/")[0];
    return plain.length > 0 && plain.every(([name]) => name.startsWith(`${top}/`)) ? { top, entries: plain.map(([name, read]) => [name.slice(top.length + 1), read]) } : { top: null, entries: plain };
}

/** Chosen files: { name, files: { NAME: TEXT }, others: number of those that are neither sources nor headers }. unpackXz(file): the
    contents of an .xz file. */
export async function filesOf(chosen, kinds, unpackXz) {
    const all = (await Promise.all([...chosen].map((file) => entriesOf(file, unpackXz)))).flat();
    const outside = all.find(([name]) => name.split("/").includes(".."));
    if (outside) refuse(`${outside[0]}: a file of the archive would be outside of its folder`);
    const { top, entries } = withoutTop(all.filter(([name]) => !/(^|\/)(\._|__MACOSX\/|\.git\/)/.test(name)));
    const files = {};
    let total = 0;
    for (const [name, read] of entries.filter(([one]) => isFileOfProgram(one, kinds))) {
        const bytes = typeof read === "function" ? await read() : read;
        total += bytes.length;
        if (total > kinds.most_bytes) refuse(`its sources and headers have more than ${kinds.most_bytes / 1000} kB`);
        if (name in files) refuse(`two of the files have the name '${name}'`);
        try {
            files[name] = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
        } catch {
            refuse(`${name}: it is no text in UTF-8`);
        }
    }
    const names = Object.keys(files);
    const first = names.find((name) => isSource(name, kinds));
    if (!first) refuse("there is no source of C, C++ or Fortran in it", `names end with ${Object.keys(kinds.sources).join(", ")}`);
    const name = (top ?? (chosen.length === 1 && archives.test(chosen[0].name) ? chosen[0].name.replace(archives, "") : first.replace(/^.*\/|\.[^.]*$/g, ""))).replace(/[^\w.+-]/g, "_").replace(/^[.-]+/, "");
    return { name: name || "program", files, others: entries.length - names.length };
}

/** Sources that begin a program: a linker takes one of them. */
export function mainsOf(files, kinds) {
    const begins = (name) => (kinds.sources[endingOf(name)] === "gfortran" ? /^\s*program\s+\w+/im : /^(?:\w+\s+)*main\s*\(/m).test(files[name]);
    return Object.keys(files).filter((name) => isSource(name, kinds) && begins(name)).sort();
}

/** The sources that are left out if several begin a program: all of them but that with the program's name, or the first. */
export function leftOut(name, files, kinds) {
    const mains = mainsOf(files, kinds);
    const stem = (path) => path.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
    const chosen = mains.find((one) => stem(one) === name) ?? mains.find((one) => stem(one) === name.replace(/[-_][\d.]+$/, "")) ?? mains[0];
    return mains.filter((one) => one !== chosen);
}
