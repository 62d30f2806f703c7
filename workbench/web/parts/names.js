// names.js: C++ names of procedures. Reports, the address and requests have the linker's; what people see is readable.
// useNames(program): in the screen, so that it is drawn anew when the names are there; its result changes then
// namesTurn(): is another number when there are more names, for what is kept of a drawing readable(text): of what may
// have such names in it bothNames(text): likewise, and the linker's below: what a cell that is too narrow says when it
// is pointed at
import { get } from "../api.js";
import { useEffect, useState } from "../lib/preact.js";

// A linker's name means the same in all programs.
const names = new Map();
const asked = new Set();
const listeners = new Set();
let current = null;
let turn = 0;

/** The names are requested when the first such name is shown: most programs have none. */
function want() {
    const program = current;
    if (program === null || asked.has(program)) return;
    asked.add(program);
    get(`/programs/${program}/names`).then(
        (answer) => {
            for (const [name, shown] of Object.entries(answer.names)) names.set(name, shown);
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

export function bothNames(text) {
    const shown = readable(text);
    return shown === text ? text : `${shown}\n${text}`;
}

export const namesTurn = () => turn;

export function useNames(program) {
    const [known, setKnown] = useState(turn);
    current = program ?? null;
    useEffect(() => {
        listeners.add(setKnown);
        return () => listeners.delete(setKnown);
    }, []);
    return known;
}
