import { element, svg } from "../shared/dom";
import { counted, formatBytes } from "../shared/format";
import type { Failure } from "./space";

const WIDTH = 1000;

/** The failed request and what was free, as bars on one scale. */
export function failureView(failure: Failure): HTMLElement {
    const { mark, free, largestHole, holes } = failure;
    const most = Math.max(mark.requested, free, mark.free, 1);
    const text =
        `The last request that failed asked for ${formatBytes(mark.requested)}${mark.site === "" ? "" : ` at ${mark.site}`}. ` +
        `The device then had ${formatBytes(mark.free)} left to give. At the end of the recording the largest hole in what is reserved has ` +
        `${formatBytes(largestHole)}, and all ${counted(holes, "hole")} together have ${formatBytes(free)}.`;
    const bars = element(
        "div",
        "bars",
        ...bar("asked for", mark.requested, most, "asked"),
        ...bar("largest hole", largestHole, most, "hole"),
        ...bar("all holes", free, most, "hole"),
        ...bar("free on the device", mark.free, most, "hole"),
    );
    return element("div", "failure", element("p", "", text), bars);
}

function bar(name: string, bytes: number, most: number, look: string): Node[] {
    const drawing = svg(
        "svg",
        { viewBox: `0 0 ${WIDTH} 14`, preserveAspectRatio: "none", "aria-hidden": "true" },
        svg("rect", { x: 0, y: 0, width: Math.max((bytes / most) * WIDTH, 1), height: 14, class: look }),
    );
    return [element("span", "name", name), drawing, element("span", "amount", formatBytes(bytes))];
}
