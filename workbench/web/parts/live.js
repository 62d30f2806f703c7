// live.js: a run in progress, and how it ended: phases, time, memory, output. It can be stopped, and keeps its results.
import { address } from "../address.js";
import { events, get, post, useGet } from "../api.js";
import { screens } from "../screens.js";
import { Command, quoteAll } from "./command.js";
import { Difference, checkedOutput } from "./difference.js";
import { bytes, integer, plural, seconds, sentence } from "./format.js";
import { ErrorNotice, Notice } from "./notice.js";
import { html, useEffect, useReducer, useRef, useState } from "../lib/preact.js";

const LINES = 200;
const phases = [
    { name: "instrument", title: "Instrument" },
    { name: "run", title: "Run" },
    { name: "check", title: "Check" },
    { name: "collect", title: "Collect" },
];
const has_results = screens.some((screen) => screen.name === "results");

export const isOver = (state) => ["finished", "failed", "stopped"].includes(state);

/** The text without escape sequences of terminals, and without overwritten parts of lines. */
const plain = (text) => text.replace(/\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-_]|[\x00-\x08\x0b-\x1f\x7f]/g, "");

// Bytes that are no text, such as compressed data, are omitted; events have U+FFFD for them.
const isText = (text) => (text.match(/[\ufffd\x00-\x08\x0e-\x1a]/g) ?? []).length <= text.length / 50;
const no_text = { stdout: "[standard output that is no text]\n", stderr: "[standard error that is no text]\n" };

const nothing = { phases: [], progress: [], output: "", lost: 0, tables: [], ended: null };

function heard(live, { type, data }) {
    switch (type) {
        case "phase":
            // Time before the first phase of the run itself counts as waiting.
            return { ...live, waits: data.phase === "queue", phases: data.phase === "queue" ? live.phases : [...live.phases, data] };
        case "progress":
            // The instrumentation shows its pass, the execution its use of resources.
            return data.pass ? { ...live, pass: data } : { ...live, progress: [...live.progress, data] };
        case "output": {
            const mark = isText(data.text) ? undefined : no_text[data.stream];
            const added = mark === undefined ? plain(data.text) : live.output.endsWith(mark) ? "" : (live.output === "" || live.output.endsWith("\n") ? "" : "\n") + mark;
            const lines = (live.output + added).split("\n");
            const lost = live.lost + Math.max(0, lines.length - LINES - 1);
            return { ...live, output: lines.slice(-LINES - 1).join("\n"), lost, skipped: (live.skipped ?? 0) + (data.skipped ?? 0) };
        }
        case "table":
            return { ...live, tables: [...live.tables, data] };
        case "ended":
            return { ...live, ended: data };
        case "again":
            return nothing;
        default:
            return live;
    }
}

/** Memory over time, as an area; the values are in text beside it. */
function Curve({ points }) {
    if (points.length < 3) return null;
    const [width, height] = [320, 56];
    const end = points.at(-1).seconds || 1;
    const top = Math.max(...points.map((point) => point.memory_kb), 1);
    const at = (point) => `${((width * point.seconds) / end).toFixed(1)},${(height - (height * 0.95 * point.memory_kb) / top).toFixed(1)}`;
    return html`<svg class="curve" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="memory over time, at most ${bytes(1024 * top)}">
        <polygon points="0,${height} ${points.map(at).join(" ")} ${width},${height}" />
        <polyline points=${points.map(at).join(" ")} />
    </svg>`;
}

const reasons = {
    time: "it reached the limit of time",
    memory: "it reached the limit of memory",
    output: "it reached the limit of output",
    disk: "it reached the limit of what it may write",
    processes: "it reached the limit of processes",
    cancelled: "as asked for",
    instrument: "the program was not instrumented",
    sandbox: "the sandbox could not be made",
    "disk full": "the disk is full",
    internal: "by a fault of atomc",
};

