/** What a flame graph shows, and the buttons that choose it. */
import { chainsFolded, userFramesOnly, withoutDispatch } from "../data/fold";
import type { Tree } from "../data/tree";
import type { ChosenMoment } from "../moment/chosenMoment";
import { attributes, button, choice, element } from "../shared/dom";
import { flameTree, type FlameKind } from "./flameSource";

type Frames = "folded" | "user" | "all";
const FRAMES: [Frames, string][] = [["folded", "Folded"], ["user", "Your code"], ["all", "All frames"]];

export class FlameChoice {
    kind: FlameKind;
    private frames: Frames = "folded";
    private readonly kinds: Record<FlameKind, HTMLButtonElement>;

    /** A choice that calls {@code changed} when it is another; {@code isApart} tells the frames that are in no chain. */
    constructor(
        private readonly moment: ChosenMoment,
        hasGrowth: boolean,
        private readonly isApart: (frame: number) => boolean,
        private readonly changed: () => void,
    ) {
        this.kinds = {
            live: button("Live", () => this.show("live"), "What is live at the chosen moment"),
            found: button("Findings", () => this.show("found"), "What findings are about, as far as it is live at the chosen moment"),
            since: button("Diff from A", () => this.show("since"), "What the calls hold more than at moment A; Set A chooses it"),
        };
        this.kinds.found.disabled = moment.picture.sites.every((site) => site.finding === null);
        this.kind = hasGrowth && !this.kinds.found.disabled ? "found" : "live";
        this.press();
    }

    /** The buttons. */
    bar(): HTMLElement[] {
        const kinds = attributes(element("div", "choice", ...Object.values(this.kinds)), { role: "group", "aria-label": "What to show" });
        return [kinds, choice("Frames", FRAMES, this.frames, (frames) => this.showFrames(frames))];
    }

    /** The tree of what is chosen, at the chosen moment. */
    tree(): Tree {
        const whole = flameTree(this.kind, this.moment);
        if (this.frames === "all") {
            return whole;
        }
        return chainsFolded(this.frames === "user" ? userFramesOnly(whole) : withoutDispatch(whole), this.isApart);
    }

    /** Goes with the moment: to the difference, where A has just been set. */
    followMoment(): void {
        const isMarked = this.moment.mark !== null;
        const hadMark = !this.kinds.since.disabled;
        if (isMarked !== hadMark) {
            this.kind = isMarked ? "since" : this.kind === "since" ? "live" : this.kind;
        }
        this.tell();
    }

    private show(kind: FlameKind): void {
        this.kind = kind;
        this.tell();
    }

    private showFrames(frames: Frames): void {
        this.frames = frames;
        this.tell();
    }

    private tell(): void {
        this.press();
        this.changed();
    }

    private press(): void {
        for (const [kind, made] of Object.entries(this.kinds)) {
            made.setAttribute("aria-pressed", String(kind === this.kind));
        }
        this.kinds.since.disabled = this.moment.mark === null;
    }
}
