/** Files as they come: chosen or dropped, with their folders. */
import type { Named } from "./protocol";

/** Files of a case; a folder with more is a store of many. */
const MOST_FILES = 256;
/** Entries of folders that are looked at: those of a large program's sources. */
const MOST_ENTRIES = 4096;

/** Folders of installed packages and of tools. */
const OTHERS = /(^|\/)(\.[^/]*|(site|dist)-packages|node_modules|venv|__pycache__)(\/|$)/;

export function chosen(list: FileList | null): Named[] {
    return usable(Array.from(list ?? [], (file) => ({ name: file.webkitRelativePath || file.name, file })));
}

/** What was dropped: it has to be taken at once, before the event is over. Of a page opened from a disk, Chromium reads files, but no entries. */
export async function dropped(transfer: DataTransfer): Promise<Named[]> {
    const files = chosen(transfer.files);
    const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
    if (!entries.some((entry) => entry.isDirectory)) {
        return files;
    }
    const found: Named[] = [];
    for (const entry of entries) {
        await gather(entry, found);
    }
    return usable(found);
}

export function isOfFiles({ dataTransfer }: DragEvent): boolean {
    return dataTransfer?.types.includes("Files") === true;
}

async function gather(entry: FileSystemEntry, into: Named[]): Promise<void> {
    const name = entry.fullPath.replace(/^\//, "");
    if (entry.isFile) {
        into.push({ name, file: await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail)) });
    } else if (!OTHERS.test(name)) {
        const reader = (entry as FileSystemDirectoryEntry).createReader();
        // A reader answers in parts, an empty one at the end.
        for (let part = [entry]; part.length > 0 && into.length <= MOST_ENTRIES; ) {
            part = await new Promise((done, fail) => reader.readEntries(done, fail));
            for (const inner of part) {
                await gather(inner, into);
            }
        }
    }
}

/** Sources of Python beside recordings, or alone. */
export function isSource({ name }: Named): boolean {
    return name.endsWith(".py");
}

/** Recordings first: sources without them are not what is asked about. */
function usable(files: Named[]): Named[] {
    return files
        .filter(({ name }) => !OTHERS.test(name))
        .sort((one, other) => Number(isSource(one)) - Number(isSource(other)) || (one.name < other.name ? -1 : 1))
        .slice(0, MOST_FILES);
}
