// campaign_runs.js: a campaign's runs as squares, one each, live while they are made.
import { address } from "../address.js";
import { get, events as listen } from "../api.js";
import { integer, seconds } from "./format.js";
import { Notice } from "./notice.js";
import { html, useCallback, useEffect, useMemo, useRef, useState } from "../lib/preact.js";

const mostSquares = 5000;
const words = { missing: "queued", "under way": "running", finished: "done", stopped: "stopped", failed: "failed" };
const classes = { missing: "queued", "under way": "running", finished: "done", stopped: "stopped", failed: "failed" };
const order = ["finished", "under way", "missing", "stopped", "failed"];

/** The values that distinguish a run from the others. */
const titleOf = (run, varying) => varying.map((name) => `${name} ${run.values[name] ?? "–"}`).join(", ");

/**
 * The campaign's runs, updated while they are made: { status, error, said, ended, reload }. `said` is the command's
 * output at its end; `ended` is the time at which the last run ended since the start (seconds since 1970).
 */
export function useRuns(name, there) {
    const [status, setStatus] = useState(null);
    const [error, setError] = useState(null);
    const [said, setSaid] = useState(null);
    const [progress, setProgress] = useState({ began: 0, ended: [] });
    const [turn, setTurn] = useState(0);
    const path = `/campaigns/${encodeURIComponent(name)}`;
    const load = useCallback(async () => {
        try {
            const value = await get(`${path}/status`);
            // Events that arrived during the request are newer than its answer.
            setStatus((before) => ({ ...value, changed: new Map([...(before?.changed ?? [])].filter(([, change]) => change.time > value.time)) }));
            setError(null);
            return value;
        } catch (failed) {
            setError(failed);
            return null;
        }
    }, [path]);
    useEffect(() => {
        if (!there) return undefined;
        let end = () => {};
        let timer;
        let current = true;
        const follow = () => {
            setProgress({ began: 0, ended: [] });
            end = listen(`${path}/events`, {
                begin: (data) => {
                    setSaid(null);
                    setProgress({ began: data.time, ended: [] });
                    load();
                },
                run: (data) => {
                    setStatus((before) => before && { ...before, changed: new Map([...(before.changed ?? []), [data.run, data]]) });
                    if (data.state !== "under way") setProgress((before) => ({ ...before, ended: [...before.ended, data.time] }));
                },
                collected: load,
                finished: (data) => {
                    end();
                    setSaid(data);
                    load();
                },
            });
        };
        const again = async () => {
            const value = await load();
            if (!current || !value) return;
            if (value.live) follow();
            // Made by another engine: a shell, or a cluster.
            else if (value.under_way) timer = setTimeout(again, 3000);
        };
        again();
        return () => {
            current = false;
            clearTimeout(timer);
            end();
        };
    }, [name, there, turn]);
    const runs = useMemo(() => (status?.runs ?? []).map((run) => (status.changed.has(run.run) ? { ...run, ...status.changed.get(run.run), id: run.id } : run)), [status]);
    const live = Boolean(status && (status.live || status.under_way)) && said === null;
    return { status, runs, live, error, said, progress, reload: () => setTurn((before) => before + 1) };
}

/** The number of runs a minute, and the remaining time, estimated from the runs that have ended. */
function Rate({ runs, progress, live }) {
    const [now, setNow] = useState(Date.now() / 1000);
    useEffect(() => {
        if (!live) return undefined;
        const clock = setInterval(() => setNow(Date.now() / 1000), 1000);
        return () => clearInterval(clock);
    }, [live]);
    const ended = progress.ended.length;
    if (!live) return null;
    if (ended === 0) return html`<span class="muted" role="status">No run has ended yet.</span>`;
    const rate = ended / Math.max(1, Math.max(now, progress.ended.at(-1)) - progress.began);
    const left = runs.filter((run) => run.state === "missing" || run.state === "under way").length;
    return html`<span class="rate" role="status">${(60 * rate).toFixed(rate < 0.1 ? 1 : 0)} runs a minute${left > 0 ? html`, about ${seconds(left / rate)} left` : ""}</span>`;
}

function Sums({ runs }) {
    const count = (state) => runs.filter((run) => run.state === state).length;
    const done = runs.length ? (100 * (runs.length - count("missing") - count("under way"))) / runs.length : 0;
    return html`<div class="progress" role="progressbar" aria-label="runs that have ended" aria-valuemin="0" aria-valuemax="100" aria-valuenow=${Math.floor(done)}><div style="width: ${done.toFixed(1)}%"></div></div>
        <ul class="legend" aria-label="Runs by state">
            ${order.map((state) => (count(state) || ["finished", "missing", "under way"].includes(state) ? html`<li><span class="square ${classes[state]}" aria-hidden="true"></span> ${integer(count(state))} ${words[state]}</li>` : ""))}
        </ul>`;
}

