/** Reads and judges in a thread of its own, so that the page stays responsive. */
import { decompress } from "fzstd";
import { bytes } from "./bytes";
import type { FromWorker, Named, Question, ToWorker } from "./protocol";

/** A file as the compiled program reads it. */
interface Reader {
    read(from: number, most: number): Int8Array;
}

/** The compiled program: `dev.leakline.web.Leakline`. */
interface Program {
    add(name: string, reader: Reader, isAnything: boolean): string;
    judge(): string;
    compare(): string;
    ranks(): string;
    text(columns: number): string;
    page(): string;
}

interface Runtime {
    wasmGC: { load(module: Uint8Array): Promise<{ exports: Program }> };
}

declare const FileReaderSync: { new (): { readAsArrayBuffer(blob: Blob): ArrayBuffer } };
/** The runtime of WebAssembly, or in the form without it the program itself, stands before this script. */
declare const TeaVM: Runtime | undefined;

/** Bytes between two words about progress. */
const PROGRESS = 4 << 20;

let program: Promise<Program> | undefined;

function say(message: FromWorker): void {
    postMessage(message);
}

async function load(module: string): Promise<Program> {
    if (typeof TeaVM === "undefined") {
        return globalThis as unknown as Program;
    }
    try {
        return (await TeaVM.wasmGC.load(decompress(bytes(module)))).exports;
    } catch (problem) {
        throw new Error(`this browser cannot run WebAssembly GC; Chrome 119, Firefox 120 and Safari 18.2 or later can: ${problem}`);
    }
}

/** Reads a file piece by piece; the whole of it is never in memory. */
function reader({ name, file }: Named): Reader {
    const files = new FileReaderSync();
    let told = -PROGRESS;
    return {
        read(from: number, most: number): Int8Array {
            if (from >= told + PROGRESS || from < told) {
                told = from;
                say({ kind: "reading", name, bytes: from, of: file.size });
            }
            return new Int8Array(files.readAsArrayBuffer(file.slice(from, from + most)));
        },
    };
}

async function judge(program: Program, files: Named[], question: Question, columns: number): Promise<void> {
    for (const named of files) {
        const why = program.add(named.name, reader(named), named.isAnything === true);
        if (why !== "") {
            say({ kind: "unread", name: named.name, why });
        }
    }
    say({ kind: "judging" });
    const json = program[question]();
    say({ kind: "answer", json, text: json === "" ? "" : program.text(columns) });
    say({ kind: "page", html: json === "" ? "" : program.page() });
}

async function answer(data: ToWorker): Promise<void> {
    if (data.kind === "start") {
        program = load(data.module);
        program.catch(() => {}); // is said when there is something to judge
    } else if (program !== undefined) {
        await judge(await program, data.files, data.question, data.columns);
    }
}

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
    answer(data).catch((problem: unknown) => say({ kind: "failed", why: problem instanceof Error ? problem.message : String(problem) }));
});
