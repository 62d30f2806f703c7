// command.js: shell commands with a button Copy: in the footer the command for the screen, elsewhere any command.
import { createContext, html, useContext, useEffect, useState } from "../lib/preact.js";

/** A word for a POSIX shell. */
export function quote(word) {
    return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export const quoteAll = (words) => words.map(quote).join(" ");

/** Splits a line as a POSIX shell does: { words } or { error }. Nothing is substituted, because no shell is used. */
export function split(line) {
    const words = [];
    const pattern = /\s*((?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+)/gsy;
    let end = 0;
    for (let found; (found = pattern.exec(line)); end = pattern.lastIndex) {
        const word = found[1].replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs, (_, single, double, escaped) => single ?? double?.replace(/\\([$`"\\\n])/g, "$1") ?? escaped);
        words.push(word);
    }
    const rest = line.slice(end).trim();
    return rest === "" ? { words } : { words, error: `${rest.startsWith("\\") ? "a backslash stands at the end" : `the quotation mark ${rest[0]} is not closed`}` };
}

export const FooterCommand = createContext(() => {});

/** The footer shows this command while the component exists. */
export function useCommand(command) {
    const set = useContext(FooterCommand);
    useEffect(() => {
        set(command);
        return () => set(undefined);
    }, [command]);
}

/** The same for a part of a screen. */
export function FooterLine({ command }) {
    useCommand(command);
    return null;
}

export function CopyButton({ text, label = "Copy" }) {
    const [said, setSaid] = useState(label);
    useEffect(() => {
        if (said === label) return undefined;
        const timer = setTimeout(() => setSaid(label), 1500);
        return () => clearTimeout(timer);
    }, [said]);
    const copy = () =>
        navigator.clipboard.writeText(text).then(
            () => setSaid("Copied"),
            () => setSaid("Not allowed"),
        );
    return html`<button class="small" onClick=${copy} aria-live="polite">${said}</button>`;
}

/** A command of its own line, with Copy. */
export function Command({ text }) {
    return html`<div class="command"><code tabindex="0">${text}</code><${CopyButton} text=${text} /></div>`;
}
