// tree_stacks.js: call stacks of several times. A page that writes stacks by `every N of COUNTER` leaves two tables: the tree of the
// end, and a table of all times, which has the counts up to each. This module does not use the page.
import { Paths } from "./tree_paths.js";

/** The table of all times of a tree: { table, time, stack } (numbers of columns); undefined: there is none. */
export function seriesOf(tables, tree) {
    const stack = tree?.columns.find((column) => column.attribute === "$stack");
    if (!stack) return undefined;
    const table = tables.find((one) => one.tool === tree.tool && one.columns[0]?.attribute === "$every" && one.report === `${tree.report} by ${one.columns[0].title}`);
    return table && { table, time: 0, stack: table.columns.findIndex((column) => column.title === stack.title && column.type === "text") };
}

/**
 * rows, before: of two times, with the values of `columns` at the places of `metrics`; stack: the place of the stack. The counts are
 * those of `rows` without those of `before`. is_level: counts have become less, so that they are no sums over time; the tree has those
 * of `rows` then.
 */
export function treeOfStacks(rows, before, stack, columns, metrics) {
    const of = (list) => {
        const sums = new Map();
        for (const row of list) {
            const key = row[stack] ?? "(other)";
            const known = sums.get(key) ?? columns.map(() => 0);
            columns.forEach((column, at) => (known[at] += Number(row[column] ?? 0)));
            sums.set(key, known);
        }
        return sums;
    };
    const [now, then] = [of(rows), of(before)];
    const is_level = [...then].some(([key, values]) => values.some((value, at) => value > (now.get(key)?.[at] ?? 0)));
    const names = [], known = new Map();
    const numbered = (name) => known.get(name) ?? (known.set(name, names.push(name) - 1), names.length - 1);
    const stacks = [...now].map(([key, values]) => ({ path: key.split(";").map(numbered), values: values.map((value, at) => (is_level ? value : value - (then.get(key)?.[at] ?? 0))) })).filter(({ values }) => values.some((value) => value !== 0));
    const paths = new Paths({ names, metrics: metrics.map((one, at) => ({ ...one, values: stacks.map(({ values }) => values[at]) })), address: [] }, Math.max(1, names.length));
    stacks.forEach(({ path }, from) => paths.add(path.reduce((node, name) => paths.child(node, name, name, null), 0), from));
    return { answer: paths.answer(0), is_level };
}

/** The page that writes stacks and counts of instructions by time: an instruction is executed as often as its block. */
export const pageOfStacks = (interval) =>
    `counter executed, spent[string], ran[blocks] for b in blocks { before b executed += b.ninsts, spent[$stack] += b.ninsts, ran[b]++ } every ${interval} of executed report "stacks.out" for s in spent "Stack" s.key, "Instructions" s.count display flame "Instructions" by "Stack" every ${interval} of executed report "places.out" for i in insts where ran[i.block] > 0 "PC" hex i.pc, "Executed" ran[i.block], "Procedure" i.proc.name, "File" i.file, "Line" i.line`;

/** A round number of instructions: about a hundred times in a run of that many. */
const intervalFor = (instructions) => Math.max(1000, 10 ** Math.floor(Math.log10(Math.max(1, instructions / 20))));

/** An interval as that of bbv (`given`; 0: none), but for a long run one with at most about two hundred times: each has a row for each instruction
    that was executed. instructions: of the run; 0: not known, so they are estimated from its seconds. */
export function intervalOf(given, instructions, seconds) {
    const least = instructions > 0 ? intervalFor(instructions) : seconds > 2 ? intervalFor(1e8 * seconds) : 0;
    return Math.max(given || 0, least) || 1000000;
}
