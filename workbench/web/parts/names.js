// names.js: C++ names of procedures. Reports, the address and requests have the linker's names; people see readable ones.
// useNames(program, ...): in the screen, so that it is drawn anew when the names are there; its result changes then
// namesTurn(): is another number when there are more names, for what is kept of a drawing readable(text): of what may
// have such names in it bothNames(text): likewise, and the linker's below: what a cell that is too narrow says when it
// is pointed at
// shortName(text): short forms of such names, for lists and pictures; two names of a program have two short forms.
import { get } from "../api.js";
import { apart } from "./apart.js";
import { useLayoutEffect, useState } from "../lib/preact.js";

// A linker's name means the same in all programs.
const names = new Map();
const shorts = new Map(); // several names may have one
const alike = new Map(); // a short form's names
const briefs = new Map(); // short forms that tell these apart, as far as they were shown
const mostLetters = 36; // of a name that is not shortened
const asked = new Set();
const listeners = new Set();
let current = [];
let turn = 0;

/** The names are requested when the first such name is shown: most programs have none. */
function want() {
    for (const program of current) if (!asked.has(program)) ask(program);
}

function ask(program) {
    asked.add(program);
    get(`/programs/${program}/names`).then(
        (answer) => {
            for (const [name, shown] of Object.entries(answer.names)) names.set(name, shown);
            for (const [name, shown] of Object.entries(answer.short)) {
                shorts.set(name, shown);
                alike.set(shown, (alike.get(shown) ?? new Set()).add(name));
            }
            briefs.clear();
            turn++;
            listeners.forEach((changed) => changed(turn));
        },
        () => asked.delete(program), // the linker's names are shown
    );
}

const oneName = /_Z[\w.$]+/g;

/** @template T @param {T} text @returns {T} */
export function readable(text) {
    if (typeof text !== "string" || !text.includes("_Z")) return text;
    const shown = text.replace(oneName, (name) => {
        if (!names.has(name)) queueMicrotask(want);
        return names.get(name) ?? name;
    });
    return /** @type {any} */ (shown);
}

function briefOf(name) {
    const whole = names.get(name);
    if (whole.length <= mostLetters) return whole;
    if (!briefs.has(name)) {
        const short = shorts.get(name);
        const symbols = [...alike.get(short)];
        const wholes = [...new Set(symbols.map((symbol) => names.get(symbol)))];
        const texts = wholes.length > 1 ? apart(wholes) : [short.replaceAll("<...>", "<…>")];
        for (const symbol of symbols) briefs.set(symbol, texts[wholes.indexOf(names.get(symbol))]);
    }
    return briefs.get(name);
}

/** @template T @param {T} text @returns {T} */
export function shortName(text) {
    if (typeof text !== "string" || !text.includes("_Z")) return text;
    const shown = text.replace(oneName, (name) => (names.has(name) ? briefOf(name) : readable(name)));
    return /** @type {any} */ (shown);
}

export function bothNames(text) {
    const shown = readable(text);
    return shown === text ? text : `${shown}\n${text}`;
}

export const namesTurn = () => turn;

export function useNames(...programs) {
    const [known, setKnown] = useState(turn);
    current = programs.filter((program) => program !== undefined && program !== null);
    useLayoutEffect(() => {
        listeners.add(setKnown);
        return () => listeners.delete(setKnown);
    }, []);
    return known;
}
