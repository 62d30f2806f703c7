// json_places.js: JSON with the positions of its values in the text, so that a form and an editor can show the same
// text.

/** A key within a path of keys and numbers, "programs/0/path". */
const step = (path, key) => `${path}${path && "/"}${String(key).replaceAll("/", "~1")}`;

/** { value, places, keys } or { error }: places and keys have [from, to] by path. */
export function readPlaces(text) {
    let value;
    try {
        value = JSON.parse(text);
    } catch (failed) {
        return { error: failed.message, places: new Map(), keys: new Map() };
    }
    const places = new Map();
    const keys = new Map();
    let at = 0;
    const space = () => {
        while (" \t\r\n".includes(text[at]) && at < text.length) at++;
    };
    const string = () => {
        const from = at++;
        while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
        return JSON.parse(text.slice(from, ++at));
    };
    const separator = () => {
        space();
        if (text[at] === ",") at++;
        space();
    };
    const walk = (path) => {
        space();
        const from = at;
        if (text[at] === "{") {
            for (at++, space(); text[at] !== "}"; separator()) {
                const begin = at;
                const key = step(path, string());
                keys.set(key, [begin, at]);
                space();
                at++;
                walk(key);
            }
            at++;
        } else if (text[at] === "[") {
            at++;
            space();
            for (let index = 0; text[at] !== "]"; index++, separator()) walk(step(path, index));
            at++;
        } else if (text[at] === '"') string();
        else while (at < text.length && !" \t\r\n,]}".includes(text[at])) at++;
        places.set(path, [from, at]);
    };
    walk("");
    return { value, places, keys };
}

/** The smallest part that contains the position; a key represents its value. */
export function pathAt({ places, keys }, at) {
    for (const [path, [from, to]] of keys) if (at >= from && at < to) return path;
    let found = "";
    let size = Infinity;
    for (const [path, [from, to]] of places) {
        if (at < from || at >= to || to - from > size) continue;
        found = path;
        size = to - from;
    }
    return found;
}

/** Lines and columns count from 1, columns are characters. */
export function placeOf(text, line, column) {
    let from = 0;
    for (let left = line; left > 1; left--) {
        const end = text.indexOf("\n", from);
        if (end < 0) return text.length;
        from = end + 1;
    }
    let at = from;
    for (let left = column; left > 1 && at < text.length; left--) at += text.codePointAt(at) > 0xffff ? 2 : 1;
    return at;
}

/** Readable layout: a value that fits is on one line. */
export function writeJson(value, indent = "", most = 100) {
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    const inner = `${indent} `;
    const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
    const write = (separator, room) => {
        const parts = Array.isArray(value) ? value.map((one) => writeJson(one, inner, room)) : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${writeJson(one, inner, room)}`);
        return `${open}${parts.join(separator)}${close}`;
    };
    const flat = write(", ", Infinity);
    return flat.length + indent.length <= most ? flat : write(`,\n${inner}`, most);
}
