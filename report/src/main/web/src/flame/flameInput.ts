/** What the pointer and keys do on a flame graph. */
import type { Surface } from "../shared/canvas";
import { tooltip } from "../shared/tooltip";
import { extentOf, ROW, type FlameScene } from "./paintFlame";

/** What a flame graph does when it is told to. */
export interface FlameTarget extends FlameScene {
    describe(node: number): string[];
    /** Makes a node as wide as all; the one that is, its caller. */
    zoomTo(node: number): void;
    select(node: number | undefined): void;
    reset(): void;
}

export class FlameInput {
    constructor(
        private readonly surface: Surface,
        private readonly flame: FlameTarget,
    ) {
        const { canvas } = surface;
        canvas.addEventListener("pointermove", (event) => this.hover(event));
        canvas.addEventListener("pointerleave", () => tooltip.hide());
        canvas.addEventListener("click", (event) => flame.zoomTo(this.nodeAt(event)));
        canvas.addEventListener("focus", () => surface.redraw());
        canvas.addEventListener("blur", () => surface.redraw());
        canvas.addEventListener("keydown", (event) => this.key(event));
    }

    private nodeAt(event: MouseEvent): number {
        const { x, y } = this.surface.at(event);
        const depth = Math.floor(y / ROW);
        const { tree, layout } = this.flame;
        return tree.frame.findIndex((_, node) => {
            const extent = layout.depth[node] === depth ? extentOf(this.flame, node, this.surface.width) : null;
            return extent !== null && x >= extent.x && x < extent.x + extent.width;
        });
    }

    private hover(event: MouseEvent): void {
        const node = this.nodeAt(event);
        if (node < 0) {
            tooltip.hide();
        } else {
            tooltip.show(event, this.flame.describe(node));
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
        const { flame } = this;
        return {
            ArrowUp: () => flame.select(flame.tree.parent[flame.selected]),
            ArrowDown: () => flame.select(flame.layout.children[flame.selected]?.[0]),
            ArrowLeft: () => this.sibling(-1),
            ArrowRight: () => this.sibling(1),
            Enter: () => flame.zoomTo(flame.selected),
            Escape: () => flame.reset(),
        };
    }

    private sibling(step: number): void {
        const { tree, layout, selected } = this.flame;
        const siblings = layout.children[tree.parent[selected]] ?? [];
        this.flame.select(siblings[siblings.indexOf(selected) + step]);
    }
}
