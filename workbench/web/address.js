// address.js: the state of the page is in the address, after the #: `#/SCREEN?KEY=TEXT&...`. So the browser's back
// button, bookmarks and copies of the address work. A state is an object of texts by key. Keys whose value is
// undefined, null, false or "" are not in the address.

/** @typedef {{ [key: string]: string }} State */

/** @returns {{ screen: string, state: State }} */
export function parse(fragment = location.hash) {
    const [, screen = "", query = ""] = /^#\/?([a-z]*)\??(.*)$/s.exec(fragment) ?? [];
    return { screen, state: Object.fromEntries(new URLSearchParams(query)) };
}

/** The address of a screen in a state, for links. */
export function address(screen, state = {}) {
    const kept = Object.entries(state).filter(([, value]) => value !== undefined && value !== null && value !== false && value !== "");
    const query = new URLSearchParams(kept.map(([key, value]) => [key, String(value)])).toString();
    return `#/${screen}${query && "?"}${query}`;
}

/** Goes there. With `replace`, the browser's back button skips this state: for typing, dragging and scrolling. */
export function go(screen, state = {}, { replace = false } = {}) {
    const there = address(screen, state);
    if (there === location.hash) return;
    if (replace) history.replaceState(null, "", there);
    else history.pushState(null, "", there);
    dispatchEvent(new Event("address"));
}

/** Calls the function after each change of the address. Returns a function that ends this. */
export function watch(changed) {
    const names = ["address", "hashchange", "popstate"];
    for (const name of names) addEventListener(name, changed);
    return () => names.forEach((name) => removeEventListener(name, changed));
}
