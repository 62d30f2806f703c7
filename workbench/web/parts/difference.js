// difference.js: shows if the instrumented program produced the same output as the program itself, if the job has
// check_output.
import { base } from "../api.js";
import { seconds } from "./format.js";
import { Notice } from "./notice.js";
import { html } from "../lib/preact.js";

const names = { "stdout.zst": "standard output", "stderr.zst": "standard error" };
const listed = (differs) => differs.map((one) => names[one] ?? one.replace(/^files\//, "the file ")).join(", ");
const ending = ({ signal, exit_status }) => (signal ? `signal ${signal}` : `status ${exit_status}`);

/** The first line of a run's page, if something differs. */
export function Difference({ run }) {
    const { plain } = run;
    if (plain?.same !== false) return null;
    return html`<${Notice}
        kind="error"
        hint="A program that prints the time, or reads its own file, differs from itself. If this one does not, the tool or atomc is wrong: the file has both programs, the commands and both outputs."
        action=${html`<div class="row actions"><a class="button" href="${base}/export/runs/${run.id}.tar.zst" download>Save evidence</a></div>`}
    >
        <b>The instrumented program did not do what the program does.</b> Different: ${listed(plain.differs)}${plain.differs.includes("exit status") && ` (${ending(run)}, and ${ending(plain)} uninstrumented)`}.
    <//>`;
}

/** As text, among the facts. */
export function checkedOutput(run) {
    const { plain } = run;
    if (!plain) return undefined;
    const slower = run.seconds && plain.seconds ? `; it took ${seconds(plain.seconds)}` : "";
    if (plain.same === null) return `not known: the uninstrumented program was stopped (${plain.reason})`;
    return plain.same ? `as that of the uninstrumented program${slower}` : `not that of the uninstrumented program: ${listed(plain.differs)}${slower}`;
}
