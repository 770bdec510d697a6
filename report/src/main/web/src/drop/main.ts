/** The page that reads recordings: drop, choose or paste; the verdict first, then the whole page. Nothing leaves it. */
import { attributes, button, element } from "../shared/dom";
import { capital, counted, fileName, formatBytes, words } from "../shared/format";
import { followSystemTheme } from "../shared/theme";
import { bytes } from "./bytes";
import { chosen, dropped, isOfFiles, isSource } from "./files";
import type { FromWorker, Named, Question, ToWorker } from "./protocol";

/** The part of a report, a comparison or an answer about dumps that is looked at here. */
interface Answer {
    schema?: string;
    verdict?: string;
    reason?: string;
    headline?: string;
    summary?: string;
    inputs?: { kind: string }[];
}

/** What a dump is called among the inputs of a report: it says who holds what, and is nothing to compare a recording with. */
const DUMP = "holder dump";
/** What a recording of the allocator is called there. */
const SNAPSHOT = /^torch /;

/** The worker says something more often than this, or it is ended; judging may take as long as this or some times as long as reading did. */
const SILENCE_MS = 10_000;
const JUDGING_TO_READING = 5;

const RECORD = `torch.cuda.memory._record_memory_history()
...  # some steps of your program
torch.cuda.memory._dump_snapshot("snapshot.pickle")`;

/** Of the text: pixels of a character, characters of its margins, and how many a line has. */
const CHARACTER = 8;
const BESIDE = 6;
const NARROWEST = 40;
const WIDEST = 110;

const TITLE = document.title;

/** A browser may ask where to save a file before it reads it. */
const LONGEST_START_MS = 60_000;

const module = document.getElementById("module")?.textContent ?? "";
const script = URL.createObjectURL(new Blob([document.getElementById("worker")?.textContent ?? ""], { type: "text/javascript" }));
const samples = document.querySelectorAll<HTMLElement>(".sample");

const place = document.getElementById("leakline") ?? document.body;
const status = attributes(element("p", "status"), { role: "status", "aria-live": "polite" });
let worker = started();
/** Ends a worker that says nothing. */
let silence = 0;

/** A worker with the program in it: made before it is needed. */
function started(): Worker {
    const made = new Worker(script);
    send(made, { kind: "start", module });
    return made;
}

function send(to: Worker, message: ToWorker): void {
    to.postMessage(message);
}

/** Ends what goes on, and makes ready for the next case. */
function restart(): void {
    clearTimeout(silence);
    worker.terminate();
    worker = started();
}

const pasted = attributes(element("textarea"), {
    rows: 6,
    spellcheck: "false",
    placeholder: "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate …",
    "aria-label": "An error message, a log, or what nvidia-smi prints",
});
pasted.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        explain();
    }
});

function explain(): void {
    judge([{ name: "pasted text", file: new Blob([pasted.value.trim() && pasted.value]), isAnything: true }]);
}

function welcome(said: string = ""): void {
    const files = attributes(element("input"), { type: "file", multiple: true, hidden: true });
    const folder = attributes(element("input"), { type: "file", webkitdirectory: true, hidden: true });
    for (const input of [files, folder]) {
        input.addEventListener("change", () => void judge(chosen(input.files)));
    }
    const example = button("Try an example", () => judge(Array.from(samples, (from) => ({ name: from.dataset["name"] ?? "", file: new Blob([bytes(from.textContent ?? "")]) }))));
    status.textContent = said;
    document.title = TITLE;
    place.replaceChildren(
        element(
            "main",
            "welcome",
            element("h1", "", "What fills the GPU, and what leaks?"),
            element("p", "lead", "Drop a memory snapshot, a holder dump, a log or a folder of a job. The verdict comes first; nothing is uploaded."),
            element(
                "div",
                "drop",
                element("p", "", "Drop files or folders anywhere on this page"),
                element(
                    "p",
                    "choices",
                    main(button("Choose files", () => files.click())),
                    button("Choose a folder", () => folder.click()),
                    samples.length > 0 && example,
                ),
                files,
                folder,
            ),
            status,
            element("h2", "", "Or paste an error message or a log"),
            pasted,
            element("p", "choices", button("Explain", explain)),
            element("h2", "", "A snapshot is made by PyTorch itself"),
            element("pre", "code", RECORD),
            element(
                "p",
                "note",
                "Also read: exports of torch.profiler, JSON, memory_viz pages, figures of nvidia-smi and of training logs, reports of Leakline; plain, gzip or zstd.",
                " Two recordings can be compared, and the ranks of a job.",
                " With your .py files beside a recording, findings show lines of code and how to change them; .py files alone are checked for code that leaks.",
            ),
            element("p", "note", "Only the command looks at jobs that run and tries other settings (", element("code", "", "leakline attach, watch, fit, whatif"), "), and reads what is too large for a tab."),
            element("p", "note", "The policy of this file forbids every connection (connect-src 'none'): what you drop cannot leave the browser."),
        ),
    );
}

