// help.js: the project's own documentation. State: page (a file of docs/), part (the anchor of a heading).
import { address } from "../address.js";
import { markdown } from "../parts/markdown.js";
import { ErrorNotice, Notice, Waiting } from "../parts/notice.js";
import { html, useEffect, useMemo, useRef, useState } from "../lib/preact.js";

function useText(path) {
    const [result, setResult] = useState({});
    useEffect(() => {
        if (!path) return undefined;
        const control = new AbortController();
        fetch(path, { signal: control.signal })
            .then(async (response) => {
                if (!response.ok) throw new Error(response.status === 404 ? `there is no page ${path}` : `${path}: ${response.status}`);
                setResult({ path, text: await response.text() });
            })
            .catch((error) => error.name === "AbortError" || setResult({ path, error }));
        return () => control.abort();
    }, [path]);
    return result.path === path ? result : {};
}

/** The target of a page's relative reference: a file of docs/, with its anchor. */
function resolve(page, to) {
    const [file, part = ""] = to.split("#");
    if (file === "") return { page, part };
    const path = new URL(file, `http://docs/docs/${page}`).pathname.slice(1);
    return { page: path.startsWith("docs/") ? path.slice("docs/".length) : null, part };
}

export default function Help({ state }) {
    const { text: listed, error: unlisted } = useText("/web/contents.json");
    const contents = useMemo(() => (listed ? JSON.parse(listed) : []), [listed]);
    const page = state.page ?? contents[0]?.page ?? "";
    const { text, error } = useText(/^[\w/-]+\.md$/.test(page) ? `/docs/${page}` : null);
    const [filter, setFilter] = useState("");
    const article = useRef();

    const { elements, headings } = useMemo(() => {
        const known = new Set(contents.map((entry) => entry.page));
        const link = (to) => {
            if (/^https?:/.test(to)) return to;
            const there = resolve(page, to);
            return there.page !== null && known.has(there.page) ? address("help", there) : null;
        };
        return text === undefined ? { elements: [], headings: [] } : markdown(text, { link, picture: (of) => `/docs/${resolve(page, of).page}` });
    }, [text, page, contents]);

    useEffect(() => {
        if (text === undefined) return;
        const heading = state.part && document.getElementById(`doc-${state.part}`);
        if (heading) heading.scrollIntoView();
        else article.current?.scrollTo(0, 0);
    }, [elements, state.part]);

    const shown = contents.filter((entry) => `${entry.title} ${entry.page}`.toLowerCase().includes(filter.toLowerCase()));
    return html`<h1 class="hidden">Help</h1>
        <div class="help columns">
            <nav class="pane" aria-label="Pages">
                <div class="head">
                    <input data-filter type="search" placeholder="Filter pages" aria-label="Filter pages" value=${filter} onInput=${(event) => setFilter(event.target.value)} />
                </div>
                <div class="body">
                    ${unlisted && html`<${ErrorNotice} error=${unlisted} />`}
                    ${contents.length > 0 && shown.length === 0 && html`<${Notice}>No page's title has '${filter}'.<//>`}
                    <ul>
                        ${shown.map((entry) => html`<li class=${entry.page.includes("/") ? "inner" : undefined}>
                            <a href=${address("help", { page: entry.page })} aria-current=${entry.page === page ? "page" : undefined}>${entry.title}</a>
                            ${entry.page === page &&
                            headings.length > 1 &&
                            html`<ul>
                                ${headings.filter((heading) => heading.level === 2).map((heading) => html`<li>
                                    <a href=${address("help", { page, part: heading.id })}>${heading.words}</a>
                                </li>`)}
                            </ul>`}
                        </li>`)}
                    </ul>
                </div>
            </nav>
            <article class="pane" ref=${article} tabindex="0" aria-label="Page">
                ${error && html`<${ErrorNotice} error=${error} />`} ${!error && text === undefined && html`<${Waiting} />`}
                <div class="document">${elements}</div>
            </article>
        </div>`;
}
