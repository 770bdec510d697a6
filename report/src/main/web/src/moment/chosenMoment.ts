import type { BlockName } from "../data/allocations";
import { isKnown } from "../data/kept";
import { nearestKept, nearestMoment, neighbourKept } from "../data/nearest";
import { firstMoment } from "../data/moments";
import type { Picture } from "../data/picture";

/**
 * The moment that the flame graph, the segments and the list of events show, the earlier one that it is compared with, and the block that is looked at.
 * Follows the timeline's cursor unless the reader holds it.
 */
export class ChosenMoment {
    /** The wanted event. */
    wanted: number;
    /** The event that is shown: the nearest at which all blocks are known. */
    event: number;
    /** The event to compare with, called A; null where there is none. */
    mark: number | null = null;
    block: BlockName | null = null;
    follows = true;
    private readonly listeners: (() => void)[] = [];
    private readonly blockListeners: (() => void)[] = [];

    constructor(readonly picture: Picture) {
        this.wanted = firstMoment(picture);
        this.event = nearestMoment(picture, this.wanted);
        picture.stretches.hold(() => [this.wanted, this.event, this.mark ?? this.event, this.block?.born ?? this.event]);
        picture.stretches.onRead(() => this.arrive());
    }

    /** Calls back after every change of the moment. */
    onChange(listener: () => void): void {
        this.listeners.push(listener);
    }

    /** Calls back after another block was chosen, or none. */
    onBlock(listener: () => void): void {
        this.blockListeners.push(listener);
    }

    choose(event: number): void {
        if (event !== this.wanted) {
            this.wanted = event;
            if (nearestKept(this.picture, event) === this.event) {
                this.changed();
            } else {
                this.arrive();
            }
        }
    }

    /** Shows what is wanted as soon as its blocks are read. */
    private arrive(): void {
        const kept = nearestKept(this.picture, this.wanted);
        if (!isKnown(this.picture, kept)) {
            this.picture.stretches.want(kept, kept + 1);
        } else if (kept !== this.event) {
            this.event = kept;
            this.changed();
        }
    }

    /** Goes to the next moment in a direction. */
    step(direction: number): void {
        this.choose(neighbourKept(this.picture, this.event, direction));
    }

    /** Marks a moment to compare with; null takes the mark away. */
    compareWith(event: number | null): void {
        this.mark = event;
        this.changed();
    }

    chooseBlock(block: BlockName | null): void {
        this.block = block;
        if (block !== null) {
            this.picture.stretches.want(block.born, block.born + 1);
        }
        this.blockListeners.forEach((listener) => listener());
    }

    private changed(): void {
        this.listeners.forEach((listener) => listener());
    }
}
