/** What is in use on a device, as a sum that closes, and whether sources agree. */
import type { Agreement, MemoryGap } from "report";
import { element, svg } from "../shared/dom";
import { capital, formatBytes, sentence, shown } from "../shared/format";

const WIDTH = 1000;

export function gapTable(gap: MemoryGap): HTMLElement {
    const rows = gap.parts.flatMap((part) => row(part.text, part.bytes, gap.used_bytes, part.kind));
    const total = row("in use", gap.used_bytes, gap.used_bytes, "total");
    return element("div", "gap", element("h3", "", capital(gap.title)), element("div", "bars", ...rows, ...total), element("p", "note", shown(sentence(gap.text), 900)));
}

function row(text: string, bytes: number, most: number, kind: string): Node[] {
    const width = Math.max((Math.max(bytes, 0) / Math.max(most, 1)) * WIDTH, 1);
    const bar = svg("svg", { viewBox: `0 0 ${WIDTH} 14`, preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { x: 0, y: 0, width, height: 14, class: kind }));
    return [element("span", "name", shown(text, 300)), bar, element("span", "amount", formatBytes(bytes))];
}

/** What does not agree comes first. */
export function agreementList(agreements: Agreement[]): HTMLElement | null {
    if (agreements.length === 0) {
        return null;
    }
    const sorted = [...agreements.filter((one) => !one.agreed), ...agreements.filter((one) => one.agreed)];
    const items = sorted.flatMap((one) => [element("dt", "", one.agreed ? "yes" : "no"), element("dd", "", shown(sentence(one.text), 600))]);
    return element("div", "agreements", element("h3", "", "Do the sources agree?"), element("dl", "figures", ...items));
}
