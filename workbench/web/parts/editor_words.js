// editor_words.js: colours for pages of .atd, from the language's own tables; and positions in texts: atomc counts
// bytes, the page units of UTF-16.
import { get } from "../api.js";
import { StreamLanguage } from "../lib/codemirror.js";

let tables;
/** The output of `atomc info` about all words; requested one time. */
const languageTables = () => (tables ??= get("/language"));

function reader(language) {
    const of = (table, key) => new Set((language?.[table] ?? []).map((row) => row[key]).filter(Boolean));
    const keywords = new Set([...of("words", "word"), ...of("displays", "display")]);
    const places = new Set([...of("places", "place"), ...of("places", "loop")]);
    const classes = of("classes", "class");
    return {
        name: "atd",
        languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
        startState: () => ({ dot: false }),
        token(stream, state) {
            const { dot } = state;
            state.dot = false;
            if (stream.eatSpace()) {
                state.dot = dot;
                return null;
            }
            if (stream.match(/#.*/)) return "comment";
            if (stream.match(/"(?:[^"\\]|\\.)*"?/)) return "string";
            if (stream.match(/'(?:[^'\\]|\\.)*'?/) || stream.match(/0x[\da-fA-F]+|\d+(?:\.\d+)?/)) return "number";
            if (stream.match(/\$[\w]*/)) return "atom";
            const word = stream.match(/[A-Za-z_\x80-\uffff][\w\x80-\uffff]*/);
            if (word) return dot ? "propertyName" : keywords.has(word[0]) ? "keyword" : places.has(word[0]) ? "typeName" : classes.has(word[0]) ? "atom" : "variableName";
            state.dot = stream.next() === ".";
            return null;
        },
    };
}

/** The language of pages, with the words of this atomc. */
export const atdLanguage = () => languageTables().then((language) => StreamLanguage.define(reader(language)));

/** Units of UTF-16 before the byte, for calls in ascending order: at(byte). */
export function unitsOf(text) {
    // Most pages have one byte a letter.
    if (!/[^\0-\x7f]/.test(text)) return (byte) => Math.min(byte, text.length);
    const starts = new Map();
    let bytes = 0;
    let units = 0;
    for (const letter of text) {
        starts.set(bytes, units);
        bytes += letter.codePointAt(0) < 0x80 ? 1 : letter.codePointAt(0) < 0x800 ? 2 : letter.codePointAt(0) < 0x10000 ? 3 : 4;
        units += letter.length;
    }
    return (byte) => starts.get(byte) ?? units;
}