function main(made: HTMLButtonElement): HTMLButtonElement {
    made.className = "main";
    return made;
}

function judge(all: Named[], question: Question = "judge"): void {
    const files = all.filter(({ file }) => file.size > 0);
    if (files.length === 0) {
        welcome(all.length === 0 ? "There is no file in it." : `${all[0].name} is empty.`);
        return;
    }
    new Case(files, question).begin();
}

/** One case on the screen, from the drop to the answer. */
class Case {
    private readonly bar = attributes(element("progress"), { max: 1, "aria-label": "Reading" });
    private readonly verdict = element("h1", "verdict");
    private readonly reason = element("p", "reason");
    private readonly refused = element("summary");
    private readonly reasons = element("ul");
    private readonly unread = attributes(element("details", "unread", this.refused, this.reasons), { open: true, hidden: true });
    private readonly actions = element("p", "choices");
    private readonly body = element("div", "body");
    private readonly begun = performance.now();
    private answer: Answer = {};
    private read = 0;
    private readonly total: number;

    constructor(
        private readonly files: Named[],
        private readonly question: Question,
    ) {
        this.total = files.reduce((sum, { file }) => sum + file.size, 0);
    }

    begin(): void {
        this.actions.replaceChildren(
            button("Cancel", () => {
                restart();
                welcome("Cancelled.");
            }),
        );
        this.say(`Reading ${this.named()} …`);
        place.replaceChildren(element("main", "case", element("div", "answer", this.verdict, this.reason, this.bar, status, this.unread, this.actions), this.body));
        worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.heard(data);
        worker.onerror = (event) => this.failed(event.message ?? "the worker ended");
        const columns = Math.floor(Math.min(Math.max(innerWidth / CHARACTER - BESIDE, NARROWEST), WIDEST));
        send(worker, { kind: "judge", files: this.files, question: this.question, columns });
        this.expect(SILENCE_MS, `no more of ${this.named()} was read`);
    }

    private named(): string {
        const { length } = this.files;
        return `${length === 1 ? this.files[0].name : counted(length, "file")} (${formatBytes(this.total)})`;
    }

    private say(text: string): void {
        status.textContent = text;
    }

    /** Ends the worker where it says nothing for so long. */
    private expect(most: number, otherwise: string, ended: (why: string) => void = (why) => this.failed(why)): void {
        clearTimeout(silence);
        silence = window.setTimeout(() => ended(`for ${Math.round(most / 1000)} s ${otherwise}`), most);
    }

    /** The time for judging and drawing: in proportion to reading, which is slow where the browser is. */
    private patience(): number {
        return Math.max(SILENCE_MS, JUDGING_TO_READING * (performance.now() - this.begun));
    }

    private heard(message: FromWorker): void {
        switch (message.kind) {
            case "reading":
                this.reading(message.name, message.bytes);
                break;
            case "judging":
                this.bar.removeAttribute("value");
                this.expect(this.patience(), "there was no verdict");
                this.say(`Judging ${this.named()} …`);
                break;
            case "unread":
                this.reasons.append(element("li", "", `${message.name}: ${message.why}`));
                this.refused.textContent = `${counted(this.reasons.childElementCount, "file")} could not be read`;
                this.unread.hidden = false;
                break;
            case "answer":
                this.answered(message.json, message.text);
                break;
            case "page":
                this.drawn(message.html);
                break;
            case "failed":
                this.failed(message.why);
                break;
        }
    }

    private reading(name: string, bytes: number): void {
        const before = this.files.slice(0, this.files.findIndex((named) => named.name === name));
        const read = before.reduce((sum, { file }) => sum + file.size, bytes);
        this.read = read;
        this.bar.value = read / this.total;
        this.expect(SILENCE_MS, `no more of ${this.named()} was read`);
        this.say(`Reading ${this.named()}: ${formatBytes(read)} …`);
    }

    private answered(json: string, text: string): void {
        if (json === "") {
            this.verdict.textContent = "Nothing here is known to Leakline";
            this.end();
            return;
        }
        const answer = JSON.parse(json) as Answer;
        this.answer = answer;
        this.verdict.textContent = capital(headline(answer, text));
        this.verdict.classList.toggle("found", answer.verdict !== undefined && !["no_leak", "undetermined"].includes(answer.verdict));
        this.reason.textContent = answer.reason ?? "";
        this.body.replaceChildren(element("pre", "text", text));
        document.documentElement.dataset["answered"] = String(Math.round(performance.now() - this.begun));
        this.say("Drawing the page …");
        this.expect(this.patience(), "the page was not drawn", (why) => {
            this.drawn("");
            this.say(`${why}: this is the text alone. The command draws it: leakline report --html page.html ${this.files[0].name}`);
        });
        this.actions.prepend(
            button("Save JSON", () => this.save("json", "application/json", json)),
            button("Save text", () => this.save("txt", "text/plain", text)),
        );
    }

