/*
 * Bytes by call at the chosen moment, as an icicle: callers above, what they call below, widths in bytes. Boxes narrower than a pixel
 * are not drawn.
 */
import type { Finding } from "report";
import { findMatches, isWithin, layOut, type Layout, type Matches, type Tree } from "../data/tree";
import type { ChosenMoment } from "../moment/chosenMoment";
import { Surface } from "../shared/canvas";
import { attributes, button, element, searchField, section } from "../shared/dom";
import { counted, formatBytes, formatPercent } from "../shared/format";
import { onThemeChange, theme } from "../shared/theme";
import { FlameChoice } from "./flameChoice";
import { FlameInput, type FlameTarget } from "./flameInput";
import { flameText } from "./flameSource";
import { FrameText } from "./frameText";
import { kindLegend } from "./kindLegend";
import { FlamePainter, KIND_PATTERNS, READABLE, ROW } from "./paintFlame";

export class FlameGraph implements FlameTarget {
    readonly root: HTMLElement;
    private readonly surface: Surface;
    private readonly what = attributes(element("p", "totals-line"), { role: "status" });
    private readonly result = attributes(element("span", "result"), { role: "status" });
    private readonly status = attributes(element("p", "status"), { "aria-live": "polite" });
    private readonly field = searchField("Search functions and files", (text) => this.search(text));
    private readonly legend = element("div", "kinds");
    private readonly text: FrameText;
    private readonly choice: FlameChoice;
    tree!: Tree;
    layout!: Layout;
    matches: Matches | null = null;
    zoomed = 0;
    selected = 0;

    constructor(
        private readonly moment: ChosenMoment,
        findings: (Finding | null)[],
        owners: number[],
        private readonly eventName: (event: number) => string,
    ) {
        this.text = new FrameText(moment.picture, findings, owners);
        const hasGrowth = findings.some((finding) => finding?.growth);
        this.choice = new FlameChoice(moment, hasGrowth, (frame) => this.text.findingOf(frame) !== null, () => this.load());
        this.surface = new Surface("", (width) => (this.deepestSeen(width) + 1) * ROW + 2, () => this.draw());
        this.load();
        new FlameInput(this.surface, this);
        moment.onChange(() => this.choice.followMoment());
        onThemeChange(() => this.paintLegend());
        this.root = this.build();
    }

    private build(): HTMLElement {
        const reset = button("Reset", () => this.reset(), "Reset zoom and search (Esc)");
        const bar = element("div", "toolbar", ...this.choice.bar(), this.field, this.result, reset);
        const note =
            "Bytes by call stack: callers above, widths in bytes. Calls that hold the same share a box, without frames of the interpreter and the dispatcher. " +
            "A click or Enter zooms in, Esc resets, arrow keys move.";
        return section("flame", "Flame graph", note, bar, this.what, this.legend, this.surface.canvas, this.status);
    }

    private load(): void {
        this.tree = this.choice.tree();
        this.layout = layOut(this.tree);
        this.zoomed = 0;
        this.selected = 0;
        this.search(this.field.value);
        this.paintLegend();
        this.what.textContent = flameText(this.choice.kind, this.moment, this.tree, this.eventName);
        const count = counted(this.tree.frame.length, "frame");
        this.surface.canvas.setAttribute("aria-label", `Flame graph, ${count}: ${this.what.textContent} Arrow keys move, Enter zooms, Escape resets.`);
    }

    private paintLegend(): void {
        this.legend.replaceChildren(...kindLegend(this.tree, theme(), KIND_PATTERNS));
    }

    private search(text: string): void {
        const wanted = text.trim().toLowerCase();
        this.matches = wanted === "" ? null : findMatches(this.tree, (node) => this.text.searchable(this.tree, node).includes(wanted));
        this.result.textContent =
            this.matches === null ? "" : `${counted(this.matches.count, "frame")}, ${formatBytes(this.matches.bytes)}, ${formatPercent(this.matches.bytes / Math.max(this.tree.bytes[0], 1))}`;
        this.surface.redraw();
    }

    reset(): void {
        this.zoomed = 0;
        this.field.value = "";
        this.search("");
    }

    label(node: number): string {
        return this.text.label(this.tree, node);
    }

    describe(node: number): string[] {
        return this.text.describe(this.tree, node);
    }

    findingOf(node: number): number | null {
        return this.text.findingOf(this.tree.frame[node]);
    }

    private draw(): void {
        if ((this.tree.bytes[0] ?? 0) > 0) {
            new FlamePainter(this.surface, this, theme()).all();
        }
    }

    /** How deep what can be read reaches. */
    private deepestSeen(width: number): number {
        const scale = width / Math.max(this.tree.bytes[this.zoomed] ?? 0, 1);
        let deepest = 0;
        for (let node = 0; node < this.tree.frame.length; node++) {
            const isWide = this.tree.bytes[node] * scale >= READABLE;
            if (isWide && (isWithin(this.tree, node, this.zoomed) || isWithin(this.tree, this.zoomed, node))) {
                deepest = Math.max(deepest, this.layout.depth[node]);
            }
        }
        return deepest;
    }

    zoomTo(node: number): void {
        if (node >= 0) {
            this.zoomed = node === this.zoomed ? Math.max(this.tree.parent[node], 0) : node;
            this.select(node);
        }
    }

    select(node: number | undefined): void {
        if (node !== undefined && node >= 0) {
            this.selected = node;
            this.status.textContent = this.describe(node).join(", ");
            this.surface.redraw();
        }
    }
}
