// tree_changed.js: a tree of calls with functions in focus, hidden or collapsed: made from what GET /tables/T/tree answers, in
// its form. This module does not use the page. A change is { what, name }; changes are made one after the other:
//     focus:     only the calls of the function and their callees; all paths through it become one
//     hide:      the function's own counts are its caller's, its callees are its caller's callees
//     collapse:  the function and all that it calls are one node
//     libraries: functions of the same library that call one another are one node with the name of the library; there is no `name`
import { Paths } from "./tree_paths.js";

export const kinds = {
    focus: { title: "Focus", key: "f", help: "Only this function and what it calls, over all paths" },
    hide: { title: "Hide", key: "h", help: "Its own counts become its caller's" },
    collapse: { title: "Collapse", key: "c", help: "The function and all that it calls become one node" },
    libraries: { title: "Collapse libraries", key: "", help: "Functions of a library that call one another become one node" },
};

/** Changes as a text for the address: one change a line, because names have commas and spaces, but no ends of lines. */
export const textOf = (changes) => changes.map(({ what, name }) => (name === undefined ? what : `${what} ${name}`)).join("\n");

export function changesOf(text = "") {
    const list = [];
    for (const line of text.split("\n")) {
        const [, what, name] = /^(\w+)(?: (.+))?$/.exec(line) ?? [];
        if (Object.hasOwn(kinds, what ?? "") && (what === "libraries") === (name === undefined)) list.push(name === undefined ? { what } : { what, name });
    }
    return list;
}

/**
 * objects: of the program, with text_pc (an address, or null), text_size and name. The result is a function: the library of
 * an address; undefined: it is in the program itself, or the object is not known.
 */
export function libraryOf(objects = []) {
    const ranges = objects
        .filter(({ role, text_pc }) => role !== "main" && text_pc)
        .map(({ name, text_pc, text_size }) => ({ name, from: Number(text_pc), to: Number(text_pc) + Number(text_size) }));
    const known = new Map();
    return (address) => {
        if (!address) return undefined;
        if (!known.has(address)) known.set(address, ranges.find(({ from, to }) => Number(address) >= from && Number(address) < to)?.name);
        return known.get(address);
    };
}

/** A number for each node, equal for those of the same function: of equal name and address. */
function functionsOf({ name, address }) {
    const known = new Map();
    const number = (key) => known.get(key) ?? known.set(key, known.size).get(key);
    return { of: Uint32Array.from(name, (one, node) => number(address?.[node] ? `${one} ${address[node]}` : one)), count: name.length };
}

function once(answer, { what, name: wanted }, metric, library) {
    const { parent, name, address } = answer;
    const names = [...answer.names];
    const number = names.indexOf(wanted);
    const functions = functionsOf(answer);
    // Libraries have keys after those of functions.
    const libraries = new Map();
    const paths = new Paths(answer, 2 * functions.count + 1);
    const place = new Uint32Array(name.length + 1); // of each node, from 1, in the new tree; 0: it is in none
    const within = new Uint8Array(name.length + 1); // 1: in the new tree it is a part of a node that was collapsed
    const inside = new Map(); // nodes of the new tree that represent a library
    const libraryNode = (at, title) => {
        if (inside.get(at) === title) return at;
        if (!libraries.has(title)) {
            const known = names.indexOf(title);
            libraries.set(title, { key: functions.count + libraries.size, name: known >= 0 ? known : names.push(title) - 1 });
        }
        const { key, name: titled } = libraries.get(title);
        const node = paths.child(at, key, titled, null);
        inside.set(node, title);
        return node;
    };
    for (let node = 0; node < name.length; node++) {
        const above = place[parent[node]];
        const is_wanted = name[node] === number;
        const title = what === "libraries" ? library(address?.[node]) : undefined;
        if (title !== undefined) place[node + 1] = libraryNode(above, title);
        else if ((what === "hide" && is_wanted) || within[parent[node]]) place[node + 1] = above;
        else if (what !== "focus" || above > 0 || is_wanted) place[node + 1] = paths.child(above, functions.of[node], name[node], address?.[node]);
        within[node + 1] = what === "collapse" && (is_wanted || within[parent[node]]) ? 1 : 0;
        if (place[node + 1] > 0) paths.add(place[node + 1], node);
    }
    return paths.answer(metric, false, names);
}

/** The tree after all changes. Its sum is less where counts have no node: outside of the focus, or of a hidden function without a
    caller. library: of libraryOf. */
export function changed(answer, changes, metric = 0, library = libraryOf()) {
    return changes.reduce((before, change) => once(before, change, metric, library), answer);
}