    private drawn(html: string): void {
        this.end();
        if (html !== "") {
            this.body.replaceChildren(this.frame(html));
            this.verdict.hidden = true; // the page begins with them
            this.reason.hidden = true;
            this.unread.open = false;
            this.actions.prepend(main(button("Save this page", () => this.save("html", "text/html", html))));
        }
        document.documentElement.dataset["drawn"] = String(Math.round(performance.now() - this.begun));
    }

    /** The page in a frame that has scripts or is of this origin, never both: comparisons have no script that could tell what is dragged over them. */
    private frame(html: string): HTMLIFrameElement {
        const hasScripts = this.question === "judge";
        const frame = attributes(element("iframe"), { title: "Report", sandbox: `${hasScripts ? "allow-scripts" : "allow-same-origin"} allow-popups` });
        if (!hasScripts) {
            frame.addEventListener("load", () => frame.contentDocument?.addEventListener("dragenter", (event) => drag(isOfFiles(event))));
        }
        frame.srcdoc = html;
        return frame;
    }

    private save(ending: string, type: string, content: string): void {
        const link = attributes(element("a"), { href: URL.createObjectURL(new Blob([content], { type })), download: `${fileName(this.files[0].name)}.leakline.${ending}` });
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), LONGEST_START_MS);
    }

    private failed(why: string): void {
        const name = this.files[0].name;
        const command = this.files.every(isSource) ? "lint" : this.question === "judge" ? "report" : this.question === "ranks" ? "ranks" : "diff";
        const limit = (performance as { memory?: { jsHeapSizeLimit: number } }).memory?.jsHeapSizeLimit;
        const memory = limit === undefined ? "" : `; a tab may take ${formatBytes(limit)} of memory`;
        this.verdict.hidden = false;
        this.verdict.textContent = "This browser could not finish";
        this.end();
        this.reason.hidden = false;
        this.reason.textContent = `It stopped with ${formatBytes(this.read)} of ${formatBytes(this.total)} read: ${why}${memory}. The command has neither limit: leakline ${command} ${name}`;
        document.documentElement.dataset["drawn"] = "failed";
    }

    private end(): void {
        restart();
        this.bar.remove();
        document.title = this.answer.headline ?? this.verdict.textContent;
        this.say(`${document.title}: ${this.named()}, ${((performance.now() - this.begun) / 1000).toFixed(1)} s`);
        this.actions.querySelector("button:last-child")?.remove();
        const inputs = this.answer.inputs ?? [];
        if (this.question === "judge" && inputs.length === 2 && inputs.every(({ kind }) => kind !== DUMP)) {
            this.actions.append(button("Compare the two", () => judge(this.files, "compare")));
        }
        if (this.question === "compare") {
            const recordings = this.files.filter((file) => !isSource(file));
            this.actions.append(button("Swap before and after", () => judge([...recordings.reverse(), ...this.files.filter(isSource)], "compare")));
        }
        if (this.question === "judge" && inputs.filter(({ kind }) => SNAPSHOT.test(kind)).length > 1) {
            this.actions.append(button("As ranks of one job", () => judge(this.files, "ranks")));
        }
        this.actions.append(button("Another case", () => welcome()));
    }
}

/** The answer in short: said by the report itself, by the last line of lint, or by the first of ranks. */
function headline({ schema, summary, verdict }: Answer, text: string): string {
    const lines = text.trim().split("\n");
    if (schema?.startsWith("leakline.lint/") === true) {
        return lines[lines.length - 1].split(";")[0]; // without the options of the command
    }
    if (schema?.startsWith("leakline.ranks/") === true) {
        return lines[0];
    }
    return summary ?? words(verdict ?? "who holds the memory");
}

/** Marks the page while files are dragged over it: the report lets them through, and says itself when they come over it first. */
function drag(isDragged: boolean): void {
    document.documentElement.toggleAttribute("data-dragged", isDragged);
}

addEventListener("message", () => drag(true));
addEventListener("dragover", (event) => {
    if (isOfFiles(event)) {
        event.preventDefault();
        drag(true);
    }
});
addEventListener("dragleave", (event) => event.relatedTarget === null && drag(false));
addEventListener("pointermove", () => drag(false)); // there is none while something is dragged
addEventListener("drop", (event) => {
    drag(false);
    if (isOfFiles(event) && event.dataTransfer !== null) {
        event.preventDefault();
        restartIfBusy();
        dropped(event.dataTransfer).then(
            (files) => judge(files),
            () => welcome("This browser cannot look into a folder that is dropped here: choose the folder instead."),
        );
    }
});

/** What is dropped while a case is read takes its place. */
function restartIfBusy(): void {
    if (worker.onmessage !== null) {
        restart();
    }
}

followSystemTheme();
welcome();
document.documentElement.dataset["ready"] = "";
