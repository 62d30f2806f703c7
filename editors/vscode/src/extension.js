// extension.js: starts `atomc lsp` for .atd files, and connects VS Code's client to it. The bundle out/extension.js is
// made from it and from vscode-languageclient (editors/vscode/bundle.mjs).
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function start() {
    const command = vscode.workspace.getConfiguration("atomc").get("path") || "atomc";
    const server = { command, args: ["lsp"] }; // over standard input and output
    client = new LanguageClient("atomc", "atomc", { run: server, debug: server }, {
        documentSelector: [{ scheme: "file", language: "atd" }],
        // C that is saved may mend or break the page that names it.
        synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{atd,inc,c,h}") },
    });
    try {
        await client.start();
    } catch (error) {
        client = undefined;
        const choice = await vscode.window.showErrorMessage(`The language server cannot be started: ${command} lsp: ${error.message}`, "Settings");
        if (choice) await vscode.commands.executeCommand("workbench.action.openSettings", "atomc.path");
    }
}

async function stop() {
    const last = client;
    client = undefined;
    if (last) await last.stop();
}

exports.activate = async (context) => {
    context.subscriptions.push(
        vscode.workspace.onDidChangeConfiguration(async (event) => {
            if (!event.affectsConfiguration("atomc.path")) return;
            await stop();
            await start();
        }),
    );
    await start();
    return { client: () => client };
};
exports.deactivate = stop;
