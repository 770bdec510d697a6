import { firstMoment, nearestMoment, neighbourMoment, totalsAt } from "../data/moments";
import type { Picture } from "../data/picture";

/**
 * The moment that the flame graph and the segments show, and the earlier one that it is compared with. Follows the timeline's cursor
 * unless the reader holds it.
 */
export class ChosenMoment {
    /** The wanted event. */
    wanted: number;
    /** The event that is shown: the nearest at which all blocks are known. */
    event: number;
    /** The event to compare with, called A; null where there is none. */
    mark: number | null = null;
    follows = true;
    private readonly listeners: (() => void)[] = [];

    constructor(readonly picture: Picture) {
        this.wanted = firstMoment(picture);
        this.event = nearestMoment(picture, this.wanted);
    }

    /** Calls back after every change. */
    onChange(listener: () => void): void {
        this.listeners.push(listener);
    }

    choose(event: number): void {
        if (event !== this.wanted) {
            this.wanted = event;
            this.event = nearestMoment(this.picture, event);
            this.changed();
        }
    }

    /** Goes to the next moment in a direction. */
    step(direction: number): void {
        this.choose(neighbourMoment(this.picture, this.event, direction));
    }

    /** Marks a moment to compare with; null takes the mark away. */
    compareWith(event: number | null): void {
        this.mark = event === null ? null : nearestMoment(this.picture, event);
        this.changed();
    }

    get totals(): { live: number; reserved: number } {
        return totalsAt(this.picture, this.event);
    }

    private changed(): void {
        this.listeners.forEach((listener) => listener());
    }
}
