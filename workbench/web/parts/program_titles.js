// program_titles.js: names of programs, told apart: `before/walk` and `after/walk` for two files named walk. This module does not use the page.

/** Each program's name, by its number, with as many folders as tell it from others of that name. */
export function titlesOf(programs) {
    const titles = new Map();
    for (const { id, name, path } of programs) {
        const others = programs.filter((one) => one.name === name && one.path !== path);
        const parts = (path ?? name).split("/");
        let count = 1;
        const last = (one) => (one ?? "").split("/").slice(-count).join("/");
        while (count < parts.length && others.some((one) => last(one.path) === last(path))) count++;
        titles.set(id, others.length > 0 ? parts.slice(-count).join("/") : name);
    }
    return titles;
}
