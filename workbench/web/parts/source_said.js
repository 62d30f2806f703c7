// source_said.js: what a compiler said about a text, as diagnostics of the editor; which version of a source a program is of.

/** The place of a line and column, from 1, as units of the text. */
function unitOf(lines, line, column) {
    const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    return before + Math.min(column - 1, (lines[line - 1] ?? "").length);
}

/** GCC's messages have one line, gfortran's end with a line "Error: ...". Those about headers are not of this text.
    Returns { line, column, severity, message, from, to } for each, in their order. */
export function saidPlaces(said, name, text) {
    const lines = text.split("\n");
    const found = [];
    let waiting = null;
    for (const row of said.split("\n")) {
        const head = /^(.+?):(\d+):(?:(\d+):)?(.*)$/.exec(row);
        const own = head && head[1] === name;
        const message = own && /^ (fatal error|error|warning|note): (.*)$/.exec(head[4]);
        const late = /^(?:Fatal )?(Error|Warning): (.*)$/.exec(row);
        if (own && !message && head[4].trim() === "") waiting = head;
        const place = message ? head : late && waiting ? waiting : null;
        if (!place) continue;
        const line = Number(place[2]), column = Number(place[3] ?? 1);
        const [severity, words] = message ? [message[1] === "fatal error" ? "error" : message[1], message[2]] : [late[1].toLowerCase(), late[2]];
        waiting = null;
        if (line < 1 || line > lines.length) continue;
        const from = unitOf(lines, line, column);
        const word = /^\w+/.exec(lines[line - 1].slice(column - 1))?.[0].length ?? 1;
        found.push({ line, column, severity, message: words, from, to: from + word });
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
