// pages.js: for pages.sh: each page is shown in a frame; when it is there, an action is done in it, and what the page then says is put
// into this document as files: a line "@file FRAME.NAME" and lines of text.

// The cells of a row, with numbers without commas; in a tree, the last cell begins with the row's depth.
function text(element) {
    const depth = element.style.getPropertyValue("--d");
    return (depth && depth + " ") + element.textContent.replace(/\s+/g, " ").replace(/(\d),(?=\d{3})/g, "$1").trim();
}
const cells = row => [...row.querySelectorAll("td")].map(text);
const join = parts => parts.join("\t").replace(/[ \t]*$/, "");

// Rows that are to be seen, without titles.
function rows(table) {
    return [...table.rows].filter(row => row.querySelector("td") && !row.hidden).map(row => join(cells(row)));
}

// The calls that procedures' sections show as callers' or callees': caller, callee, times, the rest of the row.
function calls(document, title) {
    const all = [];
    for (const section of document.querySelectorAll("section[id^=p]"))
        for (const table of section.querySelectorAll("table"))
            if (text(table.tHead.rows[0].lastElementChild) === title)
                for (const row of table.tBodies[0].rows) {
                    const name = text(section.querySelector("h3")), numbers = cells(row), other = numbers.pop();
                    if (other !== "no caller")
                        all.push(join([...(title === "Calls" ? [name, other] : [other, name]), ...numbers]));
                }
    return all.sort();
}

// Links that do not lead to one place in the document, and what else is asked for.
function wrong(document) {
    const places = [...document.querySelectorAll("[id]")].map(place => "#" + place.id);
    const links = [...document.querySelectorAll("[href]")].map(link => link.getAttribute("href"));
    const known = new Set(places), markup = document.documentElement.outerHTML;
    return [
        ...(links.length && document.querySelector("h2[id$='-']") ? [] : ["no links or headings"]),
        ...links.filter(link => !known.has(link)),
        ...(known.size < places.length ? ["places of the same name"] : []),
        ...(markup.match(/<[a-z]+ [^>]*(src|srcset|data|action|poster)="|@import|url\([^)]*\)|<link|<iframe|<object|https?:\/\//g) || []),
    ];
}

const titles = (document, table) => [...document.querySelectorAll(`#${table} thead th`)];
const actions = {
    // Requests but that for the file, and fonts.
    requests: (window, document) => window.performance.getEntriesByType("resource").length + " " + document.fonts.size,
    // Lines of source that keep their blanks.
    blanks: (window, document) =>
        [...document.querySelectorAll("pre span")].filter(span => window.getComputedStyle(span).whiteSpace === "pre").length,
    // Rows that are folded under main.
    fold: (window, document) => {
        const all = [...document.querySelectorAll("#thread1 tbody tr")];
        all.find(row => text(row.lastElementChild).endsWith(" main")).lastElementChild.click();
        return all.filter(row => row.hidden).length + " of " + all.length;
    },
    // The column that is said to be sorted.
    sorted: (window, document) => titles(document, "procedures").findIndex(title => title.ariaSort === "descending") + 1,
    click: (window, document, column) => {
        titles(document, "procedures")[column - 1].click();
        return window.location.hash;
    },
    twice: (window, document, column) => {
        titles(document, "procedures")[column - 1].click();
        return actions.click(window, document, column);
    },
};

function shown(frame, action, ...words) {
    const window = frame.contentWindow, document = window.document;
    const said = action ? actions[action](window, document, ...words) : "", lines = [];
    const put = (name, all) => lines.push(`@file ${frame.name}.${name}`, ...all);
    put("said", [said]);
    for (const table of document.querySelectorAll("table[id]")) put(table.id, rows(table));
    put("callers", calls(document, "Called by"));
    put("callees", calls(document, "Calls"));
    put("counts", [...document.querySelectorAll("pre span[id^=f]")].map(text));
    put("never", [...document.querySelectorAll("pre span.u")].map(line => line.id.replace(/.*-/, "")));
    put("source", [[...document.querySelectorAll(".source pre")].map(pre => pre.textContent).join("").trimEnd()]);
    put("wrong", wrong(document));
    const result = document.createElement("pre");
    result.textContent = "\n" + lines.join("\n") + "\n";
    self.document.body.append(result);
}
