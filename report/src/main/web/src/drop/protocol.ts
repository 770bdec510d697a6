/** What the page that reads recordings and its worker say to each other. A worker serves one case: for the next there is a new one. */

/** A file as it was dropped; its name has the folders that it was dropped with. */
export interface Named {
    name: string;
    file: Blob;
    /** Whether it is taken for a text whatever it is about, as `leakline explain` takes it. */
    isAnything?: boolean;
}

/** What is asked of the files of a case: the verdict, what changed from the first to the second, or what the ranks of a job do otherwise. */
export type Question = "judge" | "compare" | "ranks";

export type ToWorker = { kind: "start"; module: string } | { kind: "judge"; files: Named[]; question: Question; columns: number };

export type FromWorker =
    | { kind: "reading"; name: string; bytes: number; of: number }
    | { kind: "judging" }
    /** A file that could not be read, or not to its end. */
    | { kind: "unread"; name: string; why: string }
    /** The report or comparison as JSON, and as text; nothing where no file could be read. */
    | { kind: "answer"; json: string; text: string }
    /** The whole page; nothing where the answer has none. */
    | { kind: "page"; html: string }
    | { kind: "failed"; why: string };
