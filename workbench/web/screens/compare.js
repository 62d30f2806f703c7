// compare.js: two runs side by side: differences of their requests, increases and decreases in B, source and
// disassembly with the counts of both, a flame graph of the difference, lines that only one of them has executed. The
// numbers are those of atomc diff. State: a, b (runs; without a, the run before b that is alike); table (a pair's
// number), by (titles), threshold (per cent), find, more, less and other (offsets); name (a procedure); view (source,
// code, flame, coverage); metric (TOOL: TITLE); tree (a pair), treemetric, widths, node, zoom; wide (per cent).
import { address } from "../address.js";
import { base, query, useGet, useList } from "../api.js";
import { quoteAll, useCommand } from "../parts/command.js";
import { CompareCode } from "../parts/compare_code.js";
import { CompareFlame, signed } from "../parts/compare_tree.js";
import { fixed, integer, moment, plural } from "../parts/format.js";
import { bothNames, shortName, useNames } from "../parts/names.js";
import { ErrorNotice, Notice, Waiting } from "../parts/notice.js";
import { titlesOf } from "../parts/program_titles.js";
import { baseName, isLine, nameOf, Save } from "../parts/table.js";
import { Tabs } from "../parts/tabs.js";
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../lib/preact.js";
import { Border } from "./results.js";

const pageRows = 100;
const isRun = (text) => /^\d+$/.test(text ?? "");

// ---- which runs ----

const runTitle = (run, titles) => [`run ${run.id}`, run.name, titles.get(run.program) ?? run.program_name, run.tools ?? run.asked, run.arguments, moment(Date.parse(run.started))].filter(Boolean).join(" · ");

function Picker({ letter, runs, titles, value, other, choose }) {
    // Runs of the other side's program are listed first.
    const program = runs.find((run) => String(run.id) === other)?.program_name;
    const groups = program ? [[`${program}`, runs.filter((run) => run.program_name === program)], ["Other programs", runs.filter((run) => run.program_name !== program)]] : [["Runs", runs]];
    return html`<label for="compare-${letter}"><strong class="compare-letter">${letter.toUpperCase()}</strong></label>
        <select id="compare-${letter}" aria-label="Run ${letter.toUpperCase()}" value=${value ?? ""} onChange=${(event) => choose(event.target.value)}>
            <option value="">choose a run</option>
            ${groups.map(([title, list]) => list.length > 0 && html`<optgroup label=${title}>${list.map((run) => html`<option value=${run.id}>${runTitle(run, titles)}</option>`)}</optgroup>`)}
        </select>`;
}

// ---- differences of the two requests -------

