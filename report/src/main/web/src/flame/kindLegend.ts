import { KINDS, type Tree } from "../data/tree";
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
    dispatch: "interpreter and dispatcher",
};

/** The colours of the kinds of frames in a tree, with their names. */
export function kindLegend({ kind: kinds }: Tree, theme: Theme, patterns: Pattern[]): HTMLElement[] {
    const present = KINDS.map((_, i) => i).filter((i) => kinds.includes(i));
    const items = present.map((i) => element("span", "kind", swatch({ colour: theme.kinds[i], pattern: patterns[i] }, theme), NAMES[KINDS[i]]));
    return [element("span", "kind", swatch({ colour: theme.findings[0], pattern: "solid" }, theme), "line of a finding"), ...items];
}
