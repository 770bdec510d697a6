/** An event in words. */
import { blockLines, hexadecimal } from "../block/blockText";
import { stackList } from "../block/stack";
import type { RecordedEvent } from "../data/events";
import type { Picture } from "../data/picture";
import { element } from "../shared/dom";
import { capital, formatBytes, formatCount, shown } from "../shared/format";

/** A row of the list: number, action, size, address, line. */
export function eventRow({ sites, allocations }: Picture, { event, action, bytes, address, row }: RecordedEvent): HTMLElement {
    const site = row < 0 ? "" : (sites[allocations.site[row]]?.label ?? "");
    const cells = [formatCount(event), action, bytes > 0 ? formatBytes(bytes) : "", address === null ? "" : hexadecimal(address), shown(site, 80)];
    return element("div", `event ${action}`, ...cells.map((text) => element("span", "", text)));
}

/** A row of events that are being read. */
export function waitingRow(event: number): HTMLElement {
    return element("div", "event", element("span", "", formatCount(event)), element("span", "", "…"));
}

/** All that is known of an event: {@code place} says when it was. */
export function eventDetails(picture: Picture, place: string, { action, bytes, address, row, event }: RecordedEvent): HTMLElement[] {
    const heading = element("h3", "", `${action}${bytes > 0 ? ` ${formatBytes(bytes)}` : ""}`);
    const where = element("p", "place", [capital(place), bytes > 0 ? `${formatCount(bytes)} bytes` : "", address === null ? "" : hexadecimal(address)].filter((part) => part !== "").join(" · "));
    if (row < 0) {
        const site = picture.oom.find((one) => one.event === event)?.site ?? "";
        return [heading, where, element("p", "", site === "" ? unknownStack(action) : `Requested at ${site}.`)];
    }
    const [name, life] = blockLines(picture, picture.allocations, row);
    const title = action === "alloc" ? "Allocated by" : "Freed here, allocated by";
    return [heading, where, element("p", "", `${name}, ${life}.`), element("h4", "", title), stackList(picture, picture.allocations.call[row])];
}

function unknownStack(action: string): string {
    return action === "other" ? "This event changes no memory: a note, or a snapshot that was taken." : "The page has no stack of this event.";
}