function Differences({ compared }) {
    const { differences, a, b } = compared;
    const what = { program: "", tool: "tool ", parameter: "", request: "" };
    // Arguments are a list in JSON.
    const word = (value) => (value === null ? "none" : value === "" ? "(empty)" : /^\["/.test(value) ? quoteAll(JSON.parse(value)) : value);
    const onlyIn = (one) => (one.what === "tool" && one.b === null ? "only in A" : one.what === "tool" && one.a === null ? "only in B" : null);
    if (a.id === b.id) return html`<${Notice} kind="warning">A and B are the same run: nothing differs.<//>`;
    if (differences.length === 0) return html`<${Notice}>Both runs were asked for the same. ${a.repeatable === 0 || b.repeatable === 0 ? "Counts of this program differ from run to run." : ""}<//>`;
    return html`<ul class="compare-differences" aria-label="What differs in what was asked for">
        ${differences.map((one) => html`<li class="chip"><span class="muted">${what[one.what]}${one.name}</span> ${onlyIn(one) ?? html`<span class="mono">${word(one.a)}</span> <span aria-hidden="true">→</span> <strong class="mono">${word(one.b)}</strong>`}</li>`)}
    </ul>`;
}

// ---- the sums of all rows ----

/** A change, such as "+2.8 %": one decimal, or two digits of a smaller number. */
const percent = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value) < 0.05 && value !== 0 ? Number(Math.abs(value).toPrecision(2)) : fixed(Math.abs(value), 1)} %`;

/** Titles are the report's: 'Misses' is a word in a sentence, 'D misses' stays as it is. */
const inSentence = (title) => title.replace(/^([A-Z])([a-z])/, (_, first, next) => first.toLowerCase() + next);

function Headline({ totals }) {
    const [first, ...others] = totals;
    if (!first) return null;
    const verb = /^(Instructions|Executed)$/.test(first.title) ? "executes" : "has";
    const what = first.title === "Executed" ? "instructions" : inSentence(first.title);
    const words =
        first.percent === null
            ? html`B ${verb} <strong>${integer(first.b)} ${what}</strong>, A none`
            : first.difference === 0
              ? html`A and B have <strong>as many ${what}</strong>: ${integer(first.a)}`
              : html`B ${verb} <strong>${percent(Math.abs(first.percent)).slice(1)} ${first.difference > 0 ? "more" : "fewer"} ${what}</strong>, ${integer(Math.abs(first.difference))} <span class="muted">(${integer(first.a)} in A, ${integer(first.b)} in B)</span>`;
    const changed = others.filter((one) => one.difference !== 0);
    return html`<p class="compare-headline">
        <span>${words}</span>
        ${changed.map((one) => html`<span class="chip" title="${one.title}: ${integer(one.a)} in A, ${integer(one.b)} in B">${one.title} ${one.percent === null ? `+${integer(one.b)}` : percent(one.percent)}</span>`)}
    </p>`;
}

// ---- rows ----

function shownCell(column, value) {
    if (value === null || value === undefined) return "–";
    if (column.shown === "difference") return column.type === "real" ? (value > 0 ? `+${fixed(value)}` : fixed(value)) : signed(typeof value === "string" ? BigInt(value) : value);
    if (column.shown === "quotient") return percent(100 * (value - 1));
    if (column.type === "real") return fixed(value);
    if (column.type === "integer") return isLine(column) ? (value > 0 ? String(value) : "") : column.shown === "value" ? String(value) : integer(value);
    return shortName(String(value));
}

const ofCount = (column) => ["a", "b", "difference", "quotient"].includes(column.shown);

/**
 * The columns of a group: the keys of a row, then for each count a part with its values in A and B and the difference.
 * The address is the last column if rows are combined by other keys: it is A's address only. stated: some row is new or gone.
 */
function layout(page, stated) {
    const all = (page?.columns ?? []).map((column, number) => ({ ...column, number }));
    const stands = (column) => column.shown !== "state" || stated;
    const late = (column) => Boolean(page?.by) && column.type === "address" && !ofCount(column);
    const columns = [...all.filter((column) => stands(column) && !late(column)), ...all.filter(late)];
    const parts = [];
    for (const column of columns) {
        if (ofCount(column) && parts.at(-1)?.count === column.column) parts.at(-1).columns.push(column);
        else parts.push({ count: ofCount(column) ? column.column : undefined, columns: [column] });
    }
    return { columns, parts };
}

/** A title as 'Instructions B-A' is: the count, and which value of it. */
const splitTitle = (column) => /^(.*) (A|B|B-A|B\/A)$/.exec(column.title)?.slice(1) ?? [column.title, ""];

const hasState = (page) => {
    const at = page?.columns.findIndex((column) => column.shown === "state");
    return page?.rows.some((row) => row[at] === "new" || row[at] === "gone") ?? false;
};

/** Columns of the groups' tables become as wide as the widest of their title. */
function align(groups) {
    const columns = [...groups.querySelectorAll("col")];
    for (const one of columns) one.style.width = "";
    groups.classList.remove("aligned");
    const widest = new Map();
    for (const table of groups.querySelectorAll("table"))
        [...table.querySelectorAll("col")].forEach((one, at) => {
            const { width } = table.tBodies[0].rows[0].cells[at].getBoundingClientRect();
            widest.set(one.dataset.title, Math.max(widest.get(one.dataset.title) ?? 0, Math.ceil(width)));
        });
    groups.classList.add("aligned");
    for (const one of columns) one.style.width = `${widest.get(one.dataset.title)}px`;
    groups.style.setProperty("--columns", `${[...widest.values()].reduce((all, width) => all + width, 0)}px`);
}

/** One group of rows: increases in B, or decreases. */
function Group({ page, group, title, state, set, chosen, choose, empty, stated }) {
    const offset = Number(state[group] ?? 0);
    const [current, setCurrent] = useState(0);
    const body = useRef();
    const rows = page.value?.rows ?? [];
    const all = page.value?.columns ?? [];
    const { columns, parts } = useMemo(() => layout(page.value, stated), [page.value, stated]);
    const name = nameOf(columns);
    const named = all.findIndex((column) => column.shown === "value" && ["Procedure", "Caller", "Name"].includes(column.title));
    const path_at = all.findIndex((column) => column.shown === "path");
    const difference = all.findIndex((column) => column.shown === "difference" && column.column === page.value?.measure);
    const greatest = Math.max(0, ...rows.map((row) => Math.abs(Number(row[difference] ?? 0))));
    const nameOfRow = (row) => (named >= 0 ? row[named] : path_at >= 0 ? String(row[path_at]).split(";").at(-1) : undefined);
    const pick = (at) => {
        if (at < 0 || at >= rows.length) return;
        setCurrent(at);
        const chosenName = nameOfRow(rows[at]);
        if (chosenName) choose(chosenName);
        body.current?.rows[at]?.focus();
    };
    const shown = page.value?.shown ?? 0;
    const move = (to) => set({ [group]: to > 0 ? String(to) : "" });
    const onKey = (event, at) => {
        const steps = {
            ArrowDown: () => pick(at + 1),
            ArrowUp: () => pick(at - 1),
            Home: () => pick(0),
            End: () => pick(rows.length - 1),
            Enter: () => pick(at),
            PageDown: () => offset + pageRows < shown && move(offset + pageRows),
            PageUp: () => offset > 0 && move(Math.max(0, offset - pageRows)),
        };
        if (!steps[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
        steps[event.key]();
        event.preventDefault();
        event.stopPropagation();
    };
    const number = (column) => column.type === "integer" || column.type === "real";
    return html`<section class="compare-group ${group}" aria-label=${title}>
        <h3><span class="swatch ${group}"></span>${title} <span class="count">${page.value ? integer(shown) : ""}</span></h3>
        ${!page.value && html`<${Waiting} />`}
        ${page.value && shown === 0 && html`<p class="muted compare-none">${empty(page.value)}</p>`}
        ${rows.length > 0 &&
        html`<div class="table-scroll" onScroll=${(event) => event.target.closest(".compare-groups").querySelectorAll(".table-scroll").forEach((one) => (one.scrollLeft = event.target.scrollLeft))}>
            <table class="plain rows named" aria-label=${title} aria-rowcount=${shown}>
                <colgroup>${columns.map((column) => html`<col data-title=${column.title} />`)}</colgroup>
                <thead>
                    <tr>
                        ${parts.map((part) =>
                            part.count === undefined
                                ? html`<th scope="col" rowspan="2" class="plain-head ${number(part.columns[0]) ? "number" : ""} ${part.columns[0] === name ? "stuck" : ""}">${part.columns[0].title}</th>`
                                : html`<th scope="colgroup" colspan=${part.columns.length} class="plain-head count-head">${splitTitle(part.columns[0])[0]}</th>`,
                        )}
                    </tr>
                    <tr>
                        ${parts.filter((part) => part.count !== undefined).flatMap((part) => part.columns.map((column) => html`<th scope="col" class="plain-head number">${splitTitle(column)[1].replace("B/A", "%")}</th>`))}
                    </tr>
                </thead>
                <tbody ref=${body}>
                    ${rows.map(
                        (row, at) => html`<tr key=${at} tabindex=${at === Math.min(current, rows.length - 1) ? 0 : -1} aria-selected=${String(Boolean(chosen) && nameOfRow(row) === chosen)} aria-rowindex=${offset + at + 1} onClick=${() => pick(at)} onKeyDown=${(event) => onKey(event, at)}>
                            ${columns.map((column) => {
                                const value = row[column.number];
                                const part = column.number === difference && greatest > 0 ? (100 * Math.abs(Number(value ?? 0))) / greatest : 0;
                                const file = column.type === "text" && /^\/.*\/./.test(value ?? "");
                                return html`<td
                                    class="${number(column) ? "number" : ""} ${part > 0 ? "bar" : ""} ${column.type === "address" ? "mono" : ""} ${column.type === "text" ? "text" : ""} ${column === name ? "stuck" : ""}"
                                    style=${part > 0 ? { "--part": `${part}%` } : undefined}
                                    data-brief=${column.type === "text" ? "" : undefined}
                                    title=${column.type === "text" ? bothNames(value) : undefined}
                                >
                                    ${column.shown === "state" && (value === "new" || value === "gone") ? html`<span class="chip">${value}</span>` : column.shown === "state" ? "" : file ? baseName(value) : shownCell(column, value)}
                                </td>`;
                            })}
                        </tr>`,
                    )}
                </tbody>
            </table>
        </div>`}
        ${shown > pageRows &&
        html`<nav class="row pager" aria-label="Pages of: ${title}">
            <button class="small" disabled=${offset === 0} onClick=${() => move(Math.max(0, offset - pageRows))}>Back</button>
            <span>${integer(offset + 1)}–${integer(Math.min(offset + pageRows, shown))} of ${integer(shown)}</span>
            <button class="small" disabled=${offset + pageRows >= shown} onClick=${() => move(offset + pageRows)}>Next</button>
        </nav>`}
    </section>`;
}

/** Titles by which rows can be combined, in addition to the choice of atomc diff. */
function groupings(table) {
    const titles = table.columns.filter((column) => column.role !== "measure" && !column.hidden && column.type !== "address").map((column) => column.title);
    const has = (title) => titles.includes(title);
    return [has("Procedure") && "Procedure", has("File") && "File", has("File") && has("Line") && "File,Line"].filter((one) => one && !table.tree);
}

function Tables({ compared, table, state, set, choose, common }) {
    const [threshold, setThreshold] = useState(state.threshold ?? "0.1");
    const [find, setFind] = useState(state.find ?? "");
    useEffect(() => setThreshold(state.threshold ?? "0.1"), [state.threshold]);
    useEffect(() => setFind(state.find ?? ""), [state.find]);
    const right = /^\d+(\.\d+)?$/.test(threshold) && Number(threshold) <= 100;
    useEffect(() => {
        const next = { threshold: right && threshold !== "0.1" ? threshold : "", find };
        if (!right || (next.threshold === (state.threshold ?? "") && find === (state.find ?? ""))) return undefined;
        const timer = setTimeout(() => set({ ...next, more: "", less: "", other: "" }, true), 250);
        return () => clearTimeout(timer);
    }, [threshold, find]);
    const page = (group) => useGet(`/compare/rows${query({ ...common, find: state.find, group, offset: state[group], limit: pageRows })}`);
    const pages = { more: page("more"), less: page("less"), other: page("other") };
    const stated = Object.values(pages).some((one) => hasState(one.value));
    const groups = useRef();
    // Each time: names become readable when the program's list of names has come.
    useLayoutEffect(() => groups.current && align(groups.current));
    const tabs = compared.tables.map((one) => ({ id: String(one.number), title: one.report === "-" || one.report === "stderr" ? one.tool : one.report.replace(/\.out\b/, "").replace(/^([^.]*)\.([^.]+)$/, "$1 $2"), hint: `${one.tool}: ${one.report}; A: ${plural(one.rows[0], "row")}, B: ${plural(one.rows[1], "row")}` }));
    const empty = (word) => (page) =>
        state.find ? `No row with '${state.find}' is ${word}.` : page.below > 0 ? `Nothing is ${word} by ${page.threshold} % or more.` : page.equal > 0 ? `Nothing is ${word}.` : "Both tables have no rows.";
    const said = pages.more.value; // of all rows
    const first = said?.columns.find((column) => column.shown === "a" && column.column === said.measure)?.title.replace(/ A$/, "");
    const failed = Object.values(pages).find((one) => one.error);
    return html`<section class="pane tables" aria-label="Tables">
        <div class="head"><${Tabs} label="Tables" list=${tabs} chosen=${String(table.number)} choose=${(id) => set({ table: id === "0" ? "" : id, by: "", more: "", less: "", other: "", find: "" })} panel="compare-table" /></div>
        <div class="body flush compare-tables" id="compare-table" role="tabpanel" aria-label=${table.report}>
            ${said && html`<${Headline} totals=${said.totals} />`}
            <div class="row table-tools">
                <input type="search" data-filter class="filter" placeholder="filter: name, file" aria-label="Filter the rows" value=${find} onInput=${(event) => setFind(event.target.value)} />
                <label for="compare-threshold">hide below</label>
                <input id="compare-threshold" class="compare-threshold" inputmode="decimal" aria-invalid=${String(!right)} value=${threshold} onInput=${(event) => setThreshold(event.target.value)} /> %
                ${groupings(table).length > 0 &&
                html`<label for="compare-by">rows by</label>
                    <select id="compare-by" value=${state.by ?? ""} onChange=${(event) => set({ by: event.target.value, more: "", less: "", other: "" })}>
                        <option value="">${said?.by && !state.by ? said.by.replace(",", ", ") : "place"}</option>
                        ${groupings(table).map((one) => html`<option value=${one}>${one.replace(",", ", ")}</option>`)}
                    </select>`}
                <span class="spacer"></span>
                <${Save} list=${["csv", "json"].map((form) => [form.toUpperCase(), `${base}/export/compare/table.${form}${query(common)}`])} />
            </div>
            ${!right && html`<${Notice} kind="error">The threshold is a number from 0 to 100.<//>`}
            <${ErrorNotice} error=${failed?.error} again=${failed?.reload} />
            ${said?.unread > 0 && html`<${Notice} kind="warning">${integer(said.unread)} source files of B cannot be read, or those of A: their lines are compared by their numbers.<//>`}
            ${!failed &&
            html`<div class="compare-groups" ref=${groups}>
                <${Group} key=${`more ${table.number}`} page=${pages.more} group="more" title="More in B" state=${state} set=${set} chosen=${state.name} choose=${choose} empty=${empty("more in B")} stated=${stated} />
                <${Group} key=${`less ${table.number}`} page=${pages.less} group="less" title="Less in B" state=${state} set=${set} chosen=${state.name} choose=${choose} empty=${empty("less in B")} stated=${stated} />
                ${said?.other > 0 && html`<${Group} key=${`other ${table.number}`} page=${pages.other} group="other" title=${first ? `As many ${inSentence(first)}, other counts differ` : "Other in B"} state=${state} set=${set} chosen=${state.name} choose=${choose} empty=${empty("other in B")} stated=${stated} />`}
            </div>`}
            ${said && html`<p class="muted compare-summary" role="status">${plural(said.equal, "row is", "rows are")} equal, ${plural(said.below, "differs", "differ")} by less than ${said.threshold} % and ${said.below === 1 ? "is" : "are"} hidden${said.new ? ` · ${integer(said.new)} new` : ""}${said.gone ? ` · ${integer(said.gone)} gone` : ""}${said.same_procedures !== null ? ` · ${integer(said.same_procedures)} of ${plural(said.procedures, "procedure")} ${said.same_procedures === 1 ? "has" : "have"} the same instructions: their places are compared, by A's addresses${said.by ? `, others by ${said.by.replace(/,(?! )/g, ", ")}` : ""}` : said.by ? ` · compared by ${said.by.replace(/,(?! )/g, ", ")}` : ""}</p>`}
        </div>
    </section>`;
}

// ---- coverage ----

const lineTitles = (table) => {
    const file = table.columns.find((column) => column.type === "text" && (column.attribute.endsWith(".file") || column.title === "File"));
    const line = table.columns.find((column) => column.type === "integer" && column.role !== "measure" && (column.attribute.endsWith(".line") || column.title === "Line"));
    return file && line && !table.tree && table.columns.some((column) => column.role === "measure" && column.merge === "sum" && !column.hidden) ? `${file.title},${line.title}` : null;
};

function Lines({ path, group, title, empty }) {
    const answer = useGet(`${path}&group=${group}&limit=1000`);
    const columns = answer.value?.columns ?? [];
    const at = (test) => columns.findIndex(test);
    const file = at((column) => column.shown === "value" && column.type === "text");
    const line = at((column) => column.shown === "value" && column.type === "integer");
    const count = at((column) => column.shown === (group === "covered" ? "b" : "a") && column.column === answer.value?.measure);
    const rows = [...(answer.value?.rows ?? [])].filter((row) => row[line] > 0).sort((left, right) => (left[file] < right[file] ? -1 : left[file] > right[file] ? 1 : left[line] - right[line]));
    return html`<section aria-label=${title} class="compare-lines">
        <h3><span class="swatch ${group === "covered" ? "more" : "less"}"></span>${title} <span class="count">${answer.value ? integer(rows.length) : ""}</span></h3>
        <${ErrorNotice} error=${answer.error} again=${answer.reload} />
        ${answer.value && rows.length === 0 && html`<p class="muted">${empty}</p>`}
        ${rows.length > 0 &&
        html`<table class="plain">
            <thead><tr><th scope="col">File</th><th scope="col" class="number">Line</th><th scope="col" class="number">Executed</th></tr></thead>
            <tbody>${rows.map((row) => html`<tr><td title=${row[file]}>${baseName(row[file] ?? "?")}</td><td class="number">${row[line]}</td><td class="number">${integer(row[count])}</td></tr>`)}</tbody>
        </table>`}
        ${answer.value?.shown > 1000 && html`<p class="muted">The first 1000 of ${integer(answer.value.shown)}.</p>`}
    </section>`;
}

function Coverage({ compared, state }) {
    const tables = compared.tables.filter(lineTitles);
    const table = tables.find((one) => one.tool === "coverage") ?? tables[0];
    if (!table) return html`<${Notice} hint="coverage with -D tables=true has, and pixie with -D instructions=true.">No table of both runs has lines with counts.<//>`;
    const path = `/compare/rows${query({ a: state.a, b: state.b, table: table.number, by: lineTitles(table), threshold: 0 })}`;
    return html`<p class="muted">By ${table.tool}: ${table.report}. Lines of A as A numbers them, those of B that are not in A as B does.</p>
        <div class="compare-coverage">
            <${Lines} path=${path} group="covered" title="Newly executed" empty="Each line that B executed was executed in A." />
            <${Lines} path=${path} group="uncovered" title="No longer executed" empty="Each line that A executed was executed in B." />
        </div>`;
}

