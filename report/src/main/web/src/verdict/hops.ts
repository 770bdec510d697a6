/** What is said of the objects on a path and the references between them. */
import type { Hop } from "report";

/** Whether an object should be there, and why; empty where that is not said. */
export function verdictText(hop: Hop): string {
    return hop.reason === "" ? "" : `${hop.verdict}: ${hop.reason}`;
}

/** A reference by its name; an item's with that of its container, which in a cycle may stand at the end. */
export function referenceName(hops: Hop[], index: number): string {
    const before = hops[(index + hops.length - 1) % hops.length];
    const { label } = hops[index];
    return label.startsWith("[") ? before.label + label : label;
}
