// source_said.js: what a compiler said about texts, as diagnostics of the editor; which version of a source a program is of.

/** The place of a line and column, from 1, as units of the text. */
function unitOf(lines, line, column) {
    const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    return before + Math.min(column - 1, (lines[line - 1] ?? "").length);
}

/** Messages of the linker name the place of a function or of a call. */
const linked = /(?:^|[ :])([^\s:]+):(\d+): (multiple definition of [^;]*|undefined reference to .*|first defined here)/g;

/** GCC's messages have one line, gfortran's end with a line "Error: ...". texts: { NAME: TEXT }; messages about other files are omitted.
    Returns { file, line, column, severity, message, from, to } for each, in their order. */
export function saidPlaces(said, texts) {
    const lines = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.split("\n")]));
    const found = [];
    const add = (file, line, column, severity, message) => {
        const own = lines[file];
        if (line < 1 || line > own.length) return;
        const from = unitOf(own, line, column);
        const word = /^\w+/.exec(own[line - 1].slice(column - 1))?.[0].length ?? 1;
        const one = { file, line, column, severity, message, from, to: from + word };
        if (!found.some((other) => JSON.stringify(other) === JSON.stringify(one))) found.push(one);
    };
    let waiting = null;
    for (const row of said.split("\n")) {
        for (const [, file, line, words] of row.matchAll(linked)) if (Object.hasOwn(lines, file)) add(file, Number(line), 1, words.startsWith("first") ? "note" : "error", words.trim());
        const head = /^(.+?):(\d+):(?:(\d+):)?(.*)$/.exec(row);
        const own = head && Object.hasOwn(lines, head[1]);
        const message = own && /^ (fatal error|error|warning|note): (.*)$/.exec(head[4]);
        const late = /^(?:Fatal )?(Error|Warning): (.*)$/.exec(row);
        if (own && !message && head[4].trim() === "") waiting = head;
        const place = message ? head : late && waiting ? waiting : null;
        if (!place) continue;
        const [severity, words] = message ? [message[1] === "fatal error" ? "error" : message[1], message[2]] : [late[1].toLowerCase(), late[2]];
        waiting = null;
        add(place[1], Number(place[2]), Number(place[3] ?? 1), severity, words);
    }
    return found;
}

/** Programs are in a folder for each text, compiled/DIGEST/: the texts get numbers from 1, in the order of the paths. */
export function sourceVersions(paths) {
    const known = [];
    return paths.map((path) => {
        const folder = path.replace(/[^/]*$/, "");
        if (!known.includes(folder)) known.push(folder);
        return known.indexOf(folder) + 1;
    });
}
