// label.js: shortens names in pictures to the room that they have. Widths are widths of the page's small letters.
let context;

/** Pixels. */
export function widthOf(text) {
    if (!context) {
        context = document.createElement("canvas").getContext("2d");
        context.font = `11px ${getComputedStyle(document.documentElement).getPropertyValue("--sans")}`;
    }
    return context.measureText(text).width;
}

/**
 * A text of at most `room` pixels. The omitted part is in the middle: names of a kind have equal beginnings, and places
 * end with their line. `kept` letters at the end are kept as long as possible; if there is less room, the text is cut
 * at the front.
 */
export function shortened(text, room, kept = 0) {
    if (widthOf(text) <= room) return text;
    const end = (letters) => text.slice(text.length - letters);
    let [few, many] = [0, text.length - 1]; // letters that stay
    const shown = (letters) => {
        const tail = Math.min(letters, Math.max(kept, Math.floor(0.4 * letters)));
        return `${text.slice(0, letters - tail).trimEnd()}…${end(tail).trimStart()}`;
    };
    while (few < many) {
        const middle = Math.ceil((few + many) / 2);
        if (widthOf(shown(middle)) <= room) few = middle;
        else many = middle - 1;
    }
    return few > 0 ? shown(few) : "";
}
