// tools.js: the tools by group, and the page of one tool: its description, a sample of its output, its parameters and
// reports. State: tool (its name, PACKAGE/NAME if it is in a package), packages (1: these are shown), find (the
// search), program (to be run with it).
import { address } from "../address.js";
import { useGet } from "../api.js";
import { aboutOf, grouped, toolName, toolPath } from "../groups.js";
import { quote, useCommand } from "../parts/command.js";
import { isFile } from "../parts/form.js";
import { ErrorNotice, Notice, Waiting } from "../parts/notice.js";
import { Packages } from "../parts/packages.js";
import { html, useMemo, useState } from "../lib/preact.js";
import { screens } from "../screens.js";

const can_run = screens.some((screen) => screen.name === "run");

function Badges({ tool }) {
    return html`${tool.has_c ? html`<span class="chip" title="its analysis routines are in C">C</span>` : html`<span class="chip" title="its page of .atd is all of it">no C</span>`}
    ${tool.runs_host_code && html` <span class="chip warning" title="it has C that runs inside of atomc, with your rights">runs C in atomc</span>`}`;
}

/** The tools of its package; each is a link to a run with the tool. */
function PresetList({ name, presets, program }) {
    if (presets.length === 0) return null;
    const chosen = (preset) => Object.fromEntries(Object.entries(preset.parameters).map(([key, value]) => [`${name}.${key}`, String(value)]));
    return html`<h3>Presets</h3>
        <ul>
            ${presets.map((preset) => html`<li>
                ${can_run ? html`<a href=${address("run", { program, tools: name, ...chosen(preset) })}>${preset.name}</a>` : preset.name}${" "}
                <span class="mono muted">${Object.entries(preset.parameters).map(([key, value]) => `${key}=${value}`).join(" ")}</span>
            </li>`)}
        </ul>`;
}

/** The page and its C, from their files; requested when they are opened. */
function Source({ name }) {
    const [open, setOpen] = useState(false);
    const { value, error, reload } = useGet(open ? `/sources?tool=${encodeURIComponent(name)}` : null);
    return html`<details class="tool-source" onToggle=${(event) => setOpen(event.target.open)}>
        <summary><h3>Source</h3></summary>
        <${ErrorNotice} error=${error} again=${reload} />
        ${open && !value && !error && html`<${Waiting} />`}
        ${(value?.files ?? []).map((file) => html`<h4 class="mono">${file.name}</h4>
            <pre class="output" tabindex="0">${file.text}</pre>`)}
        ${value && html`<p><a href=${address("author", { tool: name })}>Write a tool that begins as a copy of it</a></p>`}
    </details>`;
}

function Tool({ name, state }) {
    const { value, error, loading, reload } = useGet(toolPath(name));
    const tool = value && aboutOf(value, name);
    if (error) return html`<${ErrorNotice} error=${error} again=${reload} />`;
    if (!tool || loading) return html`<${Waiting} />`;
    if (tool.error) return html`<${ErrorNotice} error=${tool.error} />`;
    const { heading, parameters, reports } = tool;
    const of_files = parameters.filter(isFile);
    return html`<div class="stack tool">
        <div class="row">
            <h2>${name}</h2>
            <${Badges} tool=${tool} />
            <span class="spacer" />
            ${can_run && html`<a class="button primary" href=${address("run", { program: state.program, tools: name })}>Run this tool</a>`}
        </div>
        <p>${tool.description}</p>
        ${heading?.output && html`<h3>What it reports</h3><p class="prose">${heading.output}</p>`}
        ${heading?.sample &&
        html`<h3>A sample</h3>
            <pre class="output" tabindex="0">${heading.sample}</pre>`}
        <h3>Parameters</h3>
        ${parameters.length === of_files.length
            ? html`<p class="muted">None, but for the names of files.</p>`
            : html`<table class="plain">
                  <thead>
                      <tr>
                          <th scope="col">Name</th>
                          <th scope="col">Default</th>
                          <th scope="col">Meaning</th>
                      </tr>
                  </thead>
                  <tbody>
                      ${parameters.filter((one) => !isFile(one)).map((one) => html`<tr>
                          <td class="mono">${one.name}</td>
                          <td class="mono">${String(one.default)}</td>
                          <td>${one.help}${one.check_text && html`<span class="muted">; ${one.check_text}</span>`}</td>
                      </tr>`)}
                  </tbody>
              </table>`}
        <${PresetList} name=${name} presets=${tool.presets ?? []} program=${state.program} />
        <h3>Reports</h3>
        ${reports.length === 0
            ? html`<p class="muted">Its C makes them: the sample shows the columns.</p>`
            : reports.map((report) => html`<table class="plain">
                  <caption>
                      ${report.file}
                  </caption>
                  <thead>
                      <tr>
                          <th scope="col">Column</th>
                          <th scope="col">Type</th>
                          <th scope="col">In merged runs</th>
                      </tr>
                  </thead>
                  <tbody>
                      ${(report.columns ?? []).map((column) => html`<tr>
                          <td>${column.title}</td>
                          <td>${column.type}${column.unit ? `, ${column.unit}` : ""}</td>
                          <td>${merges[column.merge] ?? column.merge}</td>
                      </tr>`)}
                  </tbody>
              </table>`)}
        <${Source} name=${name} />
    </div>`;
}

