// screens.js: the screens, in the order of the rail; each is a file of screens/. A screen whose file does not exist is
// not in the rail. A screen's module exports, by default, a component Screen({ state, change }): state is the part of
// the address after the screen's name, change(state, { replace }) writes it. While it is shown, useCommand
// (parts/command.js) sets the footer's shell command. A screen that is `linked` is not in the rail: other screens lead to it.
import { icons } from "./parts/icons.js";

export const screens = [
    { name: "project", title: "Project", icon: icons.project, load: () => import("./screens/project.js") },
    { name: "program", title: "Program", icon: icons.program, load: () => import("./screens/program.js") },
    { name: "tools", title: "Tools", icon: icons.tools, load: () => import("./screens/tools.js") },
    { name: "run", title: "Run", icon: icons.run, load: () => import("./screens/run.js") },
    { name: "results", title: "Results", icon: icons.results, load: () => import("./screens/results.js") },
    { name: "compare", title: "Compare", icon: icons.compare, load: () => import("./screens/compare.js") },
    { name: "campaigns", title: "Campaigns", icon: icons.campaigns, load: () => import("./screens/campaigns.js") },
    { name: "author", title: "Author", icon: icons.author, load: () => import("./screens/author.js") },
    { name: "sql", title: "SQL", icon: icons.sql, load: () => import("./screens/sql.js"), below: true },
    { name: "help", title: "Help", icon: icons.help, load: () => import("./screens/help.js"), below: true },
    { name: "source", title: "Source", load: () => import("./screens/source.js"), linked: true },
];
