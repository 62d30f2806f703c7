// coverage.js: the lines that were executed, and those that never were, by folder, file and procedure: of the files in lcov's format that a run left.
//     useCoverage(run, process) -> { files, tree, lines, error, loading } or null: the run left no such file
//     Coverage({ coverage, active, onChoose(node) })
import { base } from "../api.js";
import { coverageTree, isTrace, lineCounts, readTrace } from "./coverage_data.js";
import { fixed, integer } from "./format.js";
import { bothNames, shortName } from "./names.js";
import { ErrorNotice, Notice, Waiting } from "./notice.js";
import { html, useEffect, useMemo, useRef, useState } from "../lib/preact.js";

const mostRows = 1000;

/** Files that the user has requested from the tool coverage, or that have a name in lcov's form. Files of several
    processes, of all, or of one. */
export function traceFiles(run, process) {
    const named = (run.tools ?? []).filter((tool) => tool.name === "coverage").map((tool) => (tool.parameters ?? []).find((one) => one.name === "out")?.value ?? "coverage.out");
    return (run.artifacts ?? []).filter((file) => (named.includes(file.name) || file.name.endsWith(".info")) && (!process || String(file.process) === String(process)));
}

/** The files are read when they are opened. */
export function useCoverage(run, process, wanted) {
    const paths = traceFiles(run, process).map((file) => file.path);
    const key = wanted ? paths.join("\n") : "";
    const [state, setState] = useState({ key: "" });
    useEffect(() => {
        if (key === "") return undefined;
        const control = new AbortController();
        const read = (path) =>
            fetch(`${base}/runs/${run.id}/files/${encodeURIComponent(path)}`, { signal: control.signal }).then((answer) => {
                if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
                return answer.text();
            });
        Promise.all(key.split("\n").map(read)).then(
            (texts) => {
                const files = texts.filter(isTrace).reduce((all, text) => readTrace(text, all), new Map());
                setState({ key, files, tree: coverageTree(files), lines: lineCounts(files) });
            },
            (error) => error.name === "AbortError" || setState({ key, error }),
        );
        return () => control.abort();
    }, [key]);
    if (paths.length === 0) return null;
    return state.key === key && key !== "" ? state : { loading: true };
}

/** The first procedure of the list: of the file with the lowest coverage, the one of which least was executed. */
export function firstCovered(tree) {
    let node = tree;
    while (node && node.kind !== "procedure") node = node.children[0];
    return node;
}

function Part({ what, of: [hit, all], bar }) {
    // The share and its fraction stand below those of other rows.
    const share = all > 0 ? (100 * hit) / all : 0;
    return html`<td class="number coverage-part" title=${all > 0 ? `${integer(all - hit)} of ${integer(all)} ${what} never executed` : `no ${what}`}>
        ${all > 0 && bar && html`<span class="coverage-bar" style="--share: ${share}%"></span><span>${fixed(share, 1)} %</span>`}
        ${all > 0 && html`<span class="muted">${integer(hit)} / ${integer(all)}</span>`}
    </td>`;
}

