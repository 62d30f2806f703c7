// webdriver.mjs: the setup of each browser test: a server, a browser driven over W3C WebDriver (Debian's chromedriver, no package),
// and checks. A case is a file tests/web/NAME.mjs; tests/run/workbench_web.sh runs it. To run one:
//     BUILD=build node tests/web/NAME.mjs
// Environment: BUILD (default build), ATOMC, PROGRAMS (a folder of Alpha programs, see workbench_web.sh), PICTURES (where pictures go;
// default BUILD/workbench/pictures), SCRATCH (an empty folder), SIZE, WEB (--web of the server: pages as they are being written), LATENCY
// (milliseconds by which each answer is late: a test that does not wait for what it looks at fails then, and not by chance), LONGEST
// (seconds that a test waits for one thing; default 1500).
import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const top = resolve(fileURLToPath(import.meta.url), "../../..");
export const build = resolve(process.env.BUILD ?? join(top, "build"));
export const atomc = resolve(process.env.ATOMC ?? join(build, "atomc"));
export const programs = process.env.PROGRAMS ? resolve(process.env.PROGRAMS) : undefined;
export const size = process.env.SIZE ?? "check";
export const name = `${process.env.TEST_PREFIX ?? ""}${basename(process.argv[1], ".mjs")}`;
const pictures = resolve(process.env.PICTURES ?? join(build, "workbench", "pictures"));
export const scratch = process.env.SCRATCH ? resolve(process.env.SCRATCH) : mkdtempSync(join(tmpdir(), "atomc-web."));
mkdirSync(pictures, { recursive: true });

// ---- results: lines as those of tests/lib/prelude.sh ----

let failures = 0;

const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));

/** One test. If the condition does not hold, the value is shown. */
export function check(test, condition, found = "") {
    if (condition) console.log(`ok ${name}/${test}`);
    else {
        console.log(`not ok ${name}/${test}: it does not hold`);
        if (found !== "") console.log(shown(found).slice(0, 2000).replace(/^/gm, "    "));
        failures++;
    }
    return Boolean(condition);
}

export function equal(test, found, expected) {
    const same = JSON.stringify(found) === JSON.stringify(expected);
    return check(test, same, `found    ${shown(found)}\nexpected ${shown(expected)}`);
}

/** How many times as long all takes because others use the processors: time that passes for a time of computing. */
export function waiting(microseconds = 200000) {
    const [start, used] = [performance.now(), process.cpuUsage()];
    while (process.cpuUsage(used).user + process.cpuUsage(used).system < microseconds);
    const { user, system } = process.cpuUsage(used);
    return (1000 * (performance.now() - start)) / (user + system);
}

/** A bar of the workbench: the measured value, and the limit on a machine that does nothing else. Only make bench-workbench judges it. */
export function bar(what, found, unit, least) {
    console.log(`# bar: ${what}: ${found} ${unit}, under ${least} ${unit}`);
    if (!process.env.BARS) return;
    const slower = Math.max(1, waiting(50000)).toFixed(1);
    appendFileSync(process.env.BARS, `| ${what} | ${found} ${unit} | ${least} ${unit} | ${/ms|^s/.test(unit) ? slower : ""} |\n`);
    check(`bar: ${what}`, found < least * slower, `${found} ${unit}; others make all ${slower} times as slow`);
}

export const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** What the log should say of a job that waits: its limit is half an hour, and then nobody knows what for. */
const note = (text) => console.log(`# ${text}`);

/** Waits until probe() answers something true, which is the result. The bound is for a machine that does much else, too. */
const longest = Number(process.env.LONGEST ?? 1500);
export async function until(what, probe, seconds = longest) {
    const begin = Date.now(), end = begin + 1000 * seconds;
    let last, said = 0, looked = 0;
    for (let pause = 10; Date.now() < end; pause = Math.min(2 * pause, 200)) {
        try {
            const value = await probe();
            if (value) return value;
            last = value;
        } catch (error) {
            if (!error.retry) throw error;
            last = error.message;
        }
        if (Date.now() - begin > 60000 * (said + 1)) {
            note(`waits ${++said} min for: ${what} (last: ${shown(last)?.slice(0, 300)})`);
            if (said === 1) await sayPages();
        }
        if (Date.now() - begin > 5000 * (looked + 1)) {
            looked++;
            await refuseBroken(what);
        }
        await sleep(pause);
    }
    throw new Error(`after ${seconds} s still not: ${what} (last: ${shown(last)?.slice(0, 300)})`);
}

