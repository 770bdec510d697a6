package dev.leakline.result;

import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.PatchSafety;
import dev.leakline.result.Finding.Severity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a result in little room, for programs that pay for each character. Texts that are longer than there is room for end with an ellipsis.
 *
 * @param schema {@link #SCHEMA}
 * @param verdict one word for it
 * @param sentence why, in a sentence
 * @param host what the memory of the host does, in a sentence; null where it was not looked at
 * @param finding the first finding, null where there is none
 * @param findings how many there are
 * @param evidence the line of a text that it rests on, with its number; null where it rests on none
 * @param steps what to do, the best first, two at most
 * @param unknown what the evidence does not answer, null where that is nothing
 * @param next the command that records better, or that verifies a change
 */
public record Brief(
        String schema,
        Verdict verdict,
        String sentence,
        @Nullable String host,
        @Nullable Culprit finding,
        int findings,
        @Nullable String evidence,
        List<Step> steps,
        @Nullable String unknown,
        String next) {
    /** The schema of this as JSON. */
    public static final String SCHEMA = "leakline.brief/1";

    /**
     * A finding.
     *
     * @param id its fingerprint
     * @param kind what is wrong
     * @param severity how much it matters
     * @param confidence from 0 to 1, in hundredths
     * @param title the finding in a few words
     * @param file the file of its line as recorded, null where it has no line
     * @param line the line, 0 where it has none
     * @param function the function
     * @param keptAt the line of the source that adds to what keeps it, as file:line; null where that is not known
     * @param heldBy who keeps most of it, null where no dump tells
     * @param path the references from there to memory, null where no dump tells
     * @param bytes the most that was held because of it
     * @param bytesPerStep the rate at which it grows; NaN for what does not grow by steps
     * @param stepsToOom steps until the device is full; NaN where that is not known
     * @param secondsToOom the same in time
     */
    public record Culprit(
            String id,
            Kind kind,
            Severity severity,
            double confidence,
            String title,
            @Nullable String file,
            int line,
            @Nullable String function,
            @Nullable String keptAt,
            @Nullable String heldBy,
            @Nullable String path,
            long bytes,
            double bytesPerStep,
            double stepsToOom,
            double secondsToOom) {}

    /**
     * Something to do.
     *
     * @param action what, as an order
     * @param patchSafety whether the patch keeps what the program does; null where there is none
     * @param patch what to change in the user's file, a unified diff; null where no such edit is known, or where it is too long:
     *     leakline detail with the finding's id has it
     */
    public record Step(
            String action,
            @Nullable PatchSafety patchSafety,
            @Nullable String patch) {}
}
