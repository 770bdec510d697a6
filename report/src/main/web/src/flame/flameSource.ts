import { foundByCall, grownByCall, liveByCall, treeOf } from "../data/moments";
import type { Tree } from "../data/tree";
import type { ChosenMoment } from "../moment/chosenMoment";
import { formatBytes } from "../shared/format";

/** What a flame graph shows: what is live at the moment, of that what findings are about, or the difference from A. */
export type FlameKind = "live" | "found" | "since";

/** The tree of a kind at the chosen moment. */
export function flameTree(kind: FlameKind, moment: ChosenMoment): Tree {
    const { picture, event, mark } = moment;
    if (kind === "found") {
        return treeOf(picture, foundByCall(picture, event));
    }
    return treeOf(picture, kind === "since" && mark !== null ? grownByCall(picture, mark, event) : liveByCall(picture, event));
}

/** What the tree is, in words; {@code name} says an event in words. */
export function flameText(kind: FlameKind, moment: ChosenMoment, tree: Tree, name: (event: number) => string): string {
    const total = formatBytes(tree.bytes[0]);
    const { event, mark } = moment;
    if (kind === "found") {
        return `${total} that findings are about, live at ${name(event)}.`;
    }
    if (kind === "since" && mark !== null) {
        return `${total} more than at A, in the calls that grew from ${name(mark)} to ${name(event)}.`;
    }
    return `${total} live at ${name(event)}.`;
}