// How the values of a column are combined when runs are merged (docs/json.md).
const merges = { same: "the same", sum: "the sum", least: "the least", greatest: "the greatest", share: "computed anew", ratio: "computed anew", none: "not shown" };

export default function Tools({ state, change }) {
    const { value, error, reload } = useGet("/tools");
    const find = (state.find ?? "").toLowerCase();
    const all = value?.tools ?? [];
    const shown = useMemo(() => grouped(all.filter((tool) => `${toolName(tool)} ${tool.description} ${tool.about ?? ""}`.toLowerCase().includes(find))), [value, find]);
    const project = useGet("/project");
    const tools = `${project.value?.path}/tools`;
    const shown_tool = all.find((tool) => toolName(tool) === state.tool);
    const environment = shown_tool?.path?.startsWith(`${tools}/`) ? `${project.value.packages} ` : "";
    useCommand(state.packages ? project.value && `${project.value.packages} atomc package list` : state.tool ? `${environment}atomc --help -t ${quote(state.tool)}` : "atomc --list");
    const without = all.filter((tool) => !tool.has_c).length;
    return html`<h1 class="hidden">Tools</h1>
        <div class="tools columns">
            <nav class="pane" aria-label="Tools">
                <div class="head">
                    <a class="button" href=${address("tools", { ...state, tool: undefined, packages: 1 })} aria-current=${state.packages ? "page" : undefined} title="Packages of tools, and the gallery">Packages …</a>
                    <input
                        data-filter
                        type="search"
                        placeholder="Search names and help (/)"
                        aria-label="Search names, descriptions and help"
                        value=${state.find ?? ""}
                        onInput=${(event) => change({ ...state, find: event.target.value }, { replace: true })}
                    />
                </div>
                <div class="body">
                    <${ErrorNotice} error=${error} again=${reload} />
                    ${!value && !error && html`<${Waiting} />`}
                    ${value && shown.length === 0 && html`<${Notice} hint=${find ? "Search for another word." : undefined}>${find ? `No tool's name, description or help has '${find}'.` : "atomc has no tools here."}<//>`}
                    ${shown.map((group) => html`<h3>${group.title}</h3>
                        <ul>
                            ${group.tools.map((tool) => html`<li>
                                <a href=${address("tools", { ...state, packages: undefined, tool: toolName(tool) })} aria-current=${!state.packages && state.tool === toolName(tool) ? "page" : undefined}>
                                    <b>${tool.name}</b> <span>${tool.description}</span>
                                </a>
                            </li>`)}
                        </ul>`)}
                    ${value?.diagnostics?.filter((one) => one.severity === "error").map((one) => html`<${Notice} kind="error" hint="${one.file}:${one.line}:${one.column}">${one.message}<//>`)}
                    ${value && html`<p class="muted">${without} of ${all.length} have no C.</p>`}
                </div>
            </nav>
            <section class="pane" aria-label="The tool">
                <div class="body">
                    ${state.packages
                        ? html`<${Packages} state=${state} changed=${reload} />`
                        : state.tool
                        ? html`<${Tool} key=${state.tool} name=${state.tool} state=${state} />`
                        : html`<${Notice}>Choose a tool on the left: its purpose, a sample of its report, and its parameters are shown here.<//>`}
                </div>
            </section>
        </div>`;
}
