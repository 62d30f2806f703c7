// main.js: the frame of every page: the rail with the screens, the screen that the address names, and the footer with its shell command.
import { address, go, parse, watch } from "./address.js";
import { server } from "./api.js";
import { CopyButton, FooterCommand } from "./parts/command.js";
import { ErrorNotice, Notice, Waiting } from "./parts/notice.js";
import { SaveScreen } from "./parts/saved.js";
import { Component, html, render, useCallback, useEffect, useLayoutEffect, useRef, useState } from "./lib/preact.js";
import { screens } from "./screens.js";

/** An exception in a screen is shown in the screen; the rest of the page continues to work. */
class Guard extends Component {
    constructor() {
        super();
        this.state = { error: null };
    }
    componentDidCatch(error) {
        console.error(error);
        this.setState({ error });
    }
    render({ children }, { error }) {
        return error ? html`<${Notice} kind="error" hint="This is a fault of the workbench. Reload the page.">${String(error)}<//>` : children;
    }
}

// Who follows something begins to in a layout effect: what changes between the first drawing and a later effect would be missed.
function useAddress() {
    const [there, setThere] = useState(parse);
    useLayoutEffect(() => watch(() => setThere(parse())), []);
    return there;
}

function useServer() {
    const [state, setState] = useState({ there: server.there, busy: false });
    useLayoutEffect(() => {
        const changed = () => setState({ there: server.there, busy: server.waiting > 0 });
        server.addEventListener("change", changed);
        return () => server.removeEventListener("change", changed);
    }, []);
    return state;
}

/** Each screen is fetched when it is first shown. */
function Shown({ screen, state }) {
    const [loaded, setLoaded] = useState({});
    useEffect(() => {
        let current = true;
        screen.load().then(
            (module) => current && setLoaded({ name: screen.name, Screen: module.default }),
            (error) => current && setLoaded({ name: screen.name, error }),
        );
        return () => (current = false);
    }, [screen.name]);
    // An answer that comes after the user has left the screen does not lead back to it.
    const change = useCallback((next, options) => (parse().screen || screens[0].name) === screen.name && go(screen.name, next, options), [screen.name]);
    if (loaded.name !== screen.name) return html`<${Waiting} />`;
    if (loaded.error) return html`<${ErrorNotice} error=${loaded.error} />`;
    return html`<${loaded.Screen} state=${state} change=${change} />`;
}

const typing = (target) => target.closest?.("input, textarea, select, [contenteditable=true], .cm-editor");

/** Digits go to the screens, / to the filter of the page, ? to the help on keys. */
function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || typing(event.target)) return;
    const chosen = /^[0-9]$/.test(event.key) && screens[(Number(event.key) + 9) % 10]; // 0 is the tenth
    const filter = event.key === "/" && /** @type {HTMLElement} */ (document.querySelector("main [data-filter]"));
    if (chosen) go(chosen.name);
    else if (filter) filter.focus();
    else if (event.key === "?") go("help", { page: "workbench.md", part: "keyboard" });
    else return;
    event.preventDefault();
}

function Rail({ current }) {
    const item = (screen, number) => html`<li>
        <a href=${address(screen.name)} aria-current=${screen === current ? "page" : undefined} title="${screen.title} (key ${number})">
            ${screen.icon}<span>${screen.title}</span>
        </a>
    </li>`;
    const part = (below) => html`<ul>
        ${screens.map((screen, index) => (!screen.linked && Boolean(screen.below) === below ? item(screen, (index + 1) % 10) : null))}
    </ul>`;
    return html`<nav class="rail" aria-label="Screens">${part(false)}${part(true)}</nav>`;
}

function Footer({ command }) {
    return html`<footer>
        ${command
            ? html`<span aria-hidden="true">$</span><code title=${command} tabindex="0" aria-label="shell command">${command}</code><${CopyButton} text=${command} />`
            : html`<span class="muted">The command line can do everything: the command of what is shown stands here.</span><span class="spacer"></span>`}
        <${SaveScreen} />
    </footer>`;
}

function Page() {
    const { screen: name, state } = useAddress();
    const { there, busy } = useServer();
    const [command, setCommand] = useState(undefined);
    const main = useRef();
    const screen = name === "" ? screens[0] : screens.find((one) => one.name === name);
    useEffect(() => {
        document.title = `${screen ? screen.title : "?"} – atomc workbench`;
        document.documentElement.dataset.screen = screen?.name ?? "";
    }, [screen]);
    useEffect(() => {
        addEventListener("keydown", onKey);
        return () => removeEventListener("keydown", onKey);
    }, []);
    const skip = (event) => {
        event.preventDefault();
        main.current.focus();
    };
    return html`<${FooterCommand.Provider} value=${setCommand}>
        <a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
        <${Rail} current=${screen} />
        <main id="main" ref=${main} tabindex="-1">
            ${!there &&
            html`<${Notice} kind="error" hint="Start it again: atomc workbench. The page stays as it is."> The workbench's server does not answer. <//>`}
            ${busy &&
            html`<${Notice} hint="This page asks again until there is an answer.">The project is busy.<//>`}
            <${Guard} key=${screen?.name}>
                ${screen
                    ? html`<${Shown} screen=${screen} state=${state} />`
                    : html`<${Notice} kind="error" hint="The screens are on the left.">There is no screen '${name}' here.<//>`}
            <//>
        </main>
        <${Footer} command=${command} />
    <//>`;
}

render(html`<${Page} />`, document.body);
