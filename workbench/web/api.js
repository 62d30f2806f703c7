// api.js: requests to the server, below /api/v1. Whatever goes wrong is a Failure, which ErrorNotice (parts/notice.js) shows.
import { useCallback, useEffect, useState } from "./lib/preact.js";

export const base = "/api/v1";

export class Failure extends Error {
    /** `where` says which part of the request was wrong, as the server has it: { tool, parameter }, { line, column } ... */
    constructor(status, error, hint, where) {
        super(error);
        this.status = status;
        this.error = error;
        this.hint = hint;
        this.where = where;
    }
    /** The server did not answer at all: it has ended, or the line to it has. */
    get gone() {
        return this.status === 0;
    }
}

/** Whether the server answers, and how many requests wait because it is busy, is watched here, by every request; the shell shows it. */
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

/** Ends early, by an AbortError, when the signal says so. */
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

/** A GET that finds the server busy is sent again until it is answered; what would change something is not. */
async function request(method, path, body, signal) {
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

/** Sends a File into the project: { path, name, bytes, sha256 }. `progress` is told the share, from 0 to 1. */
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
                // It is said below.
            }
            if (request.status === 201 && value) done(value);
            else failed(new Failure(request.status, value?.error ?? `the file was not taken: ${request.status}`, value?.hint));
        });
        // Of what is too large the server closes the connection before all is sent.
        request.addEventListener("error", () => failed(new Failure(0, "the file was not taken", "at most 1 GB can be uploaded")));
        request.addEventListener("abort", () => failed(new DOMException("aborted", "AbortError")));
        signal?.addEventListener("abort", () => request.abort());
        request.send(file);
    });
}

/** The query of a path: what is undefined, null or "" is left out. */
export function query(values) {
    const kept = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
    return kept.length ? `?${new URLSearchParams(kept.map(([key, value]) => [key, String(value)]))}` : "";
}

/**
 * Events of a path (SSE), by type: { phase(data), ... }. The browser connects again by itself, from the last event that came.
 * Returns what ends it.
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

/**
 * What GET answers to path, for components: { value, error, loading, reload }. A path of null asks for nothing. While another path is
 * asked for, and after a failure, the value that was there stays, so that pages do not flicker; `loading` says so.
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