// ---- the screen ----

function Compared({ compared, state, set }) {
    const table = compared.tables.find((one) => String(one.number) === state.table) ?? compared.tables[0];
    const trees = compared.tables.filter((one) => one.tree);
    const tree = trees.find((one) => String(one.number) === state.tree) ?? trees[0];
    const common = { a: state.a, b: state.b, table: table?.number, by: state.by, threshold: state.threshold };
    const options = [...(state.by ? [`--by=${state.by}`] : []), ...(state.threshold ? [`--threshold=${state.threshold}`] : [])];
    const places = state.by && table?.files.every(Boolean) ? table.files : compared.folders;
    useCommand(table ? quoteAll(["atomc", "diff", ...options, ...places]) : undefined);
    const choose = (name) => set({ name }, true);
    const views = [
        { id: "source", title: "Source" },
        { id: "code", title: "Disassembly" },
        { id: "flame", title: "Flame graph" },
        { id: "coverage", title: "Coverage" },
    ];
    const view = state.view ?? (tree ? "flame" : "source");
    const sides = ["a", "b"].map((side) => ({ run: compared[side].id, program: compared[side].program, program_name: compared[side].program_name }));
    useNames(sides[0].program, sides[1].program);
    const wide = Number(state.wide ?? 50);
    const drag = useRef(0);
    const later = (values) => {
        cancelAnimationFrame(drag.current);
        drag.current = requestAnimationFrame(() => set(values, true));
    };
    const alone = compared.alone.map((one) => html`<li><strong>${one.side.toUpperCase()}</strong> ${one.tool}: ${one.report}: ${one.why}</li>`);
    if (!table)
        return html`<${Notice} kind="warning" hint="Runs of the same tool can be compared, whatever its parameters are.">
            Run ${compared.a.id} and run ${compared.b.id} have no table in common.
            ${alone.length > 0 ? html`<ul>${alone}</ul>` : " They have no tables at all."}
        <//>`;
    return html`<div class="results compare" style=${{ "--wide": `${wide}%` }}>
        <${Tables} compared=${compared} table=${table} state=${state} set=${set} choose=${choose} common=${common} />
        <${Border} label="Width of the tables" upright=${true} value=${wide} onChange=${(percent) => later({ wide: String(percent) })} />
        <section class="pane compare-view" aria-label="Code and pictures">
            <div class="head">
                <${Tabs} label="Code and pictures" list=${views} chosen=${view} choose=${(next) => set({ view: next })} panel="compare-panel" />
                ${alone.length > 0 && html`<span class="spacer"></span><details class="menu compare-alone"><summary class="button small">${alone.length} ${alone.length === 1 ? "table" : "tables"} of one run only</summary><div><ul>${alone}</ul></div></details>`}
            </div>
            <div class="body ${view === "coverage" ? "" : "flush"}" id="compare-panel" role="tabpanel" aria-label=${views.find((one) => one.id === view)?.title} tabindex="0">
                ${(view === "source" || view === "code") && html`<${CompareCode} a=${sides[0]} b=${sides[1]} name=${state.name} mode=${view} metric=${state.metric} setMetric=${(metric) => set({ metric }, true)} />`}
                ${view === "flame" &&
                (tree
                    ? html`${trees.length > 1 && html`<select aria-label="Tree" value=${tree.number} onChange=${(event) => set({ tree: event.target.value, node: "", zoom: "" })}>${trees.map((one) => html`<option value=${one.number}>${one.tool}: ${one.report}</option>`)}</select>`}
                          <${CompareFlame} key=${tree.number} program=${sides[1].program} path=${`/compare/tree${query({ a: state.a, b: state.b, table: tree.number })}`} widths=${state.widths === "a" ? "a" : "b"} metric=${state.treemetric} zoom=${state.zoom} node=${state.node} active=${state.name} set=${(values) => set(values, true)} />`
                    : html`<${Notice} hint="hiprof writes one; so do dynmem with -D callers=30, and tools that count by $stack.">No report of both runs is a tree of calls.<//>`)}
                ${view === "coverage" && html`<${Coverage} compared=${compared} state=${state} />`}
            </div>
        </section>
    </div>`;
}

export default function Compare({ state, change }) {
    const latest = useRef(state);
    latest.current = state;
    const set = (values, replace = false) => change({ ...latest.current, ...values }, { replace });
    const runs = useList("/runs?limit=500");
    const programs = useList("/programs");
    const titles = useMemo(() => titlesOf(programs.value?.programs ?? []), [programs.value]);
    const asked = isRun(state.b) && (!state.a || isRun(state.a));
    const compared = useGet(asked ? `/compare${query({ a: state.a, b: state.b })}` : null);
    // The run before, if the user did not choose A.
    useEffect(() => {
        if (compared.value && !compared.error && !compared.loading && !state.a && String(compared.value.b.id) === state.b) set({ a: String(compared.value.a.id) }, true);
    }, [compared.value, compared.error, compared.loading]);
    if (runs.error) return html`<${ErrorNotice} error=${runs.error} again=${runs.reload} />`;
    if (!runs.value) return html`<${Waiting} />`;
    const over = runs.value.runs.filter((run) => ["finished", "stopped", "failed"].includes(run.state));
    if (over.length < 2) return html`<${Notice} hint="Run: the same tool with other parameters, or a program that was built again.">${over.length === 0 ? "There are no runs yet" : "There is one run only"}: two are needed to compare.<//>`;
    const fresh = { table: "", by: "", more: "", less: "", other: "", find: "", node: "", zoom: "", tree: "", name: "" };
    const current = compared.value && !compared.loading && String(compared.value.b.id) === state.b && String(compared.value.a.id) === state.a;
    return html`<div class="row compare-head">
            <h1>Compare</h1>
            <${Picker} letter="a" runs=${over} titles=${titles} value=${state.a} other=${state.b} choose=${(a) => set({ ...fresh, a })} />
            <button class="small" title="A becomes B, and B becomes A" disabled=${!state.a || !state.b} onClick=${() => set({ ...fresh, name: state.name, a: state.b, b: state.a })}>Swap</button>
            <${Picker} letter="b" runs=${over} titles=${titles} value=${state.b} other=${state.a} choose=${(b) => set({ ...fresh, b })} />
            <button class="small" disabled=${!state.b} onClick=${() => set({ ...fresh, a: "" })}>With the run before B</button>
        </div>
        ${!asked && html`<${Notice} hint="A is before, B is after. Runs of the same program come first.">${state.b ? "Choose a run for A." : "Choose two runs."}<//>`}
        ${asked && !state.a && compared.error?.status === 404
            ? html`<${Notice} hint=${html`Choose a run for A above, or <a href=${address("run", { program: runs.value.runs.find((run) => String(run.id) === state.b)?.program })}>run a tool of it again</a>.`}>${compared.error.error[0].toUpperCase()}${compared.error.error.slice(1)}.<//>`
            : asked && html`<${ErrorNotice} error=${compared.error} again=${compared.reload} />`}
        ${asked && !compared.error && !current && html`<${Waiting} />`}
        ${asked && !compared.error && current && html`<${Differences} compared=${compared.value} /><${Compared} key=${`${state.a} ${state.b}`} compared=${compared.value} state=${state} set=${set} />`}`;
}
