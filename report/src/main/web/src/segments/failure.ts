import { element, svg } from "../shared/dom";
import { counted, formatBytes, formatCount } from "../shared/format";
import type { Failure } from "./space";

const WIDTH = 1000;

/** The request that failed and what was free, as bars on one scale. */
export function failureView(failure: Failure): HTMLElement {
    const { mark, use } = failure;
    const most = Math.max(mark.requested, use.free, mark.free, 1);
    const bars = element(
        "div",
        "bars",
        ...bar("requested", mark.requested, most, "requested"),
        ...bar("largest hole", use.largestHole, most, "hole"),
        ...bar("all holes", use.free, most, "hole"),
        ...bar("free on the device", mark.free, most, "hole"),
    );
    return element("div", "failure", element("p", "", failureText(failure)), bars);
}

/** The request and the holes in words. */
export function failureText({ mark, use, fitting }: Failure): string {
    const request = `This request for ${formatBytes(mark.requested)} failed${/^\(|^$/.test(mark.site) ? "" : `, at ${mark.site}`}.`;
    const device = `${formatBytes(mark.free)} were free on the device.`;
    if (use.holes === 0) {
        return `${request} ${device} No segment had a hole.`;
    }
    const together = `${formatBytes(use.free)} were free in ${counted(use.holes, "hole")} of the segments`;
    const small = use.holes - fitting;
    const verdict = fitting === 0 ? (use.holes === 1 ? "it was too small" : "each was too small") : `${formatCount(small)} were too small, ${formatCount(fitting)} large enough but of another pool or stream`;
    return `${request} ${device} ${together}; ${verdict}. The largest hole was ${formatBytes(use.largestHole)}.`;
}

function bar(name: string, bytes: number, most: number, look: string): Node[] {
    const drawing = svg(
        "svg",
        { viewBox: `0 0 ${WIDTH} 14`, preserveAspectRatio: "none", "aria-hidden": "true" },
        svg("rect", { x: 0, y: 0, width: Math.max((bytes / most) * WIDTH, 1), height: 14, class: look }),
    );
    return [element("span", "name", name), drawing, element("span", "amount", formatBytes(bytes))];
}
