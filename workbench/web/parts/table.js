// table.js: a table that a tool reported, a page at a time. The server sorts, filters and counts, so tables may have a
// million rows. Table({ table, merged, view, change, metric, selected, range, onAll(), onSelect(row), onMetric(column) })
// table: as GET /runs/N/tables lists it; view: { sort, where, find, offset } as texts; change(view); metric: the number of the active
// column; selected(row): is it the one that the other panes show? range: of the timeline, { where, title }, which onAll() takes away.
import { base, get, query, useGet } from "../api.js";
import { fixed, integer, plural } from "./format.js";
import { bothNames, shortName } from "./names.js";
import { ErrorNotice, Notice, Waiting } from "./notice.js";
import { html, useEffect, useMemo, useRef, useState } from "../lib/preact.js";

const pageRows = 100;
const mostCopied = 10000;

export const isNumber = (column) => column.type === "integer" || column.type === "real";
export const isMeasure = (column) => column.role === "measure";
export const baseName = (path) => String(path).slice(String(path).lastIndexOf("/") + 1);

export const isLine = (column) => column.type === "integer" && column.role !== "measure" && (column.attribute?.endsWith(".line") || column.title === "Line");
/** Counts that include all callees are in several rows: their sum is meaningless. */
const isInclusive = (column) => /^(total|inclusive)$/i.test(column.title);

/** The last row has sums; what is none says so: the least or greatest value of the rows. */
const extremes = { least: "min", greatest: "max" };

/** A value as people read it. */
export function shown(column, value) {
    if (value === null || value === undefined) return "–";
    if (column.type === "real") return fixed(value);
    if (isLine(column)) return value > 0 ? String(value) : "";
    // The ratio of two sums is seldom a whole number, where each row's is.
    if (column.type === "integer") return typeof value === "number" && !Number.isInteger(value) ? fixed(value) : integer(value);
    return shortName(String(value));
}

/**
 * A total row, as dynmem has: it has no place, and has the name of a total. The conditions of the address that select
 * it, and that exclude it; undefined: the table has no places and names.
 */
export function wholeOf(table) {
    const { name, address: place } = table.whole ?? {};
    return table.whole ? { is: `${name}=all;${place}=0x0`, isNot: `${place}!=0x0`, test: (row) => row[name] === "all" && row[place] === "0x0" } : undefined;
}

const escaped = (text) => String(text).replace(/[\\;]/g, "\\$&");

/** The files that can be saved, in the menu of one button: [[title, address], ...]. */
export function Save({ list, label = "Save as …", small = true }) {
    const menu = useRef();
    const close = () => (menu.current.open = false);
    return html`<details class="menu" ref=${menu} onFocusOut=${(event) => menu.current.contains(event.relatedTarget) || close()} onKeyDown=${(event) => event.key === "Escape" && close()}>
        <summary class="button ${small ? "small" : ""}">${label}</summary>
        <div>${list.map(([title, to]) => html`<a href=${to} download onClick=${close}>${title}</a>`)}</div>
    </details>`;
}

/** "> 1000" and "main" in one text: comparisons apply to the active column, words are searched for in all texts. */
export function parseFilter(text, metric) {
    const comparison = /(^|\s)(>=|<=|!=|>|<|=)\s*(-?[\d.\u2009 ]*\d)(?=\s|$)/.exec(text);
    if (!comparison || metric < 0) return { find: text.trim(), where: "" };
    const number = comparison[3].replace(/[\u2009 ]/g, "");
    return { find: text.replace(comparison[0], " ").trim(), where: `${metric}${comparison[2]}${number}` };
}

export const joined = (...conditions) => conditions.filter(Boolean).join(";");

/** The values of a column, with the number of rows of each: a click keeps these rows. */
function Facets({ table, merged, where, find, columns, add }) {
    const texts = columns.filter((column) => column.type === "text");
    const [number, setNumber] = useState(texts[0]?.number);
    const answer = useGet(number === undefined ? null : `/tables/${table.id}/facets${query({ column: number, limit: 30, where, find, merged: merged ? 1 : "" })}`);
    if (texts.length === 0) return html`<${Notice}>This table has no texts.<//>`;
    const column = table.columns[number];
    return html`<div class="facets" role="group" aria-label="Values">
        <select aria-label="Values of" value=${number} onChange=${(event) => setNumber(Number(event.target.value))}>
            ${texts.map((one) => html`<option value=${one.number}>${one.title}</option>`)}
        </select>
        <${ErrorNotice} error=${answer.error} again=${answer.reload} />
        ${(answer.value?.values ?? []).map(
            ([value, rows]) => html`<button class="small" onClick=${() => add(number, value)}>${value === "" || value === null ? "(none)" : shortName(baseName(value))} <span class="muted">${integer(rows)}</span></button>`,
        )}
        ${column && answer.value?.values.length === 30 && html`<span class="muted">the 30 most frequent</span>`}
    </div>`;
}

