package dev.leakline.result;

import dev.leakline.text.Numbers;
import io.avaje.jsonb.Json;
import java.util.ArrayList;
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
    /** The summary of no steps. */
    public static final StepSummary NONE = new StepSummary(0, Kind.NONE, "", 0, List.of());

    /** The summary in sentences. */
    @Json.Property("sentences")
    public List<String> sentences() {
        if (kind == Kind.NONE || kind == Kind.TIME) {
            return List.of("None found: too little was recorded, or nothing repeats.");
        }
        List<String> sentences = new ArrayList<>();
        String origin = kind == Kind.ANNOTATION ? "as the recording marks it" : "inferred from repeating calls";
        sentences.add(Numbers.counted(count, "step") + "; a step is " + meaning + ", " + origin + ".");
        if (warmUp > 0) {
            sentences.add("Warm-up ends with step " + Numbers.grouped(warmUp)
                    + ": by then the memory that every step needs was there.");
        }
        return sentences;
    }

    /** Sources of step boundaries, from the best to the least. */
    public enum Kind {
        /** Ranges that the program or PyTorch marked. */
        ANNOTATION,
        /** Stacks that come again and again. */
        RECURRENCE,
        /** Nothing repeats; equal stretches of events stand for steps. */
        TIME,
        /** Too little was recorded. */
        NONE;

        /** Returns whether steps of this kind repeat; growth over stretches of time may be that of a single step. */
        public boolean repeats() {
            return this == ANNOTATION || this == RECURRENCE;
        }
    }

    /** A stretch of steps that do the same things: {@code name} says what, for people; steps count from 0. */
    public record Phase(String name, int firstStep, int lastStep) {
        /** The phase in words. */
        @Json.Property("sentence")
        public String sentence() {
            String range = firstStep == lastStep
                    ? "step " + Numbers.grouped(firstStep)
                    : "steps " + Numbers.grouped(firstStep) + " to " + Numbers.grouped(lastStep);
            return range + ": " + name;
        }
    }
}
