/*
 * Bytes by call, as an icicle: callers above, what they call below, widths in bytes. Nodes narrower than a pixel are not drawn.
 */
import { frameLabel, type Picture } from "../data/picture";
import { findMatches, isWithin, KINDS, layOut, userFramesOnly, type Layout, type Matches, type Tree } from "../data/tree";
import type { Finding, TreeName } from "../data/schema";
import { fitText, patternFill, SMALL_FONT, Surface } from "../shared/canvas";
import { attributes, button, checkBox, choice, element, searchField, section } from "../shared/dom";
import { counted, formatBytes, formatPercent } from "../shared/format";
import { css, mix, type Colour, type Pattern, type Theme } from "../shared/palette";
import { onThemeChange, theme } from "../shared/theme";
import { tooltip } from "../shared/tooltip";
import { kindLegend } from "./kindLegend";

const ROW = 20;
const NARROWEST = 1;
const KIND_PATTERNS: Pattern[] = ["solid", "dots", "solid", "rising", "falling", "solid"];

export class FlameGraph {
    readonly root: HTMLElement;
    private readonly surface: Surface;
    private readonly result = attributes(element("span", "result"), { role: "status" });
    private readonly status = attributes(element("p", "status"), { "aria-live": "polite" });
    private readonly field = searchField("Search functions and files", (text) => this.search(text));
    private readonly kinds = element("div", "kinds");
    private name: TreeName;
    private hidesLibraries = false;
    private tree!: Tree;
    private layout!: Layout;
    private matches: Matches | null = null;
    private zoomed = 0;
    private selected = 0;

    constructor(
        private readonly picture: Picture,
        private readonly findings: (Finding | null)[],
    ) {
        this.name = this.picture.tree("growth").bytes[0] > 0 && findings.some((finding) => finding?.growth) ? "growth" : "peak";
        this.surface = new Surface("", (width) => (this.deepestSeen(width) + 1) * ROW + 2, () => this.draw());
        this.load();
        this.listen();
        onThemeChange(() => this.kinds.replaceChildren(...kindLegend(theme(), KIND_PATTERNS)));
        this.kinds.replaceChildren(...kindLegend(theme(), KIND_PATTERNS));
        this.root = this.build();
    }

    private build(): HTMLElement {
        const trees: [TreeName, string][] = [["peak", "At the peak"], ["end", "At the end"], ["growth", "What grew"]];
        const bar = element(
            "div",
            "toolbar",
            choice("Moment", trees, this.name, (name) => this.show(name)),
            checkBox("Hide library frames", false, (checked) => this.hideLibraries(checked)),
            this.field,
            this.result,
            button("Reset", () => this.reset(), "Show all (Esc)"),
        );
        const note = "Who called what allocated: callers above, widths in bytes. A click or Enter zooms in, Esc shows all, arrow keys walk.";
        return section("flame", "Flame graph", note, bar, this.kinds, this.surface.canvas, this.status);
    }

    private show(name: TreeName): void {
        this.name = name;
        this.load();
    }

    private hideLibraries(hides: boolean): void {
        this.hidesLibraries = hides;
        this.load();
    }

    private load(): void {
        const whole = this.picture.tree(this.name);
        this.tree = this.hidesLibraries ? userFramesOnly(whole) : whole;
        this.layout = layOut(this.tree);
        this.zoomed = 0;
        this.selected = 0;
        this.search(this.field.value);
        const total = formatBytes(this.tree.bytes[0] ?? 0);
        this.surface.canvas.setAttribute("aria-label", `Flame graph of ${total} by call, ${counted(this.tree.frame.length, "frame")}. Arrow keys walk, Enter zooms, Escape shows all.`);
    }

    private search(text: string): void {
        const wanted = text.trim().toLowerCase();
        this.matches = wanted === "" ? null : findMatches(this.tree, (node) => this.searchable(node).includes(wanted));
        this.result.textContent =
            this.matches === null ? "" : `${counted(this.matches.count, "frame")}, ${formatBytes(this.matches.bytes)}, ${formatPercent(this.matches.bytes / Math.max(this.tree.bytes[0], 1))}`;
        this.surface.redraw();
    }

    private searchable(node: number): string {
        const [file, line, name] = this.picture.frames[this.tree.frame[node]];
        return `${name} ${file}:${line}`.toLowerCase();
    }

    private reset(): void {
        this.zoomed = 0;
        this.field.value = "";
        this.search("");
    }

    private label(node: number): string {
        const frame = this.tree.frame[node];
        return frame < 0 ? "all" : frameLabel(this.picture.frames[frame]);
    }