function Ending({ run }) {
    if (!isOver(run.state)) return null;
    const ended = run.signal ? "" : run.exit_status === null || run.exit_status === undefined ? "" : `exit status ${run.exit_status}`;
    const show = has_results && run.state !== "failed" && html`<a class="button primary" href=${address("results", { run: run.id })}>Show the results</a>`;
    const kind = { finished: run.exit_status === 0 && !run.missing ? "good" : "warning", stopped: "warning", failed: "error" }[run.state];
    const first = run.diagnostics?.find((one) => one.severity === "error");
    return html`<${Notice} kind=${kind} hint=${first?.hint} action=${show && html`<div class="row actions">${show}</div>`}>
        <b>${{ finished: "Finished", stopped: "Stopped", failed: "Failed" }[run.state]}</b>${run.reason && `: ${reasons[run.reason] ?? run.reason}`}${ended && `, ${ended}`}${first && html`<div class="mono">${first.message}</div>`}
        ${run.ending ? html`<div>${run.ending}.</div>` : run.state === "stopped" && html`<div>What the tools had counted until then is kept.</div>`}
        ${run.missing && html`<div>${sentence(run.missing)}</div>`}
        ${(run.notes ?? []).map((note) => html`<div>${note}</div>`)}
    <//>`;
}

/** An upload is named from the project's folder. */
const inside = (path) => /\/(objects\/[0-9a-f]{2}\/[0-9a-f]{62})$/.exec(path)?.[1] ?? path;

/** The form that requests this run, as the address of the screen Run. */
function again({ program, job }) {
    const { tools = [], arguments: words = [], environment = {}, limits = {}, files = [], isolation, check_output } = job ?? {};
    const state = { program, objects: job?.objects === "main" ? undefined : job?.objects, tools: tools.map((tool) => tool.name).join(","), arguments: quoteAll(words) };
    for (const tool of tools) for (const [name, value] of Object.entries(tool.parameters ?? {})) state[`${tool.name}.${name}`] = String(value);
    state.environment = quoteAll(Object.entries(environment).map(([name, value]) => `${name}=${value}`));
    state.files = quoteAll(files.map(({ as, path }) => `${as}=${inside(path)}`));
    state.input = job?.input && inside(job.input.path);
    if (isolation !== "any") state.isolation = isolation;
    if (check_output) state.check = "1";
    return { ...state, seconds: limits.seconds, memory: limits.memory_mb, output: limits.output_mb };
}

