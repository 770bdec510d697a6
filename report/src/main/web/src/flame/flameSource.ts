import { grownByCall, keptByCall, liveByCall, treeOf } from "../data/moments";
import type { Tree } from "../data/tree";
import type { ChosenMoment } from "../moment/chosenMoment";
import { formatBytes } from "../shared/format";

/** What a flame graph shows: what is live at the moment, the difference from A, what is retained: outlived its step and is live at the end. */
export type FlameKind = "live" | "since" | "kept";

/** The tree of a kind at the chosen moment. */
export function flameTree(kind: FlameKind, moment: ChosenMoment): Tree {
    const { picture, event, mark } = moment;
    if (kind === "kept") {
        return treeOf(picture, keptByCall(picture));
    }
    return treeOf(picture, kind === "since" && mark !== null ? grownByCall(picture, mark, event) : liveByCall(picture, event));
}

/** What the tree is, in words; {@code name} says an event in words. */
export function flameText(kind: FlameKind, moment: ChosenMoment, tree: Tree, name: (event: number) => string): string {
    const total = formatBytes(tree.bytes[0]);
    const { event, mark } = moment;
    if (kind === "kept") {
        return `${total} retained: live at the end, allocated in an earlier step.`;
    }
    if (kind === "since" && mark !== null) {
        return `${total} more than at A, in the calls that grew from ${name(mark)} to ${name(event)}.`;
    }
    return `${total} live at ${name(event)}.`;
}
