// artifact_data.js: detects the kind of a file that a run has written, and parses its content. This module does not use
// the page.
import { isTrace } from "./coverage_data.js";
import { treeOf } from "./tree_data.js";

/** Bytes as text, without escape sequences of terminals; null: the bytes are no text. */
export function textOf(data) {
    if (data.includes(0)) return null;
    const text = new TextDecoder().decode(data);
    // The end of a part can be in the middle of a letter.
    if ((text.match(/\ufffd/g) ?? []).length > 1 + text.length / 1000) return null;
    return text.replace(/\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-_]|\r(?=\n)/g, "");
}

function isJson(text) {
    try {
        return typeof JSON.parse(text) === "object";
    } catch {
        return false;
    }
}

const isStack = (line) => /^\S.*\s\d+$/.test(line);

/** "text", "json", "table", "picture", "folded", "lcov", "page" (HTML), undefined: no text. Detected by its name, if
    its content agrees. */
export function kindOf({ name, format }, text) {
    if (text === null || text === undefined) return undefined;
    const is = (pattern) => pattern.test(name);
    const first = text.slice(0, 1000);
    if (format === "lcov" || isTrace(first)) return "lcov";
    if (is(/\.svg$/i) && /<svg[\s>]/.test(first)) return "picture";
    if (is(/\.html?$/i) || /^\s*<(!doctype html|html)/i.test(first)) return "page";
    if ((is(/\.json$/i) || /^\s*[[{]/.test(first)) && isJson(text)) return "json";
    if ((is(/\.folded$/i) || format === "folded") && isStack(text.split("\n", 1)[0])) return "folded";
    if (is(/\.(csv|tsv)$/i) && readTable(text, 2).rows[0]?.length > 1) return "table";
    return "text";
}

/** Cells are separated by commas or tabs. A cell in quotation marks may contain these, and line breaks. */
export function readTable(text, most = Infinity) {
    const mark = text.split("\n", 1)[0].includes("\t") ? "\t" : ",";
    const rows = [];
    let [row, cell, quoted] = [[], "", false];
    const endRow = () => {
        row.push(cell);
        if (row.length > 1 || cell !== "") rows.push(row);
        [row, cell] = [[], ""];
    };
    for (let at = 0; at < text.length && rows.length < most; at++) {
        const letter = text[at];
        if (quoted && letter === '"' && text[at + 1] === '"') cell += text[++at];
        else if (letter === '"' && (quoted || cell === "")) quoted = !quoted;
        else if (quoted || (letter !== mark && letter !== "\n")) cell += letter;
        else if (letter === mark) {
            row.push(cell);
            cell = "";
        } else endRow();
    }
    if (rows.length < most) endRow();
    const numbers = (rows[0] ?? []).map((_, at) => rows.length > 1 && rows.slice(1).every((one) => one[at] === undefined || /^-?[\d.]*$/.test(one[at])));
    return { rows, numbers };
}

/** Lines such as "main;parse 20" as a tree; null: the text is no tree. Equal stacks are one. */
export function foldedTree(text, readable) {
    const root = { children: new Map(), self: 0, total: 0 };
    for (const line of text.split("\n")) {
        const space = line.search(/\s+\d+\s*$/);
        if (space < 1) continue;
        const amount = Number(line.slice(space));
        let node = root;
        node.total += amount;
        for (const name of line.slice(0, space).split(";")) {
            if (!node.children.has(name)) node.children.set(name, { name, children: new Map(), self: 0, total: 0 });
            node = node.children.get(name);
            node.total += amount;
        }
        node.self += amount;
    }
    if (root.children.size === 0) return null;
    const names = new Map();
    const answer = { parent: [], name: [], names: [], metrics: [{ title: "Counts", values: [] }] };
    const put = (node, parent) => {
        if (!names.has(node.name)) names.set(node.name, names.size);
        answer.parent.push(parent);
        answer.name.push(names.get(node.name));
        answer.metrics[0].values.push(node.self);
        return answer.parent.length;
    };
    // Depth first, the busiest first. The stack is a list, because recursions may be deep.
    const waiting = [{ node: root, parent: 0 }];
    while (waiting.length > 0) {
        const { node, parent } = waiting.pop();
        const number = node === root ? 0 : put(node, parent);
        waiting.push(...[...node.children.values()].sort((left, right) => left.total - right.total).map((child) => ({ node: child, parent: number })));
    }
    answer.names = [...names.keys()];
    return treeOf(answer, 0, readable);
}
