package dev.leakline.result;

import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A problem, the line responsible for it, and what to do about it.
 *
 * @param id a fingerprint: the same bug has the same in every run and on every rank; no address, size or line number is in it
 * @param kind what is wrong
 * @param severity how much it matters
 * @param confidence from 0 to 1, how sure this is
 * @param confidenceReasons what the confidence rests on, and what takes away from it
 * @param title the finding in a few words
 * @param summary the finding in a sentence or two
 * @param cause the known cause that it looks like, null where none is known
 * @param explanation how that cause keeps memory, and what says that it is this one; null where none is known
 * @param input the index of the input it was found in
 * @param inputs the indices of all inputs that it was found in, such as those of other ranks or workers
 * @param ranks the ranks whose inputs those are, as far as holder dumps tell
 * @param device the ordinal of the device
 * @param site the line to look at
 * @param stack the calls that led there, innermost first
 * @param source the lines around the site, null where the file is not at hand
 * @param bytes the most that was held because of it, at any time
 * @param blocks how many allocations those are
 * @param bytesAtFailure how much of it was held when the last request of the device failed; 0 where none did
 * @param bytesPerStep the rate at which it grows; NaN for what does not grow by steps
 * @param bytesPerSecond the same over time; NaN where the recording has no times
 * @param stepsToOom steps from the end until the device is full; NaN where that is not known
 * @param secondsToOom the same in time
 * @param growth how it grows, null for what does not grow by steps
 * @param evidence what it was concluded from
 * @param holders who keeps its memory alive, most of it first; empty where no dump tells
 * @param advice what to do, the best first
 * @param keptAt the line of the source that adds to what keeps its memory, null where that is not known
 */