/** Conditions of the address, as chips that can be taken away. */
function Conditions({ table, where, remove }) {
    const list = where.split(/(?<!\\);/).filter(Boolean);
    return list.map((one) => {
        const [, number, operator, value] = /^(\d+)(>=|<=|!=|!~|>|<|=|~)(.*)$/s.exec(one) ?? [];
        const column = table.columns[number];
        return html`<button class="small chip" title="Take this condition away" onClick=${() => remove(list.filter((other) => other !== one).join(";"))}>
            ${column ? `${column.title} ${operator} ${shortName(value.replace(/\\([\\;])/g, "$1")) || "(none)"}` : one} ×
        </button>`;
    });
}

/** The column that says what a row is about: it stays when the table is scrolled. */
export const nameOf = (columns) => columns.find((column) => column.type === "text" && /^(Procedure|Caller|Name)$/.test(column.title)) ?? columns.find((column) => column.type === "text" && column.role !== "measure" && column.shown !== "state") ?? columns.find((column) => column.shown !== "state");

async function copyRows(path, columns, table, setSaid) {
    try {
        const answer = await get(path);
        const lines = [columns.map((column) => column.title), ...answer.rows.map((row) => columns.map((column) => row[column.number] ?? ""))];
        await navigator.clipboard.writeText(lines.map((line) => line.map((cell) => String(cell).replace(/[\t\r\n]/g, " ")).join("\t")).join("\n"));
        setSaid(answer.rows.length < table ? `copied ${integer(answer.rows.length)} of ${plural(table, "row")}` : `copied ${plural(answer.rows.length, "row")}`);
    } catch (error) {
        setSaid(`not copied: ${error.message}`);
    }
}