/** `estimate`: { seconds, run } of an earlier run that was alike, or undefined. */
export function Live({ id, estimate }) {
    const record = useGet(`/runs/${id}`);
    const [live, tell] = useReducer(heard, nothing);
    const [now, setNow] = useState(0);
    const [error, setError] = useState(null);
    const [stopping, setStopping] = useState(false);
    const bottom = useRef();
    const run = record.value;
    const over = run && isOver(run.state);

    useEffect(() => {
        tell({ type: "again" });
        const began = performance.now();
        const clock = setInterval(() => setNow((performance.now() - began) / 1000), 250);
        const say = (type) => (data) => tell({ type, data });
        const end = events(`/runs/${id}/events`, {
            phase: say("phase"),
            progress: say("progress"),
            output: say("output"),
            table: say("table"),
            ended: say("ended"),
            finished: () => {
                end();
                clearInterval(clock);
                record.reload();
            },
        });
        return () => {
            end();
            clearInterval(clock);
        };
    }, [id]);
    useEffect(() => {
        // The end of the output is visible, as in a terminal.
        if (bottom.current) bottom.current.scrollTop = bottom.current.scrollHeight;
    }, [live.output]);

    const stop = async () => {
        setStopping(true);
        try {
            await post(`/runs/${id}/stop`);
        } catch (failed) {
            setError(failed);
            setStopping(false);
        }
    };
    if (record.error) return html`<${ErrorNotice} error=${record.error} again=${record.reload} />`;
    if (!run) return null;
    const last = live.progress.at(-1);
    const peak = run.peak_kb ?? Math.max(0, ...live.progress.map((point) => point.memory_kb));
    const current = live.ended || over ? undefined : live.phases.at(-1)?.phase;
    const took = (phase) => {
        // For a run of an earlier server there are no events.
        if (live.phases.length === 0) return { instrument: run.instrument_seconds, run: run.seconds, check: run.plain?.seconds }[phase] ?? undefined;
        const here = live.phases.findIndex((one) => one.phase === phase);
        if (here < 0) return undefined;
        const until = live.phases[here + 1]?.at ?? live.ended?.at;
        return until === undefined ? undefined : until - live.phases[here].at;
    };
    const commands = (run.commands?.length ? run.commands : live.phases).filter((phase) => phase.text);
    const written = (run.stdout?.bytes ?? 0) + (run.stderr?.bytes ?? 0);
    const tools = run.tools?.length ? run.tools.map((tool) => tool.name) : (run.job?.tools ?? []).map((tool) => tool.name ?? tool.path);
    return html`<${Difference} run=${run} />
    <div class="row">
        <h1>${run.program_name} <span class="muted">${tools.join(", ")}</span></h1>
        <span class="spacer" />
        <a class="button" href=${address("run", again(run))}>Change and run again</a>
    </div>
    <div class="live columns">
        <section class="pane" aria-label="Run ${id}">
            <div class="head">
                <h2>Run ${id}</h2>
                <span class="spacer" />
                ${!over && html`<button onClick=${stop} disabled=${stopping}>${stopping ? "Stopping …" : "Stop (keep results)"}</button>`}
            </div>
            <div class="body stack">
                <${ErrorNotice} error=${error} />
                <ol class="phases" aria-live="polite">
                    ${phases.filter((phase) => phase.name !== "check" || run.job?.check_output).map((phase) => {
                        const done = took(phase.name);
                        const state = phase.name === current ? "now" : done !== undefined ? "done" : "";
                        return html`<li class=${state}>
                            <b>${phase.title}</b>
                            <span class="muted">
                                ${done !== undefined ? seconds(done) : phase.name === current ? (phase.name === "instrument" && live.pass ? live.pass.pass : "…") : ""}
                            </span>
                        </li>`;
                    })}
                </ol>
                ${live.waits && !over && html`<${Notice}>It waits for another run to end.<//>`} ${!over && estimate && html`<${Progress} estimate=${estimate} now=${now} />`}
                <dl class="facts">
                    <dt>Time</dt>
                    <dd>${over ? seconds(run.seconds) : seconds(last?.seconds ?? now)}</dd>
                    <dt>CPU</dt>
                    <dd>${seconds(over ? run.cpu_seconds : last?.cpu_seconds)}</dd>
                    <dt>Memory</dt>
                    <dd>${over || !last ? "" : `${bytes(1024 * last.memory_kb)} now, `}${peak ? `at most ${bytes(1024 * peak)}` : ""}</dd>
                    ${last?.processes > 1 && html`<dt>Processes</dt><dd>${last.processes}</dd>`}
                    ${over && run.isolation && html`<dt>In a sandbox</dt><dd>${run.isolation === "sandbox" ? "yes" : "no: it saw the whole machine, so other runs may differ"}</dd>`}
                    ${checkedOutput(run) && html`<dt>Output</dt><dd>${checkedOutput(run)}</dd>`}
                    ${live.tables.length > 0 && html`<dt>Tables</dt><dd>${live.tables.map((table) => html`<div>${table.tool} ${table.report}${live.tables.some((one) => one.process !== table.process) ? ` of process ${table.process}` : ""}: ${plural(table.rows, "row")}</div>`)}</dd>`}
                </dl>
                <${Curve} points=${live.progress} />
                <${Ending} run=${run} />
            </div>
        </section>
        <section class="pane" aria-label="Output">
            <div class="head"><h2>Output</h2>${live.lost > 0 && html`<span class="muted">the last ${LINES} lines; ${integer(live.lost)} before them are in the results</span>`}</div>
            <div class="body flush">
                ${live.output
                    ? html`<pre class="output" tabindex="0" ref=${bottom}>${live.output}</pre>`
                    : html`<${Notice}>${over ? (written ? `The program has written ${bytes(written)}: the output is among the results.` : "The program has written nothing.") : "The program has written nothing yet."}<//>`}
            </div>
        </section>
        <section class="pane commands" aria-label="Commands">
            <div class="head"><h2>What was executed</h2></div>
            <div class="body stack">
                ${commands.length === 0 ? html`<${Notice}>No command has been started yet.<//>` : commands.map((phase) => html`<${Command} text=${phase.text} />`)}
            </div>
        </section>
    </div>`;
}

function Progress({ estimate, now }) {
    const share = Math.min(0.99, now / Math.max(estimate.seconds, 0.1));
    return html`<div>
        <div class="progress" role="progressbar" aria-label="estimated progress" aria-valuemin="0" aria-valuemax="100" aria-valuenow=${Math.round(100 * share)}>
            <div style="width: ${(100 * share).toFixed(1)}%" />
        </div>
        <span class="muted">about ${seconds(estimate.seconds)}, as run ${estimate.run}</span>
    </div>`;
}
