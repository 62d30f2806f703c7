// markdown.js: the project's documentation as elements. Only the Markdown that docs/ uses is supported. All text is
// escaped.
import { html } from "../lib/preact.js";

/** The anchor of a heading, as code hosts make it. */
export const anchor = (text) =>
    text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-");

/** Text with `code`, **strong**, *emphasis*, [links](to) and ![pictures](of). link(to) and picture(of) return their
    addresses. */
function inline(text, places) {
    const parts = [];
    const pattern = /(`+)(.+?)\1(?!`)|!\[([^\]]*)\]\(([^)]*)\)|\[((?:`[^`]*`|[^\]])*)\]\(([^)]*)\)|\*\*(.+?)\*\*|\*([^\s*](?:[^*]*[^\s*])?)\*|\\([!-/:-@[-`{-~])|<(https?:[^>]*)>/gs;
    let end = 0;
    for (const found of text.matchAll(pattern)) {
        const [whole, , code, alternative, picture, words, to, strong, emphasis, escaped, bare] = found;
        if (found.index > end) parts.push(text.slice(end, found.index));
        end = found.index + whole.length;
        if (code !== undefined) parts.push(html`<code>${code}</code>`);
        else if (picture !== undefined) parts.push(html`<img src=${places.picture(picture)} alt=${alternative.replace(/\s+/g, " ")} />`);
        else if (to !== undefined) parts.push(link(inline(words, places), places.link(to)));
        else if (strong !== undefined) parts.push(html`<strong>${inline(strong, places)}</strong>`);
        else if (emphasis !== undefined) parts.push(html`<em>${inline(emphasis, places)}</em>`);
        else if (escaped !== undefined) parts.push(escaped);
        else parts.push(link([bare], bare));
    }
    if (end < text.length) parts.push(text.slice(end));
    return parts;
}

// Links out of the workbench open in a new window, and only when clicked.
const link = (words, to) =>
    to === null ? html`<span>${words}</span>` : /^https?:/.test(to) ? html`<a href=${to} target="_blank" rel="noreferrer">${words}</a>` : html`<a href=${to}>${words}</a>`;

const cells = (line) =>
    line
        .trim()
        .replace(/^\||\|$/g, "")
        .split(/(?<!\\)\|(?=(?:[^`]*`[^`]*`)*[^`]*$)/)
        .map((cell) => cell.trim().replaceAll("\\|", "|"));

const item = /^( *)([-*+]|\d+[.)]) +/;

/** Lines as blocks; also collects the headings. */
function blocks(lines, places, headings) {
    const made = [];
    for (let at = 0; at < lines.length; ) {
        const line = lines[at];
        const heading = /^(#{1,6}) +(.*?) *#*$/.exec(line);
        const fence = /^ *(```+|~~~+)/.exec(line);
        if (line.trim() === "") at++;
        else if (line.startsWith("<!--")) {
            while (at < lines.length && !lines[at].includes("-->")) at++;
            at++;
        } else if (heading) {
            const [, marks, words] = heading;
            const id = anchor(words.replaceAll(/`|\[|\]\([^)]*\)/g, ""));
            headings.push({ level: marks.length, id, words: words.replaceAll("`", "") });
            made.push(html`<${`h${marks.length}`} id=${`doc-${id}`} tabindex="-1">${inline(words, places)}<//>`);
            at++;
        } else if (fence) {
            const close = lines.findIndex((other, index) => index > at && other.trim() === fence[1]);
            const end = close < 0 ? lines.length : close;
            made.push(html`<pre tabindex="0">${lines.slice(at + 1, end).join("\n")}</pre>`);
            at = end + 1;
        } else if (line.startsWith("    ")) {
            let end = at;
            while (end < lines.length && (lines[end].startsWith("    ") || lines[end].trim() === "")) end++;
            made.push(html`<pre tabindex="0">${lines.slice(at, end).map((one) => one.slice(4)).join("\n").trimEnd()}</pre>`);
            at = end;
        } else if (line.trimStart().startsWith("|") && /^ *\|[\s|:-]+$/.test(lines[at + 1] ?? "")) {
            const heads = cells(line);
            const right = cells(lines[at + 1]).map((cell) => cell.endsWith(":"));
            let end = at + 2;
            while (end < lines.length && lines[end].trimStart().startsWith("|")) end++;
            const kind = (index) => (right[index] ? "number" : undefined);
            made.push(html`<div class="wide">
                <table class="plain">
                    <thead>
                        <tr>${heads.map((head, index) => html`<th scope="col" class=${kind(index)}>${inline(head, places)}</th>`)}</tr>
                    </thead>
                    <tbody>
                        ${lines.slice(at + 2, end).map((row) => html`<tr>
                            ${cells(row).map((cell, index) => html`<td class=${kind(index)}>${inline(cell, places)}</td>`)}
                        </tr>`)}
                    </tbody>
                </table>
            </div>`);
            at = end;
        } else if (item.test(line)) {
            const numbered = /^ *\d/.test(line);
            const depth = item.exec(line)[1].length;
            const items = [];
            while (at < lines.length) {
                const head = item.exec(lines[at]);
                if (!head || head[1].length > depth) break;
                const inner = [lines[at].slice(head[0].length)];
                at++;
                while (at < lines.length && (lines[at].startsWith(" ".repeat(depth + 2)) || (lines[at].trim() === "" && /^ {2,}\S/.test(lines[at + 1] ?? "")) || (inner.at(-1) !== "" && lines[at].trim() !== "" && !item.test(lines[at]) && !lines[at].startsWith("#")))) {
                    inner.push(lines[at].replace(new RegExp(`^ {0,${head[0].length}}`), ""));
                    at++;
                }
                const content = blocks(inner, places, headings);
                items.push(html`<li>${content.length === 1 && content[0].type === "p" ? content[0].props.children : content}</li>`);
                while (at < lines.length && lines[at].trim() === "" && item.test(lines[at + 1] ?? "")) at++;
            }
            made.push(numbered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`);
        } else {
            let end = at + 1;
            while (end < lines.length && lines[end].trim() !== "" && !/^(#{1,6} |```|\|)/.test(lines[end].trimStart()) && !item.test(lines[end])) end++;
            made.push(html`<p>${inline(lines.slice(at, end).join("\n"), places)}</p>`);
            at = end;
        }
    }
    return made;
}

/** { elements, headings: [{ level, id, words }] }; places has link(to), which may answer null, and picture(of). */
export function markdown(text, places) {
    const headings = [];
    return { elements: blocks(text.split("\n"), places, headings), headings };
}
