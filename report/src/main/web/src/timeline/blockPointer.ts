/** The block under the pointer, and what is said of what is there. */
import { nameOf, rowOf, type BlockName } from "../data/allocations";
import type { Picture } from "../data/picture";
import type { ChosenMoment } from "../moment/chosenMoment";
import { counted } from "../shared/format";
import { tooltip } from "../shared/tooltip";
import { bandLines } from "./bandNote";
import type { Bands } from "./bands";
import { annotationAt, type Geometry } from "./geometry";
import { momentAt, momentPlace, momentTotals } from "./moment";
import type { Outlines } from "./paintBlocks";
import type { Scene } from "./pen";

export class BlockPointer {
    private pointed: BlockName | null = null;

    constructor(
        private readonly picture: Picture,
        private readonly scene: Scene,
        private readonly bands: Bands,
        private readonly geometry: () => Geometry,
        private readonly moment: ChosenMoment,
    ) {}

    /** Tells what is there, and remembers the block. */
    over(event: MouseEvent, x: number, y: number): void {
        const { hovered } = this.scene.view;
        if (hovered === null) {
            return;
        }
        const { column, band, row } = this.bands.at(x, y);
        const moment = momentAt(this.scene.view, hovered);
        this.pointed = this.blockAt(x, y);
        const lines = bandLines(this.picture, this.bands.exact, column, band, row, moment);
        tooltip.show(event, [...this.rangeLines(y, hovered), ...lines, momentPlace(moment), momentTotals(moment)]);
    }

    out(): void {
        this.pointed = null;
        tooltip.hide();
    }

    /** Chooses the block there; none where there is none, or where it was chosen before. */
    pick(x: number, y: number): void {
        const block = this.blockAt(x, y);
        const { exact } = this.bands;
        const isSame = exact !== null && rowOf(exact.allocations, block) === rowOf(exact.allocations, this.moment.block);
        this.moment.chooseBlock(isSame ? null : block);
    }

    private blockAt(x: number, y: number): BlockName | null {
        const { exact } = this.bands;
        const { row } = this.bands.at(x, y);
        return exact === null || row < 0 ? null : nameOf(exact.allocations, row);
    }

    /** The blocks that are outlined. */
    get outlines(): Outlines {
        const { exact } = this.bands;
        const outline = (block: BlockName | null) => (exact === null ? [] : exact.outline(rowOf(exact.allocations, block)));
        return { pointed: outline(this.pointed), chosen: outline(this.moment.block) };
    }

    /** The range that is pointed at, which may be too narrow to hold its name. */
    private rangeLines(y: number, event: number): string[] {
        const { annotations } = this.picture;
        const range = annotations[annotationAt(annotations, this.scene.rows, this.geometry(), y, event)];
        return range === undefined ? [] : [`range ${range.name}: ${counted(range.to - range.from, "event")}`];
    }
}
