// runs.js: runs as a table: program and tools, how the run ended, its first count with the counts of earlier runs, and
// metrics (screen SQL).
import { address } from "../address.js";
import { query, remove, useGet, useList } from "../api.js";
import { fixed, integer, moment, seconds } from "./format.js";
import { isOver } from "./live.js";
import { titlesOf } from "./program_titles.js";
import { html, useState } from "../lib/preact.js";
import { screens } from "../screens.js";

const has = (name) => screens.some((screen) => screen.name === name);

/** The colour of a run's state; a program that a signal ended has not come to its end. */
export const stateKind = ({ state, signal }) => (state === "finished" && signal ? "warning" : { finished: "good", failed: "error", stopped: "warning" }[state]);

/** The results of the run if it has some; else the run itself. */
export const runAddress = (run) => (has("results") && run.state !== "failed" && isOver(run.state) ? address("results", { run: run.id }) : address("run", { program: run.program, run: run.id }));

/** Runs have at most as many figures as the server sends at a time. */
const mostFigures = 100;

function useFigures(runs) {
    const asked = runs.filter((run) => run.state === "finished" || run.state === "stopped").slice(0, mostFigures);
    const { value } = useGet(asked.length ? `/runs/figures${query({ runs: asked.map((run) => run.id).join(",") })}` : null);
    return { of: (run) => value?.runs[run.id], metrics: value?.metrics ?? [] };
}

/** This run and earlier runs, as a line; the text beside it has the last value. */
function Sparkline({ before, value, title }) {
    const all = [...before, value].map(Number);
    if (all.length < 2) return null;
    const [width, height] = [64, 16];
    const [least, greatest] = [Math.min(...all), Math.max(...all)];
    const x = (at) => ((width - 4) * at) / (all.length - 1) + 2;
    const y = (one) => (greatest === least ? height / 2 : height - 2 - ((height - 4) * (one - least)) / (greatest - least));
    const words = `${title} of the ${all.length - 1 === 1 ? "run" : `${all.length - 1} runs`} before it and of this one: ${all.map((one) => integer(one)).join(", ")}`;
    return html`<svg class="sparkline" viewBox="0 0 ${width} ${height}" width=${width} height=${height} role="img" aria-label=${words}>
        <title>${words}</title>
        <polyline points=${all.map((one, at) => `${x(at).toFixed(1)},${y(one).toFixed(1)}`).join(" ")} />
        <circle cx=${x(all.length - 1)} cy=${y(all.at(-1))} r="2" />
    </svg>`;
}

const figure = (value) => (value === undefined || value === null ? "" : typeof value === "number" && !Number.isInteger(value) ? fixed(value, 3) : integer(value));

/** `changed` is called when a run was removed; without it no run can be removed. */
export function RunsTable({ runs, changed }) {
    const figures = useFigures(runs);
    const programs = useList("/programs");
    const titles = titlesOf(programs.value?.programs ?? []);
    const [wrong, setWrong] = useState(null);
    const [sure, setSure] = useState(null); // the run that is removed by one more click
    const metrics = figures.metrics.filter((metric) => !metric.error);
    const broken = figures.metrics.filter((metric) => metric.error);
    const remove_run = async (run) => {
        if (sure !== run.id) return setSure(run.id);
        setSure(null);
        setWrong(null);
        try {
            await remove(`/runs/${run.id}`);
            return changed();
        } catch (failed) {
            return setWrong(failed);
        }
    };
    return html`<div class="runs-table" tabindex="0" role="region" aria-label="Runs">
            <table class="plain">
                <thead>
                    <tr>
                        <th scope="col" class="number">Run</th>
                        <th scope="col">State</th>
                        <th scope="col">Program</th>
                        <th scope="col">Tools</th>
                        <th scope="col">Arguments</th>
                        <th scope="col" class="number">First count</th>
                        <th scope="col"><span class="hidden">Of the runs before it</span></th>
                        ${metrics.map((metric) => html`<th scope="col" class="number" title=${metric.formula}>${metric.name}${metric.unit && `, ${metric.unit}`}</th>`)}
                        <th scope="col" class="number">Time</th>
                        <th scope="col">When</th>
                        ${changed && html`<th scope="col"><span class="hidden">What to do</span></th>`}
                    </tr>
                </thead>
                <tbody>
                    ${runs.map((run) => {
                        const own = figures.of(run);
                        return html`<tr key=${run.id}>
                            <td class="number"><a href=${runAddress(run)}>${run.id}</a></td>
                            <td>
                                <span class="chip ${stateKind(run)}">${run.state}${run.reason ? `: ${run.reason}` : ""}${run.signal ? ` · signal ${run.signal}` : ""}</span>
                                ${run.same === false && html` <span class="chip error">other output</span>`}
                            </td>
                            <td class="name">${titles.get(run.program) ?? run.program_name ?? html`<span class="muted">${run.name}</span>`}</td>
                            <td>${run.tools ?? run.asked}${run.given && html`<div class="muted mono">${run.given}</div>`}</td>
                            <td class="mono name">${run.arguments}</td>
                            <td class="number">${own?.main && html`${figure(own.main.value)} <span class="muted">${own.main.title}</span>`}</td>
                            <td>${own?.main && html`<${Sparkline} ...${own.main} />`}</td>
                            ${metrics.map((metric) => html`<td class="number">${figure(own?.metrics[metric.id])}</td>`)}
                            <td class="number">${seconds(run.seconds)}</td>
                            <td>${moment(Date.parse(run.started))}</td>
                            ${changed && html`<td class="number">${isOver(run.state) && html`<button class="small" aria-label="Remove run ${run.id}" onClick=${() => remove_run(run)} onBlur=${() => setSure(null)}>${sure === run.id ? "Really remove" : "Remove"}</button>`}</td>`}
                        </tr>`;
                    })}
                </tbody>
            </table>
        </div>
        ${wrong && html`<p class="wrong" role="alert">${wrong.message}</p>`}
        ${broken.map((metric) => html`<p class="muted">The metric ${metric.name} is not shown: ${metric.error}</p>`)}`;
}
