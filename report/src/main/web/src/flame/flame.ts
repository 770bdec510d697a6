/*
 * Bytes by call at the chosen moment, as an icicle: callers above, what they call below, widths in bytes. Boxes narrower than a pixel
 * are not drawn.
 */
import type { Finding } from "report";
import { LEFT_OUT } from "../data/moments";
import { frameLabel, type Picture } from "../data/picture";
import { findMatches, isWithin, KINDS, layOut, userFramesOnly, type Layout, type Matches, type Tree } from "../data/tree";
import type { ChosenMoment } from "../moment/chosenMoment";
import { Surface } from "../shared/canvas";
import { attributes, button, checkBox, element, searchField, section } from "../shared/dom";
import { counted, formatBytes, formatPercent } from "../shared/format";
import { onThemeChange, theme } from "../shared/theme";
import { tooltip } from "../shared/tooltip";
import { flameText, flameTree, type FlameKind } from "./flameSource";
import { kindLegend } from "./kindLegend";
import { extentOf, FlamePainter, KIND_PATTERNS, READABLE, ROW, type FlameScene } from "./paintFlame";

export class FlameGraph implements FlameScene {
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
    private hidesLibraries = false;
    tree!: Tree;
    layout!: Layout;
    matches: Matches | null = null;
    zoomed = 0;
    selected = 0;

    constructor(
        private readonly moment: ChosenMoment,
        private readonly findings: (Finding | null)[],
        private readonly owners: number[],
        private readonly eventName: (event: number) => string,
    ) {
        this.picture = moment.picture;
        this.kinds = {
            live: button("Live", () => this.show("live"), "What is live at the chosen moment"),
            since: button("Diff from A", () => this.show("since"), "What the calls hold more than at moment A; Set A chooses it"),
            kept: button("Retained", () => this.show("kept"), "What outlived the step that allocated it and is live at the end"),
        };
        this.surface = new Surface("", (width) => (this.deepestSeen(width) + 1) * ROW + 2, () => this.draw());
        this.kinds.kept.disabled = !this.picture.allocations.grew.includes(1);
        this.kind = findings.some((finding) => finding?.growth) && !this.kinds.kept.disabled ? "kept" : "live";
        this.load();
        this.listen();
        moment.onChange(() => this.momentChanged());
        const paintLegend = () => this.legend.replaceChildren(...kindLegend(theme(), KIND_PATTERNS));
        onThemeChange(paintLegend);
        paintLegend();
        this.root = this.build();
    }

