/** What is said of the timeline as a whole. */
import { isKeptThroughout } from "../data/kept";
import type { Picture } from "../data/picture";
import type { PictureSite } from "../data/schema";
import { counted, formatBytes } from "../shared/format";
import { MORE_DETAIL } from "../shared/moreDetail";
import type { Bands } from "./bands";
import { momentAt, momentPlace, momentTotals, type Moment } from "./moment";
import type { TimelineView } from "./view";

/** How much of the recording a column stands for, and why it is not less. */
export function grainText({ exact, eventsOfColumn, pixels }: Bands, { picture, range, axis }: TimelineView): string {
    if (exact !== null || eventsOfColumn === 1) {
        return exact !== null ? "Every event and every block is drawn." : "Every event is drawn.";
    }
    const grain = `1 column = up to ${counted(eventsOfColumn, "event")}; it shows the moment with the most live bytes.`;
    const [from, to] = [axis.toEvent(range.from), axis.toEvent(range.to)];
    const isMissing = to - from <= pixels && !isKeptThroughout(picture, from, to);
    return isMissing ? `${grain} The page has not every block here; ${MORE_DETAIL}.` : grain;
}

/** The timeline in words, for who does not see it. */
export function summaryText(picture: Picture, view: TimelineView): string {
    const peak = momentAt(view, picture.peak);
    return (
        `Stacked areas of live GPU memory over ${counted(picture.events, "event")}: peak ${formatBytes(peak.live)} at ${momentPlace(peak)}. ` +
        `${counted(picture.sites.length, "site")}. Arrow keys move, plus and minus zoom, Enter sets the cursor, Home resets the zoom.`
    );
}

/** A moment in words, as the legend says it. */
export function momentText({ sites }: Picture, moment: Moment, heading: string): string {
    const largest = moment.bySite.indexOf(Math.max(...moment.bySite));
    const name = sites[largest]?.label ?? "";
    return `${heading}: ${momentPlace(moment)}. ${momentTotals(moment)}. Largest: ${name.slice(0, 200)}, ${formatBytes(moment.bySite[largest] ?? 0)}.`;
}

/** What shades of one colour mean, where a finding has several lines. */
export function shadeNote(sites: PictureSite[]): string {
    const owners = sites.flatMap(({ finding }) => (finding === null ? [] : [finding]));
    return new Set(owners).size < owners.length ? "Shades of one strong colour are lines of one finding. " : "";
}
