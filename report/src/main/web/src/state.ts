/** What of the page is shown, as the end of its address, so that a link leads there again. */
import type { BlockName } from "./data/allocations";

/** What of the timeline is shown. */
export interface ViewState {
    axis: "events" | "time";
    /** The events in view; null for all. */
    view: { from: number; to: number } | null;
    /** The event of the cursor; null where there is none. */
    cursor: number | null;
}

export interface PageState extends ViewState {
    device: number;
    /** The block that was chosen. */
    block: BlockName | null;
}

/** How long the view has to rest before the address follows: browsers limit how often it may change. */
const REST_MS = 300;

/** The state that the end of an address names; null where it names none. */
export function stateOf(hash: string): PageState | null {
    const words = new URLSearchParams(hash.replace(/^#/, ""));
    const number = (name: string) => (/^\d+$/.test(words.get(name) ?? "") ? Number(words.get(name)) : null);
    const [, from, to] = /^(\d+)-(\d+)$/.exec(words.get("events") ?? "") ?? [];
    const view = from === undefined ? null : { from: Number(from), to: Number(to) };
    const axis = words.get("axis") === "time" ? "time" : "events";
    const state: PageState = { device: number("device") ?? 0, axis, view, cursor: number("cursor"), block: blockOf(words.get("block") ?? "") };
    return ["device", "axis", "events", "cursor", "block"].some((name) => words.has(name)) ? state : null;
}

/** A block by the event of its birth and its address, such as 120x7f20. */
function blockOf(text: string): BlockName | null {
    const [, born, address] = /^(-1|\d+)x([0-9a-f]{1,16})$/.exec(text) ?? [];
    return born === undefined ? null : { born: Number(born), address: parseInt(address, 16) };
}

/** The end of an address that names a state. */
export function hashOf({ device, axis, view, cursor, block }: PageState): string {
    const words = new URLSearchParams({ device: String(device) });
    if (axis === "time") {
        words.set("axis", axis);
    }
    if (view !== null) {
        words.set("events", `${Math.round(view.from)}-${Math.round(view.to)}`);
    }
    if (cursor !== null) {
        words.set("cursor", String(cursor));
    }
    if (block !== null) {
        words.set("block", `${block.born}x${block.address.toString(16)}`);
    }
    return `#${words}`;
}

let waiting: number | undefined;

/** Lets the address of the page name a state, once it rests. */
export function nameState(state: () => PageState): void {
    window.clearTimeout(waiting);
    waiting = window.setTimeout(() => history.replaceState(null, "", hashOf(state())), REST_MS);
}