    private build(): HTMLElement {
        const choice = attributes(element("div", "choice", ...Object.values(this.kinds)), { role: "group", "aria-label": "What to show" });
        const bar = element(
            "div",
            "toolbar",
            choice,
            checkBox("Hide library frames", false, (checked) => this.hideLibraries(checked)),
            this.field,
            this.result,
            button("Reset", () => this.reset(), "Reset zoom and search (Esc)"),
        );
        const note = "Bytes by call stack: callers above, widths in bytes. A click or Enter zooms in, Esc resets, arrow keys move.";
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

    private hideLibraries(hides: boolean): void {
        this.hidesLibraries = hides;
        this.load();
    }

    private load(): void {
        if (this.kind === "since" && this.moment.mark === null) {
            this.kind = "live";
        }
        const whole = flameTree(this.kind, this.moment);
        this.tree = this.hidesLibraries ? userFramesOnly(whole) : whole;
        this.layout = layOut(this.tree);
        this.zoomed = 0;
        this.selected = 0;
        this.search(this.field.value);
        this.describeWhole();
    }

    private describeWhole(): void {
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
        this.matches = wanted === "" ? null : findMatches(this.tree, (node) => this.searchable(node).includes(wanted));
        this.result.textContent =
            this.matches === null ? "" : `${counted(this.matches.count, "frame")}, ${formatBytes(this.matches.bytes)}, ${formatPercent(this.matches.bytes / Math.max(this.tree.bytes[0], 1))}`;
        this.surface.redraw();
    }

    private searchable(node: number): string {
        const frame = this.picture.frames[this.tree.frame[node]];
        return frame === undefined ? "" : `${frame[2]} ${frame[0]}:${frame[1]}`.toLowerCase();
    }

    private reset(): void {
        this.zoomed = 0;
        this.field.value = "";
        this.search("");
    }

    label(node: number): string {
        const frame = this.tree.frame[node];
        if (frame === LEFT_OUT) {
            return "(smaller blocks, not in this page)";
        }
        return frame < 0 ? "all" : frameLabel(this.picture.frames[frame]);
    }

    findingOf(node: number): number | null {
        const frame = this.tree.frame[node];
        if (frame < 0) {
            return null;
        }
        const [file, line] = this.picture.frames[frame];
        const index = this.findings.findIndex((finding) => finding !== null && finding.site.file === file && finding.site.line === line && file !== "");
        return index < 0 ? null : this.owners[index];
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

    private listen(): void {
        const { canvas } = this.surface;
        canvas.addEventListener("pointermove", (event) => this.hover(event));
        canvas.addEventListener("pointerleave", () => tooltip.hide());
        canvas.addEventListener("click", (event) => this.zoomTo(this.nodeAt(event)));
        canvas.addEventListener("focus", () => this.surface.redraw());
        canvas.addEventListener("blur", () => this.surface.redraw());
        canvas.addEventListener("keydown", (event) => this.key(event));
    }

    private nodeAt(event: MouseEvent): number {
        const { x, y } = this.surface.at(event);
        const depth = Math.floor(y / ROW);
        for (let node = 0; node < this.tree.frame.length; node++) {
            if (this.layout.depth[node] === depth) {
                const extent = extentOf(this, node, this.surface.width);
                if (x >= extent.x && x < extent.x + extent.width) {
                    return node;
                }
            }
        }
        return -1;
    }

    private hover(event: MouseEvent): void {
        const node = this.nodeAt(event);
        if (node < 0) {
            tooltip.hide();
        } else {
            tooltip.show(event, this.describe(node));
        }
    }

    private describe(node: number): string[] {
        const bytes = this.tree.bytes[node];
        const frame = this.tree.frame[node];
        const amount = `${formatBytes(bytes)} in ${counted(this.tree.blocks[node], "block")}, ${formatPercent(bytes / this.tree.bytes[0])} of all`;
        if (frame < 0) {
            return [this.label(node), amount];
        }
        const [file, line, name] = this.picture.frames[frame];
        const finding = this.findingOf(node);
        const lines = [name, `${file}${line > 0 ? `:${line}` : ""}  (${KINDS[this.tree.kind[node]] ?? "other"})`, amount];
        const isPart = finding !== null && this.tree.found[node] < bytes;
        const part = isPart ? `, about ${formatBytes(this.tree.found[node])} of it` : "";
        return finding === null ? lines : [...lines, `Finding: ${this.findings[finding]?.title ?? ""}${part}`];
    }

    private zoomTo(node: number): void {
        if (node >= 0) {
            this.zoomed = node === this.zoomed ? Math.max(this.tree.parent[node], 0) : node;
            this.select(node);
        }
    }

    private select(node: number | undefined): void {
        if (node !== undefined && node >= 0) {
            this.selected = node;
            this.status.textContent = this.describe(node).join(", ");
            this.surface.redraw();
        }
    }

    private key(event: KeyboardEvent): void {
        const action = this.actions()[event.key];
        if (action !== undefined) {
            event.preventDefault();
            action();
        }
    }

    private actions(): Record<string, () => void> {
        return {
            ArrowUp: () => this.select(this.tree.parent[this.selected]),
            ArrowDown: () => this.select(this.layout.children[this.selected]?.[0]),
            ArrowLeft: () => this.sibling(-1),
            ArrowRight: () => this.sibling(1),
            Enter: () => this.zoomTo(this.selected),
            Escape: () => this.reset(),
        };
    }

    private sibling(step: number): void {
        const siblings = this.layout.children[this.tree.parent[this.selected]] ?? [];
        this.select(siblings[siblings.indexOf(this.selected) + step]);
    }
}
