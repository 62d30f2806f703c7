// label.js: names in pictures, as long as there is room for them. Widths are those of the page's small letters.
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
 * A text of at most `room` pixels. What is left out is in the middle: names of a kind begin alike, and places end in their line. `kept`
 * letters of the end stay as long as anything does; less than that is cut at the front.
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
