/** Who holds a finding, in words. */
import type { Cycle, Holder, Hop } from "../data/schema";
import { counted, formatBytes, formatCount } from "../shared/format";

/** The owner, and what of the finding it holds. */
export function ownerText(holder: Holder): string {
    return `${holder.title}: ${formatBytes(holder.finding_bytes)} in ${counted(holder.finding_blocks, "block")}`;
}

/** What comes back if it goes, and how it went from dump to dump. */
export function backText(holder: Holder): string {
    const shared = holder.shared_bytes > 0 ? `, and ${formatBytes(holder.shared_bytes)} is its share of what others hold as well` : "";
    return `${formatBytes(holder.retained_bytes)} come back if it goes${shared}.${growthText(holder)}`;
}

function growthText({ growth }: Holder): string {
    if (growth === null) {
        return "";
    }
    const items = growth.items[growth.items.length - 1] < 0 ? "" : `; items ${growth.items.map((count) => (count < 0 ? "none" : formatCount(count))).join(", ")}`;
    return ` From dump to dump: ${growth.bytes.map(formatBytes).join(", ")}${items}; ${counted(growth.new_storages, "new storage")}.`;
}

/** How many cycles of the same shape there are, and who ends them. */
export function cycleText(cycle: Cycle): string {
    const copies = cycle.copies === 1 ? "One cycle" : `${formatCount(cycle.copies)} cycles`;
    const it = cycle.copies === 1 ? "it" : "them";
    const end = cycle.collectable
        ? `Python's garbage collector ends ${it} when it runs`
        : `Python's garbage collector does not see the autograd graph in ${it}, and never ends ${it}`;
    return `${copies} of ${counted(cycle.objects, "object")}${cycle.copies === 1 ? "" : " each"}. ${end}.`;
}

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

/** A holder in lines of plain text. */
export function holderLines(holder: Holder): string[] {
    const hops = holder.cycle === null ? holder.path : holder.cycle.hops;
    const suspects = [...new Set(hops.flatMap((hop, i) => (hop.suspect ? [referenceName(hops, i)] : [])))];
    const way = hops.map((hop, i) => (i === 0 || hop.label === "" ? hop.text : `${hop.label}: ${hop.text}`));
    if (holder.cycle !== null) {
        way.push(`${hops[0].label}: the first again`);
    }
    const blame = suspects.length === 0 ? [] : [`${holder.cycle === null ? "to blame" : "cut at"}: ${suspects.join(", ")}`];
    return [`held by: ${ownerText(holder)}`, `${holder.cycle === null ? "path" : "cycle"}: ${way.join(" → ")}`, ...blame, backText(holder)];
}
