// apart.js: names of C++ that have one short name, told apart: `measure<std::map<…>>` and `measure<std::unordered_map<…>>` for two
// instances of a template whose short name is `measure<...>`. This module does not use the page.

const opening = "(<[{";
const closing = ")>]}";
const operator = /^(<=>|->\*|<<=|>>=|\(\)|\[\]|<<|>>|<=|>=|->|<|>)/;

/** A type with a name of its own. */
const withStrings = (name) => name.replaceAll("basic_string<char, std::char_traits<char>, std::allocator<char> >", "string").replaceAll("(anonymous namespace)", "{anonymous}");
/** The same without the namespace of the library's ABI: the library may have a procedure in both. */
const plain = (name) => withStrings(name).replaceAll("std::__cxx11::", "std::");

/**
 * A name as texts, and groups in brackets: [text, { open, items: [parts, ...], text }, text, ...]. Brackets of an operator's name
 * are text.
 */
function parse(name) {
    let at = 0;
    const list = (close) => {
        const items = [];
        /** @type {any[]} texts, and brackets with their contents */
        let parts = [""];
        for (; at < name.length && name[at] !== close; ) {
            const text = parts.at(-1);
            const sign = /\boperator$/.test(text) ? operator.exec(name.slice(at))?.[0] : name.startsWith("->", at) ? "->" : undefined;
            const bracket = sign ? -1 : opening.indexOf(name[at]);
            if (bracket >= 0) {
                const begin = at++;
                const inner = list(closing[bracket]);
                parts.push({ open: opening[bracket], close: closing[bracket], items: inner, text: name.slice(begin, ++at) }, "");
            } else if (name[at] === "," && close) {
                items.push(parts);
                parts = [""];
                for (at++; name[at] === " "; ) at++;
            } else {
                parts[parts.length - 1] += sign ?? name[at];
                at += sign?.length ?? 1;
            }
        }
        return [...items, parts];
    };
    return list(undefined)[0];
}

const whole = (parts) => parts.map((part) => part.text ?? part).join("");

/** Without the arguments of templates, and of procedures. */
const short = (parts) => parts.map((part) => (typeof part === "string" ? part : part.open === "<" ? "<…>" : part.text.length > 2 && part.open === "(" ? "(…)" : part.text)).join("").trim();

/** Texts that differ where the names do, as short as they can be; undefined: the names are equal. */
function difference(names) {
    const [first] = names;
    const texts = names.map(whole);
    if (texts.every((text) => text === texts[0])) return undefined;
    const alike = names.every((parts) => parts.length === first.length && parts.every((part, at) => (typeof part === "string" ? part === first[at] : part.items.length === first[at].items.length)));
    const shorts = names.map(short);
    if (!alike) return new Set(shorts).size > 1 ? shorts : texts;
    const found = [];
    for (let at = 1; at < first.length; at += 2) {
        const group = differenceOfGroup(names.map((parts) => parts[at]));
        if (group) found.push(group);
    }
    return names.map((_, number) => found.map((group) => group[number]).join(" … "));
}

const shortGroup = (group) => short(group.items.flatMap((item, at) => (at > 0 ? [", ", ...item] : item)));

function differenceOfGroup(groups) {
    const found = groups[0].items.map((_, item) => difference(groups.map((group) => group.items[item])));
    if (!found.some(Boolean)) return undefined;
    return groups.map((_, number) => found.map((item) => item?.[number] ?? "…").join(", ").replace(/…(, …)+/g, "…").replace(/…, |, …/g, "…"));
}

/** The name itself: without the result, which names of templates have, and which is followed by a space. */
function named(parts) {
    const end = parts.findLastIndex((part) => part.open === "("); // of the arguments
    for (let at = end - 1; at >= 0; at -= 2) {
        const text = typeof parts[at] === "string" ? parts[at] : "";
        const space = text.replace(/\boperator\b.*/, "").search(/ (?!.* )(?!const\b)/);
        if (space >= 0) return [text.slice(space + 1), ...parts.slice(at + 1)];
        if (/\boperator\b/.test(text)) break; // `operator unsigned long`
    }
    return parts;
}

/**
 * Short texts of different names that have a short name in common; no two of them are equal. Names that do not have the same form
 * are whole.
 */
export function apart(names) {
    const trees = names.map((name) => named(parse(plain(name))));
    const [first] = trees;
    const alike = trees.every((parts) => parts.length === first.length && parts.every((part, at) => typeof part !== "string" || part === first[at]));
    const textOf = (parts, number, brackets) => {
        if (!alike) return whole(parts);
        return parts
            .map((part, at) => {
                if (typeof part === "string") return part;
                const groups = trees.map((one) => one[at]);
                const same = groups.every((group) => group.items.length === groups[0].items.length);
                const found = brackets.includes(part.open) ? (same ? differenceOfGroup(groups) : groups.map(shortGroup)) : undefined;
                if (found) return `${part.open}${found[number]}${part.close}`;
                return part.open === "<" ? "<…>" : part.open === "(" ? "" : part.text;
            })
            .join("")
            .trim();
    };
    const all = (brackets) => trees.map((parts, number) => textOf(parts, number, brackets));
    const templates = all("<{");
    const texts = new Set(templates).size === names.length ? templates : all(opening);
    const once = (list) => (text) => list.indexOf(text) === list.lastIndexOf(text);
    const forms = [texts, trees.map(whole), names.map((name) => whole(named(parse(withStrings(name)))))];
    return names.map((name, number) => forms.find((form) => once(form)(form[number]))?.[number] ?? name);
}
