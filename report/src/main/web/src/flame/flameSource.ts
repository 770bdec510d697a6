import { grownByCall, keptByCall, liveByCall, treeOf } from "../data/moments";
import type { Tree } from "../data/tree";
import type { ChosenMoment } from "../moment/chosenMoment";
import { formatBytes } from "../shared/format";

/** What a flame graph shows: all that is live at the moment, what grew since A, what outlived its step and stayed. */
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
        return `${total} outlived the step that made them and are live at the end.`;
    }
    if (kind === "since" && mark !== null) {
        return `${total} more than at A, by the calls that hold more: from ${name(mark)} to ${name(event)}.`;
    }
    return `${total} live at ${name(event)}.`;
}