export function CampaignRuns({ runs, dimensions, live, progress }) {
    const [current, setCurrent] = useState(0);
    const [shown, setShown] = useState(null);
    const grid = useRef();
    const varying = useMemo(() => dimensions.filter((name) => new Set(runs.map((run) => run.values[name])).size > 1), [runs, dimensions]);
    const rows = useMemo(() => {
        const found = new Map();
        runs.slice(0, mostSquares).forEach((run, at) => found.set(run.values.program, [...(found.get(run.values.program) ?? []), at]));
        return [...found];
    }, [runs]);
    if (runs.length === 0) return html`<${Notice}>There are no runs: the definition asks for none yet.<//>`;
    const focus = (at) => {
        const next = Math.max(0, Math.min(Math.min(runs.length, mostSquares) - 1, at));
        setCurrent(next);
        setShown(next);
        grid.current?.querySelector(`[data-run="${next}"]`)?.focus();
    };
    const onKey = (event) => {
        const squares = [...grid.current.querySelectorAll("[data-run]")];
        const here = squares[current]?.getBoundingClientRect();
        // The nearest cell in the line above or below.
        const across = (down) => {
            const others = squares.map((one, at) => [at, one.getBoundingClientRect()]).filter(([, box]) => (down ? box.top > here.top + 2 : box.top < here.top - 2));
            const line = down ? Math.min(...others.map(([, box]) => box.top)) : Math.max(...others.map(([, box]) => box.top));
            const near = others.filter(([, box]) => Math.abs(box.top - line) < 2).sort((one, other) => Math.abs(one[1].left - here.left) - Math.abs(other[1].left - here.left))[0];
            return near ? near[0] : current;
        };
        const to = { ArrowRight: () => current + 1, ArrowLeft: () => current - 1, ArrowDown: () => across(true), ArrowUp: () => across(false), Home: () => 0, End: () => runs.length - 1 }[event.key];
        if (!to || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        focus(to());
    };
    const said = shown === null ? null : runs[shown];
    const failed = runs.filter((run) => run.state === "failed" || (run.state === "stopped" && run.reason));
    return html`<div class="campaign-runs stack">
        <div class="row"><${Rate} runs=${runs} progress=${progress} live=${live} /></div>
        <${Sums} runs=${runs} />
        <div class="squares" ref=${grid} role="group" aria-label="Runs, by program" onKeyDown=${onKey} onMouseLeave=${() => setShown(null)}>
            ${rows.map(([program, list]) => html`<div class="line" key=${program}>
                <b title=${program}>${program}</b>
                <span>
                    ${list.map((at) => {
                        const run = runs[at];
                        const label = `${titleOf(run, varying) || program}: ${words[run.state]}`;
                        const common = { class: `square ${classes[run.state]}`, "data-run": at, tabindex: at === current ? 0 : -1, "aria-label": label, onFocus: () => (setCurrent(at), setShown(at)), onMouseEnter: () => setShown(at) };
                        return run.id ? html`<a ...${common} href=${address("results", { run: run.id })}></a>` : html`<span role="img" ...${common}></span>`;
                    })}
                </span>
            </div>`)}
        </div>
        ${runs.length > mostSquares && html`<p class="muted">The first ${integer(mostSquares)} of ${integer(runs.length)} runs have a square; the sums are of all.</p>`}
        <p class="said" aria-live="off">
            ${said
                ? html`<b>${titleOf(said, varying) || said.values.program}</b>: ${words[said.state]}${said.reason && `, ${said.reason}`}${said.seconds > 0 ? `, ${seconds(said.seconds)}` : ""}${said.error ? html` <code>${said.error}</code>` : ""}${said.id ? html`<span class="muted">, click: its results</span>` : ""}`
                : html`<span class="muted">Point at a square, or use the arrow keys: what it is stands here.</span>`}
        </p>
        ${failed.length > 0 &&
        html`<table class="plain" aria-label="Runs that failed or were stopped">
            <thead><tr><th scope="col">Run</th><th scope="col">State</th><th scope="col">Why</th></tr></thead>
            <tbody>${failed.slice(0, 50).map((run) => html`<tr><td>${run.id ? html`<a href=${address("results", { run: run.id })}>${titleOf(run, varying)}</a>` : titleOf(run, varying)}</td><td>${words[run.state]}</td><td>${run.reason}${run.error && html` <code>${run.error}</code>`}</td></tr>`)}</tbody>
        </table>`}
        ${failed.length > 50 && html`<p class="muted">The first 50 of ${integer(failed.length)}.</p>`}
    </div>`;
}
