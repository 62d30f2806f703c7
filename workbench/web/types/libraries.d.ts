// Libraries that are bundled when the workbench is built: what they are is not looked at by `make lint`.
declare module "*/lib/codemirror.js";
declare module "*/lib/dagre.js";
declare module "*/lib/plot.js";
/** The compiler's own declarations do not have it yet. */
declare class DecompressionStream {
    constructor(format: string);
    readonly readable: ReadableStream<Uint8Array>;
    readonly writable: WritableStream<Uint8Array>;
}
