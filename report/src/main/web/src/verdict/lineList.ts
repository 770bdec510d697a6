import type { Line } from "report";
import { element } from "../shared/dom";

/** Labelled lines as a list; null where there are none. */
export function lineList(lines: Line[]): HTMLElement | null {
    const items = lines.flatMap(({ label, text }) => [element("dt", "", label), element("dd", "", text)]);
    return items.length === 0 ? null : element("dl", "figures", ...items);
}