export function Coverage({ coverage, active, onChoose }) {
    const { tree } = coverage;
    const [opened, setOpened] = useState(null);
    const [current, setCurrent] = useState(0);
    const body = useRef();
    // At first the folders are open, if they are few, and the file with the lowest coverage.
    const open = useMemo(() => {
        if (opened) return opened;
        const first = new Set();
        const folders = tree ? [tree] : [];
        for (const node of folders) folders.push(...node.children.filter(({ kind }) => kind === "folder"));
        if (folders.length <= 12) folders.forEach((node) => first.add(node));
        for (let node = tree; node && node.kind !== "procedure"; node = node.children[0]) first.add(node);
        return first;
    }, [opened, tree]);
    const rows = useMemo(() => {
        const list = [];
        const put = (node, level) => {
            if (list.length > mostRows) return;
            list.push({ node, level });
            if (open.has(node)) node.children.forEach((child) => put(child, level + 1));
        };
        if (tree) (tree.name === "" ? tree.children : [tree]).forEach((node) => put(node, 0));
        return list;
    }, [tree, open]);
    if (coverage.error) return html`<${ErrorNotice} error=${coverage.error} />`;
    if (!tree) return html`<${Waiting}>Reading what was covered …<//>`;
    if (coverage.files.size === 0) return html`<${Notice} hint="Compile with -g. The tool's parameter source chooses files by a pattern.">No source line of this program is known: nothing can be covered.<//>`;
    const shown = rows.slice(0, mostRows);
    const toggle = (node, wanted) => {
        const after = new Set(open);
        if (wanted) after.add(node);
        else after.delete(node);
        setOpened(after);
    };
    const choose = (at) => {
        if (!shown[at]) return;
        setCurrent(at);
        body.current?.rows[at]?.focus();
        const { node } = shown[at];
        const procedure = node.kind === "file" ? node.children[0] : node;
        if (procedure?.kind === "procedure") onChoose?.(procedure);
    };
    const onKey = (event, at) => {
        const { node, level } = shown[at];
        const inner = node.children.length > 0;
        const parent = shown.slice(0, at).map((one) => one.level).lastIndexOf(level - 1);
        const steps = {
            ArrowDown: () => choose(at + 1),
            ArrowUp: () => choose(at - 1),
            Home: () => choose(0),
            End: () => choose(shown.length - 1),
            ArrowRight: () => (inner && !open.has(node) ? toggle(node, true) : choose(at + 1)),
            ArrowLeft: () => (inner && open.has(node) ? toggle(node, false) : choose(parent)),
            Enter: () => choose(at),
        };
        if (!steps[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        event.stopPropagation();
        steps[event.key]();
    };
    const digits = Math.max(1, ...shown.map(({ node }) => 2 * integer(node.lines[1]).length + 3));
    return html`<div class="coverage-table" style=${{ "--fraction": `${digits}ch` }}>
        <table class="plain" role="treegrid" aria-label="Coverage">
            <thead>
                <tr>
                    <th scope="col">Folder, file, procedure</th>
                    <th scope="col" class="number">Lines</th>
                    <th scope="col" class="number">Procedures</th>
                    <th scope="col" class="number">Branches</th>
                </tr>
            </thead>
            <tbody ref=${body}>
                ${shown.map(({ node, level }, at) => {
                    const inner = node.children.length > 0;
                    const isActive = node.kind === "procedure" && node.name === active;
                    return html`<tr key=${`${node.kind} ${node.file ?? ""} ${node.name} ${at}`} aria-level=${level + 1} aria-expanded=${inner ? String(open.has(node)) : undefined} aria-selected=${String(isActive)} tabindex=${at === Math.min(current, shown.length - 1) ? 0 : -1} onClick=${() => choose(at)} onKeyDown=${(event) => onKey(event, at)}>
                        <td style=${{ paddingLeft: `${8 + 14 * level}px` }} title=${node.kind === "procedure" ? `${bothNames(node.name)}\n${node.count > 0 ? `× ${integer(node.count)}` : "never called"}` : (node.file ?? node.name)} class="${node.kind === "procedure" && node.count === 0 ? "never" : ""}">
                            <span
                                class="twist"
                                onClick=${(event) => {
                                    if (!inner) return;
                                    event.stopPropagation();
                                    toggle(node, !open.has(node));
                                }}
                                >${inner ? (open.has(node) ? "▾" : "▸") : ""}</span
                            >${node.kind === "procedure" ? shortName(node.name) : node.name}${node.kind === "procedure" ? html` <span class="muted">${node.count > 0 ? `× ${integer(node.count)}` : "never called"}</span>` : ""}
                        </td>
                        <${Part} what="lines" of=${node.lines} bar=${true} />
                        <${Part} what="procedures" of=${node.kind === "procedure" ? [0, 0] : node.procedures} />
                        <${Part} what="outcomes of branches" of=${node.branches} />
                    </tr>`;
                })}
            </tbody>
        </table>
        ${rows.length > mostRows && html`<${Notice}>The first ${integer(mostRows)} rows are shown: close some.<//>`}
    </div>`;
}
