import { element } from "../shared/dom";
import { formatBytes } from "../shared/format";
import { columnsFor } from "./paintSegments";

/** Pixels that the name needs beside its bar. */
const NAME = 160;

/** The request that failed, as a bar of so many pixels above the segments. */
export function requestBar(bytes: number, width: number, whole: number): HTMLElement[] {
    const { left, room } = columnsFor(whole);
    const isBeside = width < room - NAME;
    const bar = element("span", "requested-bar");
    bar.style.left = `${left}px`;
    bar.style.width = `${width}px`;
    const name = element("span", isBeside ? "requested-name" : "requested-name within", `${formatBytes(bytes)} requested`);
    name.style.left = `${isBeside ? left + width + 8 : left + 6}px`;
    return [bar, name];
}