public record Finding(
        String id,
        Kind kind,
        Severity severity,
        double confidence,
        List<String> confidenceReasons,
        String title,
        String summary,
        @Nullable String cause,
        @Nullable Explanation explanation,
        int input,
        List<Integer> inputs,
        List<Integer> ranks,
        int device,
        Site site,
        List<Frame> stack,
        @Nullable SourceLines source,
        long bytes,
        int blocks,
        long bytesAtFailure,
        double bytesPerStep,
        double bytesPerSecond,
        double stepsToOom,
        double secondsToOom,
        @Nullable Growth growth,
        List<Proof> evidence,
        List<FindingHolder> holders,
        List<Advice> advice,
        @Nullable KeptAt keptAt) {
    /** Its figures in labelled lines. */
    @Json.Property("lines")
    public List<Line> lines() {
        return FindingLines.of(this);
    }

    /** The figures that matter first, in short. */
    public List<Line> figures() {
        return FindingLines.figures(this);
    }

    /** The owner of most of its memory and the line that adds to it, where that is not the site, in words; empty where neither is known. */
    public String keeper() {
        String owner = holders.isEmpty() ? "" : "kept by " + holders.getFirst().name();
        String place = keptAt == null || keptAt.isAt(site) ? "" : "added at " + keptAt.words();
        return owner + (owner.isEmpty() || place.isEmpty() ? "" : ", ") + place;
    }

    /** A copy with another id. */
    public Finding withId(String other) {
        return with(
                input, other, inputs, ranks, confidence, confidenceReasons, told(), holders, advice, source, keptAt);
    }

    /** A copy with the lines around its site. */
    public Finding withSource(@Nullable SourceLines lines) {
        return with(input, id, inputs, ranks, confidence, confidenceReasons, told(), holders, advice, lines, keptAt);
    }

    /** A copy with who holds it, and what is to be done now that this is known. */
    public Finding withHolders(List<FindingHolder> known, List<Advice> better) {
        return with(input, id, inputs, ranks, confidence, confidenceReasons, told(), known, better, source, keptAt);
    }

    /** A copy with another confidence and its reasons. */
    public Finding withConfidence(double other, List<String> reasons) {
        return with(input, id, inputs, ranks, other, reasons, told(), holders, advice, source, keptAt);
    }

    /** A copy without the advice whose action has some words. */
    public Finding withoutAdvice(String words) {
        return withAdvice(
                advice.stream().filter(each -> !each.action().contains(words)).toList());
    }

    /** A copy with other advice. */
    public Finding withAdvice(List<Advice> other) {
        return withHolders(holders, other);
    }

    /** A copy with another cause, told as one, and what is to be done about that. */
    public Finding withCause(Told cause, List<Advice> better) {
        return with(input, id, inputs, ranks, confidence, confidenceReasons, cause, holders, better, source, keptAt);
    }

    /** A copy that was found in several inputs, and is told of one of them. */
    public Finding foundIn(int which, List<Integer> others, List<Integer> theirRanks) {
        return with(
                which, id, others, theirRanks, confidence, confidenceReasons, told(), holders, advice, source, keptAt);
    }

    /** A copy with the line that keeps its memory. */
    public Finding withKeptAt(@Nullable KeptAt place) {
        return with(input, id, inputs, ranks, confidence, confidenceReasons, told(), holders, advice, source, place);
    }

    private Told told() {
        return new Told(title, cause, explanation);
    }

    private Finding with(
            int otherInput,
            String otherId,
            List<Integer> otherInputs,
            List<Integer> otherRanks,
            double otherConfidence,
            List<String> otherReasons,
            Told told,
            List<FindingHolder> otherHolders,
            List<Advice> otherAdvice,
            @Nullable SourceLines otherSource,
            @Nullable KeptAt otherKeptAt) {
        return new Finding(
                otherId,
                kind,
                severity,
                otherConfidence,
                otherReasons,
                told.title,
                summary,
                told.cause,
                told.explanation,
                otherInput,
                otherInputs,
                otherRanks,
                device,
                site,
                stack,
                otherSource,
                bytes,
                blocks,
                bytesAtFailure,
                bytesPerStep,
                bytesPerSecond,
                stepsToOom,
                secondsToOom,
                growth,
                evidence,
                otherHolders,
                otherAdvice,
                otherKeptAt);
    }

    /** A cause's own words: the finding's title, the cause's id, how it keeps memory. */
    public record Told(
            String title, @Nullable String cause, @Nullable Explanation explanation) {}

    /**
     * How a cause keeps memory.
     *
     * @param basis what says that it is this cause
     * @param text the explanation in sentences
     * @param others the ids of other causes that would look the same
     */
    public record Explanation(Basis basis, String text, List<String> others) {}

    /** Kinds of evidence that a cause is known from, the surest first. */
    public enum Basis {
        /** A holder dump shows who keeps the memory. */
        DUMP,
        /** The lines of the source show what is done with it. */
        SOURCE,
        /** The stacks or times of the recording show it. */
        RECORDING,
        /** Stacks and times make it likely. */
        INFERRED
    }

    /** Kinds of problems. */
    public enum Kind {
        /** Memory that a line allocates and that grows step after step, without a ceiling. */
        LEAK,
        /** Memory that a line allocates and that waits for the garbage collector. */
        REFERENCE_CYCLE,
        /** A request failed although enough was free, in pieces. */
        OOM_FRAGMENTATION,
        /** A request failed because not enough was free. */
        OOM,
        /** Reserved memory that live blocks keep from being used as a whole. */
        FRAGMENTATION,
        /** A few steps took far more than the others. */
        SPIKE,
        /** The same block is allocated again and again where one would do. */
        REPEATED_ALLOCATION,
        /** Memory of a phase that is over and is still held. */
        UNSHRINKING_CACHE,
        /** Memory of the device that PyTorch's allocator does not have grows. */
        RESIDUAL;

        /** Returns whether it is a request that failed. */
        public boolean isFailedRequest() {
            return this == OOM || this == OOM_FRAGMENTATION;
        }
    }

    /** Severities, from the most to the least. */
    public enum Severity {
        /** The job will run out of memory, or has. */
        CRITICAL,
        /** Memory is lost that somebody should look at. */
        WARNING,
        /** Worth knowing. */
        INFO
    }

    /**
     * A piece of evidence.
     *
     * @param text what was seen, in a sentence that names the line and the bytes
     * @param site the line it was seen at, or null
     * @param bytes how much it is about, 0 where it is not about bytes
     * @param blocks in how many allocations
     */
    public record Proof(String text, @Nullable Site site, long bytes, int blocks) {
        /** Proof that is a sentence alone. */
        public static Proof of(String text) {
            return new Proof(text, null, 0, 0);
        }

        /** Proof at a line, whose sentence gets the line and the bytes where it does not name them. */
        public static Proof at(Site site, String text, long bytes, int blocks) {
            String located = site.locate(text);
            String size = ByteSize.format(bytes);
            boolean isTold = bytes <= 0 || located.contains(size);
            String amount = blocks > 0 ? Numbers.amount(bytes, blocks, "block") : size;
            return new Proof(isTold ? located : located + ": " + amount, site, bytes, blocks);
        }
    }

    /**
     * A recommended action.
     *
     * @param action what, as an order
     * @param why what it changes, and how many bytes that is about, where it is known
     * @param expectedBytes what it should give back, 0 where that is not known
     * @param before the line as it is likely to be now, in Python; empty where none would help
     * @param after the line as it should be
     * @param link where this is explained, or empty
     * @param patch what to change in the user's file, a unified diff, in place of the two lines; null where no such edit is known
     * @param patchSafety whether the patch wants a look, null without a patch
     * @param patchReason why, in a sentence; null without a patch
     */
    public record Advice(
            String action,
            String why,
            long expectedBytes,
            String before,
            String after,
            String link,
            @Nullable String patch,
            @Nullable PatchSafety patchSafety,
            @Nullable String patchReason) {
        /** Advice without an example in code, whose reason tells the bytes, where they are known. */
        public static Advice of(String action, String why, long expectedBytes) {
            return of(action, why, expectedBytes, "", "", "");
        }

        /** A copy whose action and reason begin and end as sentences do. */
        public Advice inSentences() {
            return new Advice(
                    sentence(action),
                    sentence(why),
                    expectedBytes,
                    before,
                    after,
                    link,
                    patch,
                    patchSafety,
                    patchReason);
        }

        /** Returns whether its patch may be taken as it is, and why, in a sentence; empty without a patch. */
        public String safety() {
            return patchSafety == null
                    ? ""
                    : (patchSafety == PatchSafety.SAFE
                                    ? "The patch is safe: "
                                    : "Look at the patch before it is taken: ")
                            + patchReason;
        }

        /** A copy with another example. */
        public Advice withExample(String otherBefore, String otherAfter) {
            return new Advice(action, why, expectedBytes, otherBefore, otherAfter, link, null, null, null);
        }

        /** A copy with an edit of the user's file in place of the example, and why it is safe or wants a look. */
        public Advice withPatch(String edit, PatchSafety safety, String reason) {
            return new Advice(action, why, expectedBytes, "", "", link, edit, safety, reason);
        }

        private static String sentence(String text) {
            return Character.toUpperCase(text.charAt(0)) + text.substring(1) + (text.endsWith(".") ? "" : ".");
        }

        /** Advice whose reason tells the bytes, where they are known. */
        public static Advice of(
                String action, String why, long expectedBytes, String before, String after, String link) {
            String about = expectedBytes > 0 ? " (about " + ByteSize.format(expectedBytes) + ")" : "";
            int end = why.endsWith(".") ? why.length() - 1 : why.length();
            return new Advice(
                    action,
                    why.substring(0, end) + about + why.substring(end),
                    expectedBytes,
                    before,
                    after,
                    link,
                    null,
                    null,
                    null);
        }
    }

    /** Returns whether a patch may be taken as it is. */
    public enum PatchSafety {
        /** By all that was read, the program does what it did. */
        SAFE,
        /** It changes what is kept. */
        REVIEW
    }

    /** A line of the source, its file as it is in patches. */
    public record KeptAt(String file, int line) {
        /** The line for people. */
        public String words() {
            return file + ":" + line;
        }

        /** Returns whether it is the line of a site. */
        boolean isAt(Site site) {
            return site.isLine()
                    && site.frame().line() == line
                    && site.frame().file().replace('\\', '/').endsWith(file);
        }
    }

    /** Lines of a source file, from {@code firstLine} on. */
    public record SourceLines(String path, int firstLine, List<String> lines) {}
}
