import { KINDS } from "../data/tree";
import { swatch } from "../shared/canvas";
import { element } from "../shared/dom";
import type { Pattern, Theme } from "../shared/palette";

const NAMES: Record<(typeof KINDS)[number], string> = {
    user: "your code",
    package: "packages",
    torch: "torch",
    python: "Python",
    native: "C++",
    other: "other",
};

/** The colours of frames, with their names. */
export function kindLegend(theme: Theme, patterns: Pattern[]): HTMLElement[] {
    const kinds = KINDS.map((kind, i) => element("span", "kind", swatch({ colour: theme.kinds[i], pattern: patterns[i] }, theme), NAMES[kind]));
    return [element("span", "kind", swatch({ colour: theme.findings[0], pattern: "solid" }, theme), "line of a finding"), ...kinds];
}
