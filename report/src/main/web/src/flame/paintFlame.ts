/** Paints the calls of a tree as boxes, callers above. */
import { isWithin, type Layout, type Matches, type Tree } from "../data/tree";
import { fitText, patternFill, SMALL_FONT, type Surface } from "../shared/canvas";
import { formatBytes } from "../shared/format";
import { css, mix, type Colour, type Pattern, type Theme } from "../shared/palette";

export const ROW = 20;
/** Boxes narrower than this many pixels are not drawn. */
export const NARROWEST = 1;
/** Boxes narrower than this many pixels do not make the graph taller: they can be read and clicked only after zooming in. */
export const READABLE = 6;
export const KIND_PATTERNS: Pattern[] = ["solid", "dots", "solid", "rising", "falling", "solid", "falling"];

/** What is drawn. */
export interface FlameScene {
    tree: Tree;
    layout: Layout;
    matches: Matches | null;
    zoomed: number;
    selected: number;
    label(node: number): string;
    /** The finding whose line a node is; null for most. */
    findingOf(node: number): number | null;
}

/** Where a box lies across the width. */
export function extentOf({ tree, layout, zoomed }: FlameScene, node: number, width: number): { x: number; width: number } {
    if (isWithin(tree, zoomed, node)) {
        return { x: 0, width };
    }
    const scale = width / tree.bytes[zoomed];
    return { x: (layout.left[node] - layout.left[zoomed]) * scale, width: tree.bytes[node] * scale };
}

export class FlamePainter {
    private readonly context: CanvasRenderingContext2D;

    constructor(
        private readonly surface: Surface,
        private readonly scene: FlameScene,
        private readonly theme: Theme,
    ) {
        this.context = surface.context;
        this.context.font = SMALL_FONT;
        this.context.textBaseline = "middle";
        this.context.textAlign = "left";
    }

    all(): void {
        for (let node = 0; node < this.scene.tree.frame.length; node++) {
            this.node(node);
        }
    }

    private node(node: number): void {
        const { x, width } = extentOf(this.scene, node, this.surface.width);
        if (width < NARROWEST || x > this.surface.width || x + width < 0) {
            return;
        }
        const left = Math.max(x, 0);
        const visible = Math.min(x + width, this.surface.width) - left;
        const top = this.scene.layout.depth[node] * ROW;
        const ground = this.box(node, left, top, visible);
        this.outline(node, left, top, visible);
        if (visible > 30) {
            this.write(node, left, top, visible, ground);
        }
    }

    /** Fills a box: of the line of a finding the part that the finding is about in its colour. Returns the colour behind the text. */
    private box(node: number, left: number, top: number, visible: number): Colour {
        const { tree } = this.scene;
        const width = Math.max(visible - 1, 0.5);
        const finding = this.scene.findingOf(node);
        const share = finding === null ? 0 : tree.found[node] / Math.max(tree.bytes[node], 1);
        const plain = this.faded(node, this.theme.kinds[tree.kind[node]] ?? this.theme.rest);
        this.context.fillStyle = this.kindFill(node, plain);
        this.context.fillRect(left, top, width, ROW - 1);
        if (finding === null || share === 0) {
            return plain;
        }
        const ground = this.faded(node, this.theme.findings[finding % this.theme.findings.length]);
        this.context.fillStyle = css(ground);
        this.context.fillRect(left, top, Math.max(width * share, 1), ROW - 1);
        return share > 0.5 ? ground : plain;
    }

    private kindFill(node: number, ground: Colour): string | CanvasPattern {
        const pattern = KIND_PATTERNS[this.scene.tree.kind[node]] ?? "solid";
        const stroke = css(mix(ground, this.theme.paper, this.theme.isDark ? 0.25 : 0.4));
        return pattern === "solid" ? css(ground) : patternFill(this.context, pattern, css(ground), stroke);
    }

    /** Paler for what is zoomed out of, and for what a search does not find. */
    private faded(node: number, colour: Colour): Colour {
        const { tree, zoomed, matches } = this.scene;
        const isAncestor = node !== zoomed && isWithin(tree, zoomed, node);
        const isFaded = isAncestor || (matches !== null && matches.isMatch[node] === 0);
        return isFaded ? mix(colour, this.theme.paper, 0.65) : colour;
    }

    private write(node: number, left: number, top: number, visible: number, ground: Colour): void {
        const text = fitText(this.context, `${this.scene.label(node)}  ${formatBytes(this.scene.tree.bytes[node])}`, visible - 10);
        const isLightGround = ground[0] * 0.3 + ground[1] * 0.6 + ground[2] * 0.1 > 118;
        this.context.fillStyle = isLightGround ? "#17181a" : "#f4f4f2";
        this.context.fillText(text, left + 5, top + ROW / 2);
    }

    private outline(node: number, left: number, top: number, visible: number): void {
        const isFocused = document.activeElement === this.surface.canvas && node === this.scene.selected;
        if (this.scene.matches?.isMatch[node] === 1 || isFocused) {
            this.context.strokeStyle = css(this.theme.ink);
            this.context.lineWidth = isFocused ? 2 : 1;
            this.context.strokeRect(left + 1, top + 1, Math.max(visible - 3, 1), ROW - 3);
        }
    }
}
