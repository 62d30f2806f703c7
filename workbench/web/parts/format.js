// format.js: numbers, sizes and times in readable form. Exact numbers remain exact: integers arrive as numbers or,
// beyond 2^53, as texts.

const thin = "\u2009";

/** 1234567 -> "1 234 567", with thin spaces. */
export function integer(value) {
    if (value === null || value === undefined) return "";
    return String(value).replace(/\B(?=(\d{3})+$)/g, thin);
}

/** "1 row", "2 rows". */
export const plural = (count, one, many = `${one}s`) => `${integer(count)} ${Number(count) === 1 ? one : many}`;

/** What the server says without its capital and full stop. */
export const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}.`;

export function fixed(value, digits = 2) {
    if (value === null || value === undefined) return "";
    const [whole, rest] = Number(value).toFixed(digits).split(".");
    return integer(whole) + (rest ? `.${rest}` : "");
}

/** A number on an axis: 20000 -> "20k". */
export function brief(value) {
    const size = Math.abs(value);
    const step = [1e3, 1e6, 1e9, 1e12].filter((least) => size >= least).length;
    return `${Number((value / 1000 ** step).toPrecision(4))}${["", "k", "M", "G", "T"][step]}`.replace("-", "−");
}

export function seconds(value) {
    if (value === null || value === undefined) return "";
    if (value > 0 && value < 0.05) return `${Math.max(1, Math.round(1000 * value))} ms`;
    if (value < 9.95) return `${value.toFixed(1)} s`;
    if (value < 120) return `${Math.round(value)} s`;
    return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

export function bytes(value) {
    if (value === null || value === undefined) return "";
    let amount = Number(value);
    for (const unit of ["B", "kB", "MB", "GB"]) {
        if (amount < 1000 || unit === "GB") return `${unit === "B" || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${unit}`;
        amount /= 1000;
    }
    return "";
}

/** A time in readable form: "14:05" today, a weekday in the last days, else a date like 2026-11-03. */
export function when(text) {
    const then = new Date(text);
    if (!text || Number.isNaN(then.getTime())) return "";
    const midnight = new Date().setHours(0, 0, 0, 0);
    const two = (number) => String(number).padStart(2, "0");
    const days = (midnight - new Date(then).setHours(0, 0, 0, 0)) / 86400000;
    if (days < 0.5) return `of today at ${two(then.getHours())}:${two(then.getMinutes())}`;
    if (days < 1.5) return "of yesterday";
    if (days < 6.5) return `of ${then.toLocaleDateString("en", { weekday: "long" })}`;
    return `of ${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())}`;
}

/** Milliseconds since 1970 as the day and time here. */
export function moment(milliseconds) {
    if (!milliseconds) return "";
    const then = new Date(milliseconds);
    const two = (number) => String(number).padStart(2, "0");
    const time = `${two(then.getHours())}:${two(then.getMinutes())}`;
    return then.toDateString() === new Date().toDateString() ? `today ${time}` : `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())} ${time}`;
}
