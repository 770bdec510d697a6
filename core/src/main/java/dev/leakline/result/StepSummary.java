package dev.leakline.result;

import java.util.List;

/**
 * The steps of a recording: what repeats in it.
 *
 * @param count steps, whole ones
 * @param kind what they were told by
 * @param meaning what one step is, in a few words
 * @param warmUp steps until the memory that every step needs was there
 * @param phases stretches of steps of one pattern, in order; a single one where the pattern never changes
 */
public record StepSummary(int count, Kind kind, String meaning, int warmUp, List<Phase> phases) {
    /** Of nothing. */
    public static final StepSummary NONE = new StepSummary(0, Kind.NONE, "", 0, List.of());

    /** What tells steps, from the best to the least. */
    public enum Kind {
        /** Ranges that the program or PyTorch marked. */
        ANNOTATION,
        /** Stacks that come again and again. */
        RECURRENCE,
        /** Nothing repeats; equal stretches of events stand for steps. */
        TIME,
        /** Too little was recorded. */
        NONE;

        /** Whether steps of this kind repeat; growth over stretches of time may be that of a single step. */
        public boolean repeats() {
            return this == ANNOTATION || this == RECURRENCE;
        }
    }

    /** A stretch of steps that do the same things: {@code name} says what, for people; steps count from 0. */
    public record Phase(String name, int firstStep, int lastStep) {}
}
