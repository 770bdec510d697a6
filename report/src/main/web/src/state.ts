/** What of the page is shown, as the end of its address, so that a link leads there again. */

export interface PageState {
    device: number;
    axis: "events" | "time";
    /** The events in view; null for all. */
    view: { from: number; to: number } | null;
    /** The event of the cursor; null where there is none. */
    cursor: number | null;
}

/** How long the view has to rest before the address follows: browsers limit how often it may change. */
const REST_MS = 300;

/** The state that the end of an address names; null where it names none. */
export function stateOf(hash: string): PageState | null {
    const words = new URLSearchParams(hash.replace(/^#/, ""));
    const number = (name: string) => (/^\d+$/.test(words.get(name) ?? "") ? Number(words.get(name)) : null);
    const [, from, to] = /^(\d+)-(\d+)$/.exec(words.get("events") ?? "") ?? [];
    const view = from === undefined ? null : { from: Number(from), to: Number(to) };
    const state: PageState = { device: number("device") ?? 0, axis: words.get("axis") === "time" ? "time" : "events", view, cursor: number("cursor") };
    return ["device", "axis", "events", "cursor"].some((name) => words.has(name)) ? state : null;
}

/** The end of an address that names a state. */
export function hashOf({ device, axis, view, cursor }: PageState): string {
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
    return `#${words}`;
}

let waiting: number | undefined;

/** Lets the address of the page name a state, once it rests. */
export function nameState(state: () => PageState): void {
    window.clearTimeout(waiting);
    waiting = window.setTimeout(() => history.replaceState(null, "", hashOf(state())), REST_MS);
}