/** What is on the pages: somebody who reads the log of a wait without an end wants to know what is there instead. */
async function sayPages() {
    for (const page of pages) {
        const seen = await page.evaluate(() => `${location.hash}\n${document.querySelector("main")?.innerText ?? document.body?.innerText}`).catch((error) => error.message);
        console.log(seen.slice(0, 2000).replace(/^/gm, "#     "));
    }
}

/** A page whose script has thrown, or that says that it is broken, does not come to what is waited for. */
async function refuseBroken(what) {
    for (const page of pages) {
        const thrown = (await page.messages().catch(() => [])).filter((message) => message.includes("Uncaught"));
        const said = await page.evaluate(() => document.body?.innerText.includes("This is a fault of the workbench")).catch(() => false);
        if (thrown.length > 0 || said) throw new Error(`waiting for ${what}, and the page is broken: ${thrown.join("\n")}`);
    }
}

// ---- processes: those that a case has started end with it, in each case ---

const children = new Set();
const over = []; // how those ended that are none any more

export function start(command, words, options = {}) {
    const child = spawn(command, words, { stdio: ["ignore", "pipe", "pipe"], detached: true, ...options });
    child.said = "";
    child.stdout?.setEncoding("utf8");
    child.stderr?.setEncoding("utf8");
    child.stdout?.on("data", (data) => (child.said += data));
    child.stderr?.on("data", (data) => (child.said += data));
    child.ended = new Promise((done) => {
        child.on("exit", (status, signal) => done(status ?? signal));
        child.on("error", (error) => {
            child.said += error.message;
            done("error");
        });
    });
    child.ended.then((status) => {
        children.delete(child);
        over.push(`${basename(command)} ${words.join(" ").slice(0, 100)}: ${status}: ${child.said.slice(-300)}`);
    });
    children.add(child);
    return child;
}