export function Table({ table, merged, view, change, metric, selected, range, onAll, onSelect, onMetric }) {
    const offset = Number(view.offset ?? 0);
    const [typed, setTyped] = useState(view.filter ?? "");
    const [faceted, setFaceted] = useState(false);
    const [said, setSaid] = useState("");
    const [current, setCurrent] = useState(0);
    const body = useRef();
    useEffect(() => setTyped(view.filter ?? ""), [table.id, view.filter]);
    useEffect(() => setSaid(""), [table.id, view.filter, view.where]);
    const columns = useMemo(() => table.columns.map((column, number) => ({ ...column, number })).filter((column) => !column.hidden), [table]);
    const name = nameOf(columns);
    const parsed = parseFilter(view.filter ?? "", metric);
    const where = joined(view.where, range?.where, parsed.where);
    const asked = { find: parsed.find, where, merged: merged ? 1 : "" };
    const rowsPath = `/tables/${table.id}/rows${query({ ...asked, sort: view.sort, offset: offset || "", limit: pageRows, totals: 0 })}`;
    const page = useGet(rowsPath);
    const counted = useGet(`/tables/${table.id}/rows${query({ ...asked, limit: 0 })}`);
    // In sums, a total row would be added to the rows that it contains.
    const whole = useMemo(() => wholeOf(table), [table]);
    const wholes = useGet(whole ? `/tables/${table.id}/rows${query({ ...asked, where: joined(where, whole.is), limit: 1, totals: 0 })}` : null);
    const hasWhole = wholes.value?.rows.length > 0;
    const parts = useGet(hasWhole ? `/tables/${table.id}/rows${query({ ...asked, where: joined(where, whole.isNot), limit: 0 })}` : null);
    const summed = whole && (wholes.loading || hasWhole) ? parts : counted;
    const rows = page.value?.rows ?? [];
    // While the next page is loading, the rows of the last page are shown, with their numbers.
    const begun = useRef(offset);
    if (!page.loading) begun.current = offset;
    const begin = begun.current;
    const shownRows = counted.value?.shown;
    const greatest = useMemo(() => columns.map((column) => (isMeasure(column) ? Math.max(0, ...rows.filter((row) => !whole?.test(row)).map((row) => Number(row[column.number] ?? 0))) : 0)), [rows, columns, whole]);
    // A typed text is requested when typing pauses.
    useEffect(() => {
        if (typed === (view.filter ?? "")) return undefined;
        const timer = setTimeout(() => change({ ...view, filter: typed, offset: "" }), 250);
        return () => clearTimeout(timer);
    }, [typed]);
    useEffect(() => setCurrent((before) => Math.min(before, Math.max(0, rows.length - 1))), [rows.length]);

    const sorted = /^(-?)(\d+)$/.exec(view.sort ?? "");
    const sortBy = (column) => {
        const first = isMeasure(column) ? "-" : "";
        const same = sorted && Number(sorted[2]) === column.number;
        change({ ...view, sort: same && sorted[1] === first ? `${first ? "" : "-"}${column.number}` : `${first}${column.number}`, offset: "" });
        if (isMeasure(column)) onMetric?.(column.number);
    };
    const move = (to) => change({ ...view, offset: to > 0 ? String(to) : "" });
    const choose = (at) => {
        if (at < 0 || at >= rows.length) return;
        setCurrent(at);
        onSelect?.(rows[at]);
        body.current?.rows[at]?.focus();
    };
    const onKey = (event, at) => {
        const copy = (event.ctrlKey || event.metaKey) && event.key === "c" && String(getSelection()) === "";
        const steps = {
            ArrowDown: () => choose(at + 1),
            ArrowUp: () => choose(at - 1),
            Home: () => choose(0),
            End: () => choose(rows.length - 1),
            Enter: () => choose(at),
            PageDown: () => offset + pageRows < (shownRows ?? 0) && move(offset + pageRows),
            PageUp: () => offset > 0 && move(Math.max(0, offset - pageRows)),
        };
        if (copy) copyAll();
        else if (!steps[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
        else steps[event.key]();
        event.preventDefault();
        event.stopPropagation();
    };
    const copyAll = () => copyRows(`/tables/${table.id}/rows${query({ ...asked, sort: view.sort, limit: mostCopied, totals: 0 })}`, columns, shownRows ?? 0, setSaid);
    const save = (form) => `${base}/export/tables/${table.id}.${form}${query({ ...asked, sort: view.sort })}`;

    const reason =
        table.rows === 0
            ? html`<${Notice} hint=${table.where ? `It shows only where: ${table.where}` : undefined}>Nothing was executed that this report shows.<//>`
            : shownRows === 0
              ? html`<${Notice} action=${html`<button onClick=${() => (range && onAll(), change({ ...view, filter: "", where: "", offset: "" }))}>Show all rows</button>`}>No row of ${integer(table.rows)} fits the filter.<//>`
              : null;
    return html`<div class="table-part">
        <div class="row table-tools">
            <input
                type="search"
                data-filter
                class="filter"
                placeholder="filter: name, file, > 1000"
                aria-label="Filter the rows; comparisons are of ${table.columns[metric]?.title ?? "nothing"}"
                value=${typed}
                onInput=${(event) => setTyped(event.target.value)}
            />
            <button class="small" aria-expanded=${String(faceted)} onClick=${() => setFaceted(!faceted)}>Values</button>
            <${Conditions} table=${table} where=${view.where ?? ""} remove=${(left) => change({ ...view, where: left, offset: "" })} />
            ${range && html`<button class="small chip" title="Show the rows of all times" onClick=${onAll}>${range.title} ×</button>`}
            <span class="spacer"></span>
            <span class="muted" role="status">${said}</span>
            <button class="small" onClick=${copyAll} title="As tab-separated text: for a spreadsheet">Copy</button>
            <${Save} list=${[["CSV", save("csv")], ["JSON", save("json")], ["Parquet", save("parquet")], ["rows, for atomc merge and diff", save("rows")]]} />
        </div>
        ${faceted && html`<${Facets} table=${table} merged=${merged} where=${where} find=${parsed.find} columns=${columns} add=${(number, value) => change({ ...view, where: joined(view.where, `${number}=${escaped(value ?? "")}`), offset: "" })} />`}
        <${ErrorNotice} error=${page.error ?? counted.error} again=${page.error ? page.reload : counted.reload} />
        ${reason ??
        html`<div class="table-scroll" tabindex="-1">
            <table class="plain rows named" aria-label="${table.tool}: ${table.report}" aria-rowcount=${shownRows ?? -1}>
                <thead>
                    <tr>
                        ${columns.map((column) => {
                            const here = sorted && Number(sorted[2]) === column.number;
                            return html`<th
                                scope="col"
                                class="${isNumber(column) ? "number" : ""} ${column.number === metric ? "metric" : ""} ${column === name ? "stuck" : ""}"
                                aria-sort=${here ? (sorted[1] ? "descending" : "ascending") : undefined}
                                title=${[column.unit, column.merge === "none" ? "several processes' or runs' values cannot be put together" : ""].filter(Boolean).join("; ") || undefined}
                            >
                                <button class="heading" onClick=${() => sortBy(column)}>${column.title}${here ? (sorted[1] ? " ▾" : " ▴") : ""}</button>
                            </th>`;
                        })}
                    </tr>
                </thead>
                <tbody ref=${body}>
                    ${rows.map(
                        (row, at) => html`<tr
                            key=${at}
                            tabindex=${at === current ? 0 : -1}
                            aria-selected=${String(Boolean(selected?.(row)))}
                            aria-rowindex=${begin + at + 1}
                            onClick=${() => choose(at)}
                            onKeyDown=${(event) => onKey(event, at)}
                        >
                            ${columns.map((column, index) => {
                                const value = row[column.number];
                                const part = isMeasure(column) && !whole?.test(row) && greatest[index] > 0 && (column.merge === "share" || column.number === metric) ? (100 * Number(value ?? 0)) / greatest[index] : 0;
                                const path = column.type === "text" && /^\/.*\/./.test(value ?? "") && value;
                                return html`<td
                                    class="${isNumber(column) ? "number" : ""} ${part > 0 ? "bar" : ""} ${column.type === "address" ? "mono" : ""} ${column.type === "text" ? "text" : ""} ${column === name ? "stuck" : ""}"
                                    style=${part > 0 ? { "--part": `${part}%` } : undefined}
                                    data-brief=${column.type === "text" ? "" : undefined}
                                    title=${path || (column.type === "text" ? bothNames(value) : undefined)}
                                >
                                    ${path ? baseName(value) : shown(column, value)}
                                </td>`;
                            })}
                        </tr>`,
                    )}
                </tbody>
                ${summed.value?.totals &&
                html`<tfoot>
                    <tr>
                        ${columns.map((column, index) => {
                            const total = summed.value.totals[column.number];
                            return html`<td class="${isNumber(column) ? "number" : ""} ${column === name ? "stuck" : ""}">
                                ${total !== null && total !== undefined && !isInclusive(column) ? (extremes[column.merge] ? html`<span class="muted" title="No sum: the ${column.merge} value of these rows">${extremes[column.merge]}</span> ${shown(column, total)}` : shown(column, total)) : index === columns.findIndex((one) => !isMeasure(one)) ? `total, ${plural(summed.value.shown, "row")}${hasWhole ? " without 'all'" : ""}` : ""}
                            </td>`;
                        })}
                    </tr>
                </tfoot>`}
            </table>
            ${page.loading && rows.length === 0 && html`<${Waiting} />`}
        </div>`}
        ${shownRows > pageRows &&
        html`<nav class="row pager" aria-label="Pages">
            <button class="small" disabled=${offset === 0} onClick=${() => move(0)}>First</button>
            <button class="small" disabled=${offset === 0} onClick=${() => move(Math.max(0, offset - pageRows))}>Back</button>
            <span>${integer(begin + 1)}–${integer(Math.min(begin + pageRows, shownRows))} of ${integer(shownRows)}${shownRows < table.rows && !merged ? html`<span class="muted"> (${integer(table.rows)} without the filter)</span>` : ""}</span>
            <button class="small" disabled=${offset + pageRows >= shownRows} onClick=${() => move(offset + pageRows)}>Next</button>
            <button class="small" disabled=${offset + pageRows >= shownRows} onClick=${() => move(Math.floor((shownRows - 1) / pageRows) * pageRows)}>Last</button>
        </nav>`}
    </div>`;
}
