import { stackLines, type Picture } from "../data/picture";
import { attributes, element } from "../shared/dom";
import { shown } from "../shared/format";

/** Characters of a frame; paths that are longer say no more. */
const LONGEST = 300;

/** The frames that led to a call, innermost first, all of them; those of the program stand out. */
export function stackList(picture: Pick<Picture, "calls" | "frames">, call: number): HTMLElement {
    const lines = stackLines(picture, call).map(({ text, kind }) => element("li", kind, shown(text, LONGEST)));
    return lines.length === 0 ? element("p", "note", "No stack was recorded.") : attributes(element("ol", "frames", ...lines), { tabindex: 0, "aria-label": "Stack" });
}
