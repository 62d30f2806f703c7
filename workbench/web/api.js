// api.js: requests to the server, below /api/v1. Every error is a Failure, which ErrorNotice (parts/notice.js) shows.
import { useCallback, useEffect, useState } from "./lib/preact.js";

export const base = "/api/v1";

export class Failure extends Error {
    /** `where` is the part of the request that was wrong, in the server's form: { tool, parameter }, { line, column }
        ... */
    constructor(status, error, hint, where) {
        super(error);
        this.status = status;
        this.error = error;
        this.hint = hint;
        this.where = where;
    }
    /** The server did not answer: it has ended, or the connection to it has. */
    get gone() {
        return this.status === 0;
    }
}

/** Every request records here whether the server answers, and how many requests wait because it is busy; the shell
    shows it. */
export const server = Object.assign(new EventTarget(), { there: true, waiting: 0 });

function waiting(change) {
    server.waiting += change;
    server.dispatchEvent(new Event("change"));
}

function answered(there) {
    if (server.there === there) return;
    server.there = there;
    server.dispatchEvent(new Event("change"));
}

async function ask(method, path, body, signal) {
    let response;
    try {
        response = await fetch(base + path, {
            method,
            signal,
            headers: body === undefined ? {} : { "Content-Type": "application/json" },
            body: body === undefined ? undefined : JSON.stringify(body),
        });
    } catch (error) {
        if (error.name === "AbortError") throw error;
        answered(false);
        throw new Failure(0, "the workbench's server does not answer", "start it again: atomc workbench");
    }
    answered(true);
    const text = await response.text();
    let value;
    try {
        value = text === "" ? null : JSON.parse(text);
    } catch {
        throw new Failure(response.status, `${method} ${base + path}: the answer is not JSON`, text.slice(0, 200));
    }
    if (!response.ok) throw new Failure(response.status, value?.error ?? `${method} ${base + path}: ${response.status}`, value?.hint, value?.where);
    return value;
}

const BUSY = 503;
const LONGEST_PAUSE = 8000; // milliseconds

/** Ends early, with an AbortError, when the signal is aborted. */
function pause(milliseconds, signal) {
    return new Promise((done, failed) => {
        const abort = () => {
            clearTimeout(timer);
            failed(new DOMException("aborted", "AbortError"));
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener("abort", abort);
            done(undefined);
        }, milliseconds);
        if (signal?.aborted) abort();
        else signal?.addEventListener("abort", abort, { once: true });
    });
}

// Windows of one browser tell each other that something has changed.
const windows = new BroadcastChannel("atomc");
const changes = (method, path) => method !== "GET" && !/^\/(check|sites|sql|names|runs\/look|sources\/check)\b/.test(path);

async function request(method, path, body, signal) {
    const value = await patiently(method, path, body, signal);
    if (changes(method, path)) windows.postMessage("changed");
    return value;
}

/** If the server is busy, a GET is sent again until it is answered; requests that change data are not sent again. */
async function patiently(method, path, body, signal) {
    let busy = false;
    try {
        for (let milliseconds = 500; ; milliseconds = Math.min(2 * milliseconds, LONGEST_PAUSE)) {
            try {
                return await ask(method, path, body, signal);
            } catch (failure) {
                if (method !== "GET" || failure.status !== BUSY) throw failure;
            }
            if (!busy) waiting(1);
            busy = true;
            await pause(milliseconds, signal);
        }
    } finally {
        if (busy) waiting(-1);
    }
}

/** @typedef {{ signal?: AbortSignal, progress?: (share: number) => void }} Options */

export const get = (path, { signal } = /** @type {Options} */ ({})) => request("GET", path, undefined, signal);
export const post = (path, body = {}, { signal } = /** @type {Options} */ ({})) => request("POST", path, body, signal);
export const put = (path, body = {}) => request("PUT", path, body);
export const patch = (path, body = {}) => request("PATCH", path, body);
export const remove = (path) => request("DELETE", path, {});

/** Sends a File into the project: { path, name, bytes, sha256 }. `progress` is called with the share that has been
    sent, from 0 to 1. */
export function upload(file, { progress, signal } = /** @type {Options} */ ({})) {
    return new Promise((done, failed) => {
        const request = new XMLHttpRequest();
        request.open("POST", `${base}/objects${query({ name: file.name })}`);
        request.setRequestHeader("Content-Type", "application/octet-stream");
        request.responseType = "text";
        request.upload.addEventListener("progress", (event) => event.lengthComputable && progress?.(event.loaded / event.total));
        request.addEventListener("load", () => {
            answered(true);
            let value = null;
            try {
                value = JSON.parse(request.responseText);
            } catch {
                // The limit is reported below.
            }
            if (request.status === 201 && value) done(value);
            else failed(new Failure(request.status, value?.error ?? `the file was not taken: ${request.status}`, value?.hint));
        });
        // If the file is too large, the server closes the connection before all of it is sent.
        request.addEventListener("error", () => failed(new Failure(0, "the file was not taken", "at most 1 GB can be uploaded")));
        request.addEventListener("abort", () => failed(new DOMException("aborted", "AbortError")));
        signal?.addEventListener("abort", () => request.abort());
        request.send(file);
    });
}

/** The query part of a path: values that are undefined, null or "" are omitted. */
export function query(values) {
    const kept = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
    return kept.length ? `?${new URLSearchParams(kept.map(([key, value]) => [key, String(value)]))}` : "";
}

/**
 * Events of a path (SSE), by type: { phase(data), ... }. The browser reconnects by itself, and continues after the last
 * event that it received. Returns a function that ends the connection.
 */
export function events(path, handlers) {
    const source = new EventSource(base + path);
    for (const [type, handle] of Object.entries(handlers)) {
        source.addEventListener(type, (event) => handle(JSON.parse(event.data), event.lastEventId));
    }
    source.addEventListener("open", () => answered(true));
    source.addEventListener("error", () => answered(false));
    return () => source.close();
}

/** Calls the function when another window has changed something, and when this window is looked at again: others may have, too. */
function follow(changed) {
    const looked = () => document.visibilityState === "visible" && changed();
    windows.addEventListener("message", changed);
    addEventListener("focus", changed);
    document.addEventListener("visibilitychange", looked);
    return () => {
        windows.removeEventListener("message", changed);
        removeEventListener("focus", changed);
        document.removeEventListener("visibilitychange", looked);
    };
}

/** As useGet, for lists: they follow other windows. */
export function useList(path) {
    const list = useGet(path);
    useEffect(() => (path === null ? undefined : follow(list.reload)), [path]);
    return list;
}

/**
 * The answer to GET path, for components: { value, error, loading, reload }. If the path is null, no request is made.
 * While another path is loading, and after a failure, the previous value is kept, so that pages do not flicker;
 * `loading` is true then.
 */
export function useGet(path) {
    const [result, setResult] = useState({ value: undefined, error: undefined, path: null });
    const [turn, setTurn] = useState(0);
    useEffect(() => {
        if (path === null) return undefined;
        const control = new AbortController();
        get(path, { signal: control.signal }).then(
            (value) => setResult({ value, error: undefined, path }),
            (error) => error.name === "AbortError" || setResult((before) => ({ value: before.value, error, path })),
        );
        return () => control.abort();
    }, [path, turn]);
    const reload = useCallback(() => setTurn((before) => before + 1), []);
    return path === null
        ? { value: undefined, error: undefined, loading: false, reload }
        : { value: result.value, error: result.path === path ? result.error : undefined, loading: result.path !== path, reload };
}