function killAll() {
    for (const child of children) {
        try {
            process.kill(-child.pid, "SIGKILL");
        } catch {
            // It has ended.
        }
    }
}
/** What listens to SIGTERM ends by itself, so that its time counts as ours. */
async function endAll() {
    for (const page of [...pages]) await page.close().catch(() => {});
    for (const child of children) child.kill("SIGTERM");
    await Promise.race([Promise.all([...children].map((child) => child.ended)), sleep(3000)]);
}
process.on("exit", () => {
    killAll();
    if (!process.env.SCRATCH) rmSync(scratch, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(2));

/** What a command prints; fails if the command does. */
export async function run(command, words, options = {}) {
    const child = start(command, words, options);
    const [status] = await Promise.all([child.ended, new Promise((done) => child.on("close", done))]);
    if (status !== 0) throw new Error(`${command} ${words.join(" ")}: ${status}: ${child.said}`);
    return child.said;
}

/** A workbench on a project's folder: { address, origin, process, stop() }. The address is for the first visit. */
export async function workbench(project = join(scratch, "project"), options = []) {
    const child = start(atomc, ["workbench", "--no-browser", ...(process.env.WEB ? [`--web=${process.env.WEB.split(":").map((folder) => resolve(folder)).join(":")}`] : []), ...(programs ? [`--allow=${programs}`, `--allow=${join(programs, "../sources")}`] : []), `--allow=${scratch}`, ...options, project], {
        cwd: scratch,
    });
    const lines = createInterface({ input: child.stdout });
    const address = await Promise.race([
        new Promise((done) => lines.on("line", (line) => /http:\S+/.test(line) && done(/http:\S+/.exec(line)[0]))),
        child.ended.then((status) => {
            throw new Error(`atomc workbench ended with ${status}: ${child.said}`);
        }),
    ]);
    return {
        address,
        origin: new URL(address).origin,
        process: child,
        async stop(signal = "SIGTERM") {
            child.kill(signal);
            return child.ended;
        },
    };
}

/** A text without any spaces: numbers have thin ones. */
export const plain = (text) => (text ?? "").replace(/\s/g, "");

/** Names as C++ writes them, by binutils: another demangler than atomc's. */
export async function readable(names) {
    const child = start("alpha-linux-gnu-c++filt", ["--no-verbose"], { stdio: ["pipe", "pipe", "pipe"] });
    child.stdin.end(`${names.join("\n")}\n`);
    await new Promise((done) => child.on("close", done));
    return child.said.split("\n").slice(0, names.length);
}

// ---- the browser ----

/** Folders of this machine, and their names in pictures. Real programs know where they were built. */
const personal = [...(programs ? [[programs, "/home/ann/bin"], [join(programs, "../sources"), "/home/ann/src"]] : []), [scratch, "/home/ann"]];
const built = "[^\\s\"<>:]*/build/programs";

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
let driver;
const pages = new Set();

async function command(method, path, body) {
    const slow = setInterval(() => note(`the driver has not answered for a minute: ${method} ${path} ${shown(body)?.slice(0, 300)}`), 60000);
    const response = await fetch(`${driver.url}${path}`, { method, body: method === "POST" ? JSON.stringify(body ?? {}) : undefined }).finally(() => clearInterval(slow));
    const { value } = await response.json();
    if (!response.ok) {
        const error = new Error(`${value.error}: ${value.message.split("\n")[0]}`);
        // What is about to be drawn, or is drawn anew: also where a test's own function asks for it.
        error.retry = ["no such element", "stale element reference", "element not interactable", "element click intercepted"].includes(value.error) || /Cannot read properties of null/.test(value.message);
        throw error;
    }
    return value;
}

async function startDriver() {
    const child = start("chromedriver", ["--port=0"]);
    const port = await until("chromedriver", () => /started successfully on port (\d+)/.exec(child.said)?.[1]);
    driver = { url: `http://127.0.0.1:${port}` };
}

/** Keys that have no letter, for press(). */
export const keys = { Enter: "\ue007", Tab: "\ue004", Escape: "\ue00c", Up: "\ue013", Down: "\ue015", Left: "\ue012", Right: "\ue014", Space: " ", PageDown: "\ue00f", Home: "\ue011", End: "\ue010" };
const modifiers = { Shift: "\ue008", Control: "\ue009", Alt: "\ue00a" };

class Page {
    #session;
    #messages = [];
    #requests = [];
    #looked = name.length; // cases begin with different colours
    #steps = 0;
    constructor(session) {
        this.#session = `/session/${session}`;
    }
    #post = (path, body) => command("POST", this.#session + path, body);
    #chrome = (cmd, params) => this.#post("/goog/cdp/execute", { cmd, params });

    /** What the browser's own first page has asked for is not ours. */
    async begin() {
        await this.go("about:blank");
        if (process.env.LATENCY) await this.#chrome("Network.emulateNetworkConditions", { offline: false, latency: Number(process.env.LATENCY), downloadThroughput: -1, uploadThroughput: -1 });
        await this.#collect();
        this.#messages = [];
        this.#requests = [];
    }
    async go(url) {
        await this.#post("/url", { url });
    }
    async reload() {
        await this.#post("/refresh");
    }
    async back() {
        await this.#post("/back");
    }
    /** What the next pages do before their own scripts. */
    async before(script) {
        await this.#chrome("Page.addScriptToEvaluateOnNewDocument", { source: script });
    }
    /** Where files go that are saved. */
    async download(folder) {
        await this.#chrome("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
    }
    async close() {
        await this.#collect();
        pages.delete(this);
        await command("DELETE", this.#session);
    }
    /** Size of the page in pixels, and its colours. */
    async look({ width, height = 800, dark = false }) {
        await this.#chrome("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
        await this.#chrome("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
    }
    /** Runs a function in the page: its result, or that of its promise. */
    evaluate(program, ...args) {
        return this.#post("/execute/sync", { script: `return (${program}).apply(null, arguments)`, args });
    }
    /** The answer of the server at /api/v1PATH, as JSON; with a body it is a POST. */
    api = (path, body) =>
        this.evaluate(
            (to, sent) => {
                const posted = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent) };
                return fetch(`/api/v1${to}`, sent ? posted : undefined).then((answer) => answer.json());
            },
            path,
            body ?? null,
        );
    /** Waits until a run is over, and returns its data. */
    finished(id, seconds = longest) {
        if (id === undefined) throw new Error("no run was made");
        return until(
            "the run is over",
            async () => {
                const found = await this.evaluate((number) => fetch(`/api/v1/runs/${number}`).then((answer) => answer.json()), id);
                return ["finished", "failed", "stopped"].includes(found.state) && found;
            },
            seconds,
        );
    }
    /** Opens a program and runs tools of it, with `others` in the request, until the end: { id, run, program, tables }. */
    async open(path, tools, others = {}) {
        const program = await this.api("/programs", { path });
        const { id } = await this.api("/runs", { program: { path }, tools, ...others });
        const run = await this.finished(id);
        equal(`${basename(path)}/run`, run.state, "finished");
        return { id, run, program, tables: (await this.api(`/runs/${id}/tables`)).tables };
    }
    async #element(selector) {
        return (await this.#post("/element", { using: "css selector", value: selector }))[ELEMENT];
    }
    /** Waits for an element. */
    async see(selector, seconds) {
        await until(`${selector} is there`, () => this.evaluate((css) => Boolean(document.querySelector(css)), selector), seconds);
    }
    /** A list to choose from has more than its first line, which says that nothing is chosen. */
    async options(selector) {
        await until(`choices in ${selector}`, () => this.evaluate((css) => document.querySelectorAll(`${css} option`).length > 1, selector));
    }
    /** Waits for a text in an element (default: anywhere). */
    async read(text, selector = "body", seconds) {
        const holds = (css, words) => [...document.querySelectorAll(css)].some((one) => (one.innerText ?? one.textContent).includes(words));
        await until(`'${text}' in ${selector}`, () => this.evaluate(holds, selector, text), seconds);
    }
    /** A real click, in the middle of the visible part; an element that is not there yet is waited for. */
    async click(selector) {
        await until(`click ${selector}`, async () => {
            await this.#post(`/element/${await this.#element(selector)}/click`);
            return true;
        });
    }
    /** A click on the first such element that has this text. */
    async choose(text, selector = "a, button, [role=tab], label, option, td") {
        const mark = (words, css) => {
            document.querySelectorAll("[data-chosen]").forEach((one) => one.removeAttribute("data-chosen"));
            const found = [...document.querySelectorAll(css)].find((one) => one.innerText.trim() === words && (one.offsetParent || one.tagName === "OPTION"));
            found?.setAttribute("data-chosen", "");
            return Boolean(found);
        };
        await until(`'${text}' to be clicked on`, async () => {
            if (!(await this.evaluate(mark, text, selector))) return false;
            await this.#post(`/element/${await this.#element("[data-chosen]")}/click`);
            return true;
        });
    }
    /** Types into a field, in the place of its text. */
    async type(selector, text) {
        await this.see(selector);
        const id = await this.#element(selector);
        await this.evaluate((css) => document.querySelector(css).select?.(), selector);
        await this.#post(`/element/${id}/value`, { text });
    }
    /** Gives a file to a field for files, as its dialogue would. */
    async give(selector, path) {
        await this.see(selector);
        await this.#post(`/element/${await this.#element(selector)}/value`, { text: path });
    }
    /** Presses keys, one after the other, wherever the focus is: press("g", keys.Enter, "Shift+" + keys.Tab). */
    async press(...all) {
        const actions = [];
        for (const one of all) {
            const parts = one.length > 1 && one.includes("+") ? one.split("+") : [one];
            const key = parts.pop();
            for (const part of parts) actions.push({ type: "keyDown", value: modifiers[part] });
            actions.push({ type: "keyDown", value: key }, { type: "keyUp", value: key });
            for (const part of parts.reverse()) actions.push({ type: "keyUp", value: modifiers[part] });
        }
        await this.#post("/actions", { actions: [{ type: "key", id: "keyboard", actions }] });
    }
    /** Drags the mouse from a place of the page, [x, y] in pixels, to another. */
    async drag(from, to) {
        const move = ([x, y]) => ({ type: "pointerMove", duration: 50, x: Math.round(x), y: Math.round(y) });
        await this.#post("/actions", { actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions: [move(from), { type: "pointerDown", button: 0 }, move(to), { type: "pointerUp", button: 0 }] }] });
    }
    /** Presses Tab until the element has the focus, as who has no mouse does. */
    async reach(selector, most = 60) {
        for (let i = 0; i < most; i++) {
            if (await this.evaluate((css) => document.activeElement?.matches(css), selector)) return;
            await this.press(keys.Tab);
        }
        throw new Error(`Tab does not reach ${selector}`);
    }
    text(selector) {
        return this.evaluate((css) => document.querySelector(css)?.innerText ?? null, selector);
    }
    texts(selector) {
        return this.evaluate((css) => [...document.querySelectorAll(css)].map((one) => one.innerText.trim()), selector);
    }
    address() {
        return this.evaluate(() => location.hash);
    }
    /** Waits until the page stands still: nothing has another place or size, or is new, in three frames that follow each other. */
    settled(seconds) {
        const still = () =>
            this.evaluate(async () => {
                const layout = () => [innerWidth, ...[...document.querySelectorAll("body *")].map((one) => (({ x, y, width, height }) => [x, y, width, height].map(Math.round))(one.getBoundingClientRect()))].join();
                const before = layout();
                for (let i = 0; i < 3; i++) {
                    await new Promise((done) => requestAnimationFrame(done));
                    if (layout() !== before) return false;
                }
                return true;
            });
        return until("the page stands still", still, seconds);
    }
    /** Saves a picture of the visible part of the page, or of one element. */
    async picture(title, selector) {
        // Waits until nothing moves, and each font is loaded.
        await this.evaluate(() => document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))));
        const box = selector && (await this.evaluate((css) => (({ x, y, width, height }) => ({ x, y, width, height, scale: 1 }))(document.querySelector(css).getBoundingClientRect()), selector));
        const { data } = await this.#chrome("Page.captureScreenshot", { format: "png", ...(box ? { clip: box } : {}) });
        writeFileSync(join(pictures, `${title}.png`), Buffer.from(data, "base64"));
    }

    /** A picture for the documentation (make workbench-pictures): folders of this run are shown as a person's. */
    async documented(title, selector) {
        await this.evaluate((folders, pattern) => {
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            const person = (text) => folders.reduce((changed, [folder, shown]) => changed.replaceAll(folder, shown), text.replace(new RegExp(pattern, "g"), "/home/ann"));
            while (walker.nextNode()) walker.currentNode.data = person(walker.currentNode.data);
            for (const field of document.querySelectorAll("input")) field.value = person(field.value);
        }, personal, built);
        await this.picture(`workbench-${title}`, selector);
    }
    /** A picture in SVG for the documentation. */
    drawing(title, text) {
        writeFileSync(join(pictures, `chart-${title}.svg`), personal.reduce((changed, [folder, shown]) => changed.replaceAll(folder, shown), text.replace(new RegExp(built, "g"), "/home/ann")));
    }

    // The lines of the browser's logs since they were read last.
    async #collect() {
        for (const entry of await this.#post("/se/log", { type: "browser" })) this.#messages.push(`${entry.level}: ${entry.message}`);
        for (const entry of await this.#post("/se/log", { type: "performance" })) {
            const { method, params } = JSON.parse(entry.message).message;
            if (method === "Network.requestWillBeSent") this.#requests.push(params.request.url);
            if (method === "Network.webSocketCreated") this.#requests.push(params.url);
        }
    }
    /** Console messages so far, but for those that the case expects: a request that is refused has one. */
    async messages(expected = /$^/) {
        await this.#collect();
        return this.#messages.filter((message) => !expected.test(message));
    }
    async requests() {
        await this.#collect();
        return this.#requests;
    }
    /**
     * What axe-core finds in the page that is serious or worse. In make check, of each list and table it sees the first rows, and what has the
     * focus: colours and roles of the others are the same, and each costs a layout.
     */
    async barriers() {
        // Once for a document: axe is slow until it has been compiled.
        if (!(await this.evaluate(() => Boolean(window.axe)))) await this.evaluate(`() => { ${axeSource()}; }`);
        const unseen = size === "all" ? "" : [":is(tr, li, .cm-line, .cm-gutterElement):nth-child(n + 7):not(:focus-within)"].map((one) => `${one}, ${one} * { visibility: hidden !important; }`).join("");
        return this.evaluate((style) => {
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(style);
            document.adoptedStyleSheets.push(sheet);
            return window.axe
                .run(document, { resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] })
                .then(({ violations }) =>
                    violations
                        .filter(({ impact }) => impact === "serious" || impact === "critical")
                        .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.any.concat(node.all, node.none)[0]?.message ?? ""}`)),
                )
                .finally(() => (document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)));
        }, unseen);
    }
    /** Whether something sticks out of the page: the page itself never scrolls, in no direction; its parts do. */
    overflow() {
        return this.evaluate(() => {
            const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
            return [scrollWidth > clientWidth && `${scrollWidth - clientWidth} px in x`, scrollHeight > clientHeight && `${scrollHeight - clientHeight} px in y`].filter(Boolean).join(", ");
        });
    }
    /** Boxes that scroll sideways inside of a box that scrolls sideways, too: nobody finds the second bar. */
    nested() {
        return this.evaluate(() => {
            const scrolls = (one) => one.scrollWidth > one.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(one).overflowX);
            const all = [...document.querySelectorAll("main, main *")].filter((one) => one.checkVisibility() && scrolls(one));
            return all.filter((one) => all.some((outer) => outer !== one && outer.contains(one))).map((one) => `${one.tagName}.${one.className}`);
        });
    }
    /**
     * Texts of which a part cannot be seen, and not be scrolled to: what an ancestor cuts off, unless it ends in an ellipsis and has all of it
     * as its title, or is the short form of its title (data-brief). Not what is for screen readers only, what an editor scrolls, and what a field holds.
     */
    cut() {
        return this.evaluate(() => {
            const scrolls = (style, side) => /auto|scroll/.test(side === "x" ? style.overflowX : style.overflowY);
            const cuts = (style, side) => /hidden|clip/.test(side === "x" ? style.overflowX : style.overflowY);
            const found = [];
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
                const text = walker.currentNode;
                const words = text.data.trim();
                const parent = text.parentElement;
                if (words === "" || parent.closest(".hidden, .skip, option, svg, script, style, .cm-announced") || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
                const range = document.createRange();
                range.selectNodeContents(text);
                const box = range.getBoundingClientRect();
                if (box.width === 0 || box.height === 0) continue;
                const done = { x: false, y: false };
                for (let one = parent; one && one !== document.documentElement && !(done.x && done.y); one = one.parentElement) {
                    const style = getComputedStyle(one);
                    const outer = one.getBoundingClientRect();
                    for (const side of ["x", "y"]) {
                        if (done[side]) continue;
                        if (scrolls(style, side)) done[side] = true;
                        else if (cuts(style, side)) {
                            const over = side === "x" ? Math.max(outer.left - box.left, box.right - outer.right) : Math.max(outer.top - box.top, box.bottom - outer.bottom);
                            const said = style.textOverflow === "ellipsis" && (parent.closest("[data-brief][title]") || parent.closest("[title]")?.title.replace(/\s+/g, " ").includes(words.replace(/\s+/g, " ")));
                            if (over > (side === "x" ? 1 : 3) && !(said && side === "x")) {
                                found.push(`'${words.slice(0, 60)}' by ${Math.round(over)} px in ${side}, by ${one.tagName}.${one.className}`);
                                done.x = done.y = true;
                            }
                        }
                    }
                }
            }
            for (const one of document.querySelectorAll("button, select, .chip"))
                if (one.checkVisibility() && one.scrollWidth > one.clientWidth + 2 && getComputedStyle(one).overflowX !== "visible" && !one.title) found.push(`'${one.innerText.slice(0, 60)}' of a ${one.tagName}`);
            return [...new Set(found)];
        });
    }
    /** The checks that hold for each page of each case, at the end: console, requests. */
    async quiet(expected) {
        const messages = await this.messages(expected);
        check("no-message", messages.length === 0, [...messages, ...[...children].map((child) => child.said.slice(-500))].join("\n"));
        const requests = await this.requests();
        const elsewhere = requests.filter((url) => !/^(data:|blob:|about:|http:\/\/127\.0\.0\.1[:/])/.test(url));
        check("no-request-elsewhere", requests.length > 0 && elsewhere.length === 0, `${requests.length} requests; elsewhere: ${elsewhere.join("\n")}`);
    }
    /**
     * The page as it is, at both widths and in both colours: nothing serious for axe, nothing that sticks out; a picture of each. In make check
     * in one colour, the next time in the other. chosen: these of the four only, where no text may be cut off, either.
     */
    async looks(title, expected = [], chosen = undefined) {
        const all = [1280, 1600].flatMap((width) => [false, true].map((dark) => ({ width, height: width === 1280 ? 800 : 1000, dark })));
        const next = size === "all" ? [0, 1, 2, 3] : [[0, 3][this.#looked++ % 2]];
        for (const look of all.filter((look, at) => (chosen ?? next).includes(at))) {
            await this.look(look);
            await this.settled(10).catch(() => {}); // what is under way may go on
            const wide = await this.overflow();
            const barriers = (await this.barriers()).filter((one) => !expected.some((pattern) => pattern.test(one)));
            const cut = chosen ? await this.cut() : [];
            const variant = `${title}-${look.width}${look.dark ? "-dark" : ""}`;
            check(variant, wide === "" && barriers.length === 0 && cut.length === 0, `${wide && `sticks out: ${wide}\n`}${[...barriers, ...cut.map((one) => `cut: ${one}`)].join("\n")}`);
            await this.picture(`${basename(name)}-${variant}`);
        }
        await this.look({ width: 1280 });
    }
    /** A step of a journey: a picture of each look, with all checks of looks, if STEPS is set (make workbench-journeys). */
    async step(title) {
        if (process.env.STEPS) await this.looks(`${String(++this.#steps).padStart(2, "0")}-${title}`, [], [0, 1, 2, 3]);
    }
}

/** Compare: columns, up to the first count's quotient, that the pane cuts off in one of its tables: each with by how much. */
export function firstCount(page) {
    return page.evaluate(() =>
        [...document.querySelectorAll(".compare-group table")].flatMap((table) => {
            const titles = [...table.querySelectorAll("col")].map((one) => one.dataset.title);
            const box = table.parentElement.getBoundingClientRect();
            const edge = box.left + table.parentElement.clientWidth;
            const last = titles.findIndex((title) => title.endsWith(" B/A"));
            if (last < 0) return [`no quotient: ${titles}`];
            return [...table.querySelectorAll("tbody tr")].flatMap((row) => [...row.cells].slice(0, last + 1).flatMap((one, at) => (one.getBoundingClientRect().right > edge + 0.5 ? [`${titles[at]}: ${Math.ceil(one.getBoundingClientRect().right - edge)} px`] : [])));
        }),
    );
}

let axe;
function axeSource() {
    if (axe === undefined) {
        const folder = join(top, "build", "workbench");
        const modules = readdirSync(folder).filter((entry) => entry.startsWith("npm-"));
        const file = modules.map((entry) => join(folder, entry, "node_modules/axe-core/axe.min.js")).at(-1);
        axe = readFileSync(file, "utf8");
    }
    return axe;
}

/** A browser's page, at an address if there is one. */
export async function browse(address, { width = 1280, height = 800, dark = false } = {}) {
    if (!driver) await startDriver();
    const options = {
        args: [
            "--headless=new",
            "--no-sandbox", // the tests run as root, too
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-extensions",
            "--homepage=about:blank",
            "--no-proxy-server",
            "--hide-scrollbars=false",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            `--user-data-dir=${mkdtempSync(join(scratch, "profile."))}`,
        ],
        perfLoggingPrefs: { enableNetwork: true, enablePage: false },
    };
    const { sessionId } = await command("POST", "/session", {
        capabilities: {
            alwaysMatch: { browserName: "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": { browser: "ALL", performance: "ALL" } },
        },
    });
    const page = new Page(sessionId);
    pages.add(page);
    await page.look({ width, height, dark });
    await page.begin();
    if (address) await page.go(address);
    return page;
}

/** The case itself. What it throws is a failure of it; "# end" says that it came to its end. */
export async function testCase(body) {
    try {
        await body();
    } catch (error) {
        let seen = "";
        for (const page of pages) {
            await page.picture(`${basename(name)}-failed`).catch(() => {});
            seen += `\n---- the page ----\n${await page.text("body").catch(() => "")}\n${(await page.messages().catch(() => [])).join("\n")}`;
        }
        // What ended meanwhile may be the reason.
        console.log(over.slice(-3).join("\n").replace(/^/gm, "# ended: "));
        check("to-its-end", false, error.stack + seen);
    }
    await endAll();
    console.log("# end");
    process.exit(failures > 0 ? 1 : 0);
}
