// address.js: what is shown is in the address, behind the #: `#/SCREEN?KEY=TEXT&...`. So back, bookmarks and copies work.
// A state is an object of texts by key. Keys whose value is undefined, null, false or "" are not in the address.

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

/** Goes there. With `replace`, back does not come by here again: for what is typed, dragged and scrolled. */
export function go(screen, state = {}, { replace = false } = {}) {
    const there = address(screen, state);
    if (there === location.hash) return;
    if (replace) history.replaceState(null, "", there);
    else history.pushState(null, "", there);
    dispatchEvent(new Event("address"));
}

/** Calls back after each change, by whomever; returns what ends this. */
export function watch(changed) {
    const names = ["address", "hashchange", "popstate"];
    for (const name of names) addEventListener(name, changed);
    return () => names.forEach((name) => removeEventListener(name, changed));
}
