// timeline_data.js: basic block vectors (bbv) as a timeline of procedures: which procedures executed how many instructions in each
// interval. This module does not use the page.

/** Intervals in their order: maps from numbers of blocks to instructions. whole: false if the end of the text is missing. */
export function readVectors(text, whole = true) {
    const lines = text.split("\n");
    if (!whole) lines.pop();
    return lines.filter((line) => line.startsWith("T")).map((line) => new Map(Array.from(line.matchAll(/:(\d+):(\d+)/g), ([, block, count]) => [Number(block), Number(count)])));
}

/**
 * procedures: in the order of their addresses, with `blocks`, how many each has: blocks are numbered from 1 in this order.
 * The result is { intervals: [{ start, sum, counts }], entries, sum }: counts is a map from numbers of entries to instructions;
 * entries: { name, pc }, of a block that no procedure has { name: "block N" }.
 */
export function timelineOf(vectors, procedures) {
    const ends = new Float64Array(procedures.length);
    procedures.forEach(({ blocks }, at) => (ends[at] = (at > 0 ? ends[at - 1] : 0) + blocks));
    const entries = procedures.map(({ name, pc }) => ({ name, pc }));
    const others = new Map();
    const entryOf = (block) => {
        let [low, high] = [0, ends.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            if (ends[middle] < block) low = middle + 1;
            else high = middle;
        }
        if (low < ends.length) return low;
        if (!others.has(block)) others.set(block, entries.push({ name: `block ${block}`, pc: undefined }) - 1);
        return others.get(block);
    };
    let start = 0;
    const intervals = vectors.map((vector) => {
        const counts = new Map();
        let sum = 0;
        for (const [block, count] of vector) {
            const entry = entryOf(block);
            counts.set(entry, (counts.get(entry) ?? 0) + count);
            sum += count;
        }
        const interval = { start, sum, counts };
        start += sum;
        return interval;
    });
    return { intervals, entries, sum: start };
}

/** The instructions of the intervals from that number up to and with the last: [{ entry, count }], the greatest first. */
export function costsIn({ intervals }, from, last) {
    const all = new Map();
    for (let at = from; at <= last; at++) for (const [entry, count] of intervals[at].counts) all.set(entry, (all.get(entry) ?? 0) + count);
    return [...all].map(([entry, count]) => ({ entry, count })).sort((left, right) => right.count - left.count || left.entry - right.entry);
}

/** At most `most` columns of equally many intervals of `many`, the last one perhaps of fewer: [{ from, last }]. */
export function columnsOf(many, most) {
    const each = Math.max(1, Math.ceil(many / most));
    return Array.from({ length: Math.ceil(many / each) }, (_, at) => ({ from: at * each, last: Math.min(many, (at + 1) * each) - 1 }));
}