    /** The finding whose line a node is; null for most. */
    private findingOf(node: number): number | null {
        const frame = this.tree.frame[node];
        if (frame < 0) {
            return null;
        }
        const [file, line] = this.picture.frames[frame];
        const index = this.findings.findIndex((finding) => finding !== null && finding.site.file === file && finding.site.line === line && file !== "");
        return index < 0 ? null : index;
    }

    private draw(): void {
        const context = this.surface.context;
        context.font = SMALL_FONT;
        context.textBaseline = "middle";
        context.textAlign = "left";
        if ((this.tree.bytes[0] ?? 0) <= 0) {
            context.fillStyle = css(theme().faint);
            context.fillText("Nothing is held here.", 4, ROW / 2);
            return;
        }
        for (let node = 0; node < this.tree.frame.length; node++) {
            this.drawNode(node, theme());
        }
    }

    /** How deep what is drawn reaches. */
    private deepestSeen(width: number): number {
        const scale = width / Math.max(this.tree.bytes[this.zoomed] ?? 0, 1);
        let deepest = 0;
        for (let node = 0; node < this.tree.frame.length; node++) {
            const isWide = this.tree.bytes[node] * scale >= NARROWEST;
            if (isWide && (isWithin(this.tree, node, this.zoomed) || isWithin(this.tree, this.zoomed, node))) {
                deepest = Math.max(deepest, this.layout.depth[node]);
            }
        }
        return deepest;
    }

    private drawNode(node: number, colours: Theme): void {
        const { x, width } = this.extent(node);
        if (width < NARROWEST || x > this.surface.width || x + width < 0) {
            return;
        }
        const context = this.surface.context;
        const left = Math.max(x, 0);
        const visible = Math.min(x + width, this.surface.width) - left;
        const top = this.layout.depth[node] * ROW;
        const isAncestor = isWithin(this.tree, this.zoomed, node) && node !== this.zoomed;
        const fill = this.fill(node, colours, isAncestor);
        context.fillStyle = fill.style;
        context.fillRect(left, top, Math.max(visible - 1, 0.5), ROW - 1);
        this.outline(node, left, top, visible, colours);
        if (visible > 30) {
            this.write(node, left, top, visible, fill.ground);
        }
    }

    private write(node: number, left: number, top: number, visible: number, ground: Colour): void {
        const context = this.surface.context;
        const text = fitText(context, `${this.label(node)}  ${formatBytes(this.tree.bytes[node])}`, visible - 10);
        const isLightGround = ground[0] * 0.3 + ground[1] * 0.6 + ground[2] * 0.1 > 118;
        context.fillStyle = isLightGround ? "#17181a" : "#f4f4f2";
        context.fillText(text, left + 5, top + ROW / 2);
    }

    private outline(node: number, left: number, top: number, visible: number, colours: Theme): void {
        const isFocused = document.activeElement === this.surface.canvas && node === this.selected;
        if (this.matches?.isMatch[node] === 1 || isFocused) {
            this.surface.context.strokeStyle = css(colours.ink);
            this.surface.context.lineWidth = isFocused ? 2 : 1;
            this.surface.context.strokeRect(left + 1, top + 1, Math.max(visible - 3, 1), ROW - 3);
        }
    }

    private fill(node: number, colours: Theme, isAncestor: boolean): { style: string | CanvasPattern; ground: Colour } {
        const kind = this.tree.kind[node];
        const finding = this.findingOf(node);
        const isFaded = isAncestor || (this.matches !== null && this.matches.isMatch[node] === 0);
        const base = finding !== null ? colours.findings[finding % colours.findings.length] : (colours.kinds[kind] ?? colours.rest);
        const ground = isFaded ? mix(base, colours.paper, 0.65) : base;
        const pattern = finding !== null ? "solid" : (KIND_PATTERNS[kind] ?? "solid");
        const stroke = css(mix(ground, colours.paper, colours.isDark ? 0.25 : 0.4));
        const style = pattern === "solid" ? css(ground) : patternFill(this.surface.context, pattern, css(ground), stroke);
        return { style, ground };
    }

    private extent(node: number): { x: number; width: number } {
        const scale = this.surface.width / this.tree.bytes[this.zoomed];
        if (isWithin(this.tree, this.zoomed, node)) {
            return { x: 0, width: this.surface.width };
        }
        return { x: (this.layout.left[node] - this.layout.left[this.zoomed]) * scale, width: this.tree.bytes[node] * scale };
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
                const extent = this.extent(node);
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
            return ["all", amount];
        }
        const [file, line, name] = this.picture.frames[frame];
        const finding = this.findingOf(node);
        const lines = [name, `${file}${line > 0 ? `:${line}` : ""}  (${KINDS[this.tree.kind[node]] ?? "other"})`, amount];
        return finding === null ? lines : [...lines, `Finding: ${this.findings[finding]?.title ?? ""}`];
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
