// questions.js: questions about a program, instead of the names of tools: a click runs the tools that answer the
// question, and shows their results. Without a program, the example is opened.
import { go } from "../address.js";
import { post } from "../api.js";
import { split } from "./command.js";
import { ErrorNotice } from "./notice.js";
import { titlesOf } from "./program_titles.js";
import { html, useId, useState } from "../lib/preact.js";

/** `shown` is the state of Results; `column` the titles of the count that is active there. */
export const questions = [
    {
        title: "Where is the time?",
        answer: "Instructions executed by each procedure, on each path of calls and on each line.",
        tools: [
            { name: "hiprof", parameters: {} },
            { name: "pixie", parameters: { instructions: true } },
        ],
        shown: { view: "flame", column: "Instructions" },
    },
    {
        title: "Which lines miss the cache?",
        answer: "Misses of a 64 KB cache beside each line.",
        tools: [{ name: "cache", parameters: { lines: true } }],
        shown: { view: "chart", column: "Misses" },
    },
    {
        title: "What never ran?",
        answer: "Files, procedures and lines that were never executed.",
        tools: [{ name: "coverage", parameters: { tables: true } }],
        shown: { view: "coverage" },
    },
    {
        title: "Who allocates?",
        answer: "Bytes, blocks and the peak of each call that allocates.",
        tools: [{ name: "dynmem", parameters: { callers: 30 } }],
        shown: { view: "flame", column: "Bytes" },
    },
    {
        title: "Is memory used wrongly?",
        answer: "Accesses outside of blocks, uninitialized values, leaks.",
        tools: [{ name: "third", parameters: {} }],
        shown: { view: "chart", column: "Times" },
    },
];

const EXAMPLE = "example";

/** Adds the example to the project: the program. */
async function openExample() {
    const { path } = await post("/example");
    return post("/programs", { path });
}

export function Questions({ programs, changed }) {
    const able = programs.filter((one) => one.path || one.kept);
    const [chosen, setChosen] = useState(undefined);
    const [words, setWords] = useState("");
    const [asking, setAsking] = useState(-1);
    const [error, setError] = useState(null);
    const id = useId();
    // The latest program, which is the first, unless another is chosen.
    const value = chosen ?? (able[0] ? String(able[0].id) : EXAMPLE);
    const typed = split(words);
    const titles = titlesOf(able);
    const ask = async (question, at) => {
        setAsking(at);
        setError(null);
        try {
            const program = value === EXAMPLE ? await openExample() : able.find((one) => String(one.id) === value);
            const path = (program.changed || program.gone) && program.copy ? program.copy : program.path;
            const run = await post("/runs", { program: { path, name: program.name }, tools: question.tools, arguments: typed.words });
            go("results", { run: run.id, ...question.shown });
        } catch (failed) {
            setError(failed);
            setAsking(-1);
            changed();
        }
    };
    return html`<section class="pane questions" aria-label="Questions">
        <div class="head">
            <h2>Questions</h2>
            <label for="${id}-program">about</label>
            <select id="${id}-program" value=${value} onChange=${(event) => setChosen(event.target.value)}>
                ${able.map((one) => html`<option value=${one.id} title=${one.path}>${titles.get(one.id)}</option>`)}
                <option value=${EXAMPLE}>an example: questions.c</option>
            </select>
            <label for="${id}-words">run with</label>
            <input id="${id}-words" class="mono" autocomplete="off" spellcheck="false" placeholder="no arguments" value=${words} aria-invalid=${typed.error ? "true" : undefined} title=${typed.error} onInput=${(event) => setWords(event.target.value)} />
        </div>
        <div class="body">
            <ul class="cards">
                ${questions.map(
                    (one, at) => html`<li>
                        <button type="button" class="card" disabled=${asking >= 0 || Boolean(typed.error)} onClick=${() => ask(one, at)}>
                            <strong>${one.title}</strong>
                            <span>${asking === at ? "Starting …" : one.answer}</span>
                            <span class="muted mono">${one.tools.map(({ name }) => name).join(", ")}</span>
                        </button>
                    </li>`,
                )}
            </ul>
            <${ErrorNotice} error=${error} />
        </div>
    </section>`;
}
