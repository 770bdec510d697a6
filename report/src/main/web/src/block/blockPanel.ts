import { rowOf } from "../data/allocations";
import type { ChosenMoment } from "../moment/chosenMoment";
import { attributes, button, element } from "../shared/dom";
import { capital } from "../shared/format";
import { blockLines } from "./blockText";
import { stackList } from "./stack";

/** The block that was chosen: its size, its line, how long it lives, and its whole stack. */
export class BlockPanel {
    readonly root = element("div", "block-panel");

    constructor(private readonly moment: ChosenMoment) {
        moment.onBlock(() => this.update());
        moment.picture.stretches.onRead(() => this.update());
        this.update();
    }

    private update(): void {
        const { picture, block } = this.moment;
        const row = rowOf(picture.allocations, block);
        this.root.hidden = row < 0;
        if (row >= 0) {
            const [name, ...more] = blockLines(picture, picture.allocations, row);
            const close = attributes(button("×", () => this.moment.chooseBlock(null), "Close (Esc)"), { "aria-label": "Close" });
            const place = element("p", "place", capital(more.join(" · ")));
            this.root.replaceChildren(element("div", "block-name", element("strong", "", name), close), place, stackList(picture, picture.allocations.call[row]));
        }
    }
}
