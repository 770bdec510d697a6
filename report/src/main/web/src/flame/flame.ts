/*
 * Bytes by call at the chosen moment, as an icicle: callers above, what they call below, widths in bytes. Boxes narrower than a pixel
 * are not drawn.
 */
import type { Finding } from "report";
import { chainsFolded, userFramesOnly, withoutDispatch } from "../data/fold";
import type { Picture } from "../data/picture";
import { findMatches, isWithin, layOut, type Layout, type Matches, type Tree } from "../data/tree";
import type { ChosenMoment } from "../moment/chosenMoment";
import { Surface } from "../shared/canvas";
import { attributes, button, choice, element, searchField, section } from "../shared/dom";
import { counted, formatBytes, formatPercent } from "../shared/format";
import { onThemeChange, theme } from "../shared/theme";
import { FlameInput, type FlameTarget } from "./flameInput";
import { flameText, flameTree, type FlameKind } from "./flameSource";
import { FrameText } from "./frameText";
import { kindLegend } from "./kindLegend";
import { FlamePainter, KIND_PATTERNS, READABLE, ROW } from "./paintFlame";

type Frames = "folded" | "user" | "all";
const FRAMES: [Frames, string][] = [["folded", "Folded"], ["user", "Your code"], ["all", "All frames"]];

export class FlameGraph implements FlameTarget {
    readonly root: HTMLElement;
    private readonly picture: Picture;
    private readonly surface: Surface;
    private readonly what = attributes(element("p", "totals-line"), { role: "status" });
    private readonly result = attributes(element("span", "result"), { role: "status" });
    private readonly status = attributes(element("p", "status"), { "aria-live": "polite" });
    private readonly field = searchField("Search functions and files", (text) => this.search(text));
    private readonly legend = element("div", "kinds");
    private readonly kinds: Record<FlameKind, HTMLButtonElement>;
    private kind: FlameKind = "live";
    private frames: Frames = "folded";
    private readonly text: FrameText;
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
        this.picture = moment.picture;
        this.text = new FrameText(this.picture, findings, owners);
        this.kinds = {
            live: button("Live", () => this.show("live"), "What is live at the chosen moment"),
            since: button("Diff from A", () => this.show("since"), "What the calls hold more than at moment A; Set A chooses it"),
            kept: button("Retained", () => this.show("kept"), "What outlived the step that allocated it and is live at the end"),
        };
        this.surface = new Surface("", (width) => (this.deepestSeen(width) + 1) * ROW + 2, () => this.draw());
        this.kinds.kept.disabled = !this.picture.allocations.grew.includes(1);
        this.kind = findings.some((finding) => finding?.growth) && !this.kinds.kept.disabled ? "kept" : "live";
        this.load();
        new FlameInput(this.surface, this);
        moment.onChange(() => this.momentChanged());
        onThemeChange(() => this.paintLegend());
        this.root = this.build();
    }

    private build(): HTMLElement {
        const kinds = attributes(element("div", "choice", ...Object.values(this.kinds)), { role: "group", "aria-label": "What to show" });
        const bar = element(
            "div",
            "toolbar",
            kinds,
            choice("Frames", FRAMES, this.frames, (frames) => this.showFrames(frames)),
            this.field,
            this.result,
            button("Reset", () => this.reset(), "Reset zoom and search (Esc)"),
        );
        const note =
            "Bytes by call stack: callers above, widths in bytes. Calls that hold the same share a box, without frames of the interpreter and the dispatcher. " +
            "A click or Enter zooms in, Esc resets, arrow keys move.";
        return section("flame", "Flame graph", note, bar, this.what, this.legend, this.surface.canvas, this.status);
    }

    private show(kind: FlameKind): void {
        this.kind = kind;
        this.load();
    }

    /** Shows the new moment; the difference, where A has just been set. */
    private momentChanged(): void {
        const isMarked = this.moment.mark !== null;
        const hadMark = !this.kinds.since.disabled;
        if (isMarked !== hadMark) {
            this.kind = isMarked ? "since" : this.kind === "since" ? "live" : this.kind;
        }
        if (this.kind !== "kept" || isMarked !== hadMark) {
            this.load();
        }
    }

    private showFrames(frames: Frames): void {
        this.frames = frames;
        this.load();
    }

    private folded(whole: Tree): Tree {
        if (this.frames === "all") {
            return whole;
        }
        const fewer = this.frames === "user" ? userFramesOnly(whole) : withoutDispatch(whole);
        return chainsFolded(fewer, (frame) => this.text.findingOf(frame) !== null);
    }

    private load(): void {
        if (this.kind === "since" && this.moment.mark === null) {
            this.kind = "live";
        }
        this.tree = this.folded(flameTree(this.kind, this.moment));
        this.layout = layOut(this.tree);
        this.zoomed = 0;
        this.selected = 0;
        this.search(this.field.value);
        this.describeWhole();
    }

    private paintLegend(): void {
        this.legend.replaceChildren(...kindLegend(this.tree, theme(), KIND_PATTERNS));
    }

    private describeWhole(): void {
        this.paintLegend();
        for (const [kind, made] of Object.entries(this.kinds)) {
            made.setAttribute("aria-pressed", String(kind === this.kind));
        }
        this.kinds.since.disabled = this.moment.mark === null;
        this.what.textContent = flameText(this.kind, this.moment, this.tree, this.eventName);
        const count = counted(this.tree.frame.length, "frame");
        this.surface.canvas.setAttribute("aria-label", `Flame graph, ${count}: ${this.what.textContent} Arrow keys move, Enter zooms, Escape resets.`);
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
