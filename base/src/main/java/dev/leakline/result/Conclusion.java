package dev.leakline.result;

import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Finding.Advice;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import io.avaje.jsonb.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The conclusion from all texts of a case together: their messages, their figures and what programs print beside them.
 *
 * @param verdict what they are about
 * @param resource the memory that it is about
 * @param sentence the conclusion
 * @param evidence what it was concluded from, the most important first
 * @param facts sizes that the texts print or that follow from printed ones, by name, such as {@code requested} and {@code growth_per_step}
 * @param unknown what the texts cannot tell
 * @param unread lines with sizes from which nothing was read; null where there is none
 * @param advice what to do next, the best first
 */
public record Conclusion(
        Kind verdict,
        Resource resource,
        String sentence,
        List<Evidence> evidence,
        Map<String, Fact> facts,
        List<Unknown> unknown,
        @Nullable Unread unread,
        List<Advice> advice) {
    /** Kinds of conclusions: what the texts of a case are about. */
    public enum Kind {
        /** Memory grows. */
        GROWS(Verdict.LEAK),
        /** Memory does not grow. */
        STEADY(Verdict.NO_LEAK),
        /** The allocator's cache, which looks like a leak. */
        CACHE_NOT_LEAK(Verdict.NO_LEAK),
        /** The text shows an error that memory is not the reason of. */
        NOT_MEMORY(Verdict.UNDETERMINED),
        /** Memory is in use at one moment, and nothing is wrong. */
        FINE(Verdict.UNDETERMINED),
        /** Nearly all memory is in use at one moment. */
        FULL(Verdict.UNDETERMINED),
        /** Hardly any memory is in use at one moment. */
        IDLE(Verdict.UNDETERMINED),
        /** Nothing can be concluded. */
        UNDETERMINED(Verdict.UNDETERMINED),
        DEVICE_OOM(Verdict.OOM),
        DEVICE_OOM_FRAGMENTATION(Verdict.OOM_FRAGMENTATION),
        DEVICE_OOM_OTHER_PROCESSES(Verdict.OOM),
        DEVICE_OOM_LIMIT(Verdict.OOM),
        DEVICE_OOM_REQUEST_TOO_BIG(Verdict.OOM),
        DEVICE_OOM_BUT_FREE(Verdict.OOM),
        BAD_SIZE(Verdict.OOM),
        LIBRARY_WORKSPACE(Verdict.OOM),
        STARTUP_REFUSAL(Verdict.OOM),
        /** Memory was short for a while, and the program went on. */
        RECOVERED(Verdict.NO_LEAK),
        HOST_OOM(Verdict.OOM),
        HOST_LIMIT(Verdict.OOM),
        SHARED_MEMORY(Verdict.OOM),
        PINNED_MEMORY(Verdict.OOM),
        KERNEL_RESOURCES(Verdict.OOM);

        private final Verdict judged;

        Kind(Verdict judged) {
            this.judged = judged;
        }

        /** The kind of a message that tells why memory ran out. */
        public static Kind of(OutOfMemoryExplanation.Kind message) {
            return valueOf(message.name());
        }

        /** The verdict on leaks and failures that it comes to. */
        public Verdict judged() {
            return judged;
        }

        /** One word for it: the verdict where there is one, else what the texts show. */
        public String word() {
            return (judged == Verdict.UNDETERMINED ? name() : judged.name()).toLowerCase(Locale.ROOT);
        }
    }

    /** Kinds of memory. */
    public enum Resource {
        DEVICE,
        HOST,
        /** {@code /dev/shm}. */
        SHARED_MEMORY,
        /** A server's pool for keys and values, allocated when it starts. */
        KV_CACHE,
        /** Nothing says which. */
        UNKNOWN;

        /** The resource in words. */
        public String words() {
            return switch (this) {
                case DEVICE -> "GPU memory";
                case HOST -> "host memory (RAM)";
                case SHARED_MEMORY -> "shared memory (/dev/shm)";
                case KV_CACHE -> "the KV cache";
                case UNKNOWN -> "";
            };
        }
    }

    /**
     * Something that a conclusion rests on.
     *
     * @param input the index of the input
     * @param line the line, from 1; 0 where it is many
     * @param text what stands there, or what it comes to
     */
    public record Evidence(int input, long line, String text) {}

    /**
     * A size that a text prints, or that follows from printed ones.
     *
     * @param bytes the size, or the rate
     * @param input the index of the input
     * @param line the line, from 1; 0 where it follows from several
     * @param text the print, or how it follows
     * @param parts the facts that it is the sum of; none where it is printed
     */
    public record Fact(long bytes, int input, long line, String text, List<Part> parts) {
        /** A size that is printed. */
        public static Fact of(long bytes, int input, long line, String text) {
            return new Fact(bytes, input, line, text, List.of());
        }

        /** The fact for people. */
        public String words() {
            boolean isSaid = text.isEmpty() || text.startsWith("per ");
            return ByteSize.format(bytes) + (line > 0 ? " (line " + line + ")" : isSaid ? "" : " (" + text + ")");
        }
    }

    /**
     * A fact that is part of a sum.
     *
     * @param fact its name
     * @param times how often it counts, -1 where it is taken away
     */
    public record Part(String fact, double times) {}

    /**
     * Lines with sizes from which nothing was read.
     *
     * @param count how many they are
     * @param input the index of the input that has the first one
     * @param line the first one, from 1
     */
    public record Unread(long count, int input, long line) {
        /** Says what was not read, in a sentence. */
        @Json.Property("sentence")
        public String sentence() {
            return (count == 1
                            ? "the size in line " + line + " was not read"
                            : Numbers.counted(count, "line") + " with sizes were not read, the first is line " + line)
                    + ": sentences and unknown forms are no measurements";
        }
    }

    /** Questions that texts leave open. */
    public enum Unknown {
        /** The line of code. */
        LINE,
        /** The object that keeps the memory alive. */
        HOLDER,
        /** Growth: one moment does not show it. */
        GROWTH,
        /** The other owners of the device's memory. */
        WHO_ELSE,
        /** The memory that it is about. */
        RESOURCE;

        private String words() {
            return switch (this) {
                case LINE -> "which line allocates it";
                case HOLDER -> "what keeps it alive";
                case GROWTH -> "whether memory grows over time";
                case WHO_ELSE -> "which program holds the rest of the device";
                case RESOURCE -> "whether GPU or host memory ran out";
            };
        }
    }

    /** The conclusion beside a recording that found something: what that tells is not open, and its advice takes the place of recording the job. */
    public Conclusion beside(Finding recorded) {
        List<Unknown> open = unknown.stream()
                .filter(one -> one != Unknown.LINE && one != Unknown.GROWTH)
                .filter(one -> one != Unknown.HOLDER || recorded.holders().isEmpty())
                .toList();
        return new Conclusion(
                verdict,
                resource,
                sentence + "; in the recording beside it, " + recorded.title() + ", at "
                        + recorded.site().brief(),
                evidence,
                facts,
                open,
                unread,
                recorded.advice());
    }

    /**
     * The conclusion with changes to the code that the texts show: first where memory grows or nothing else is known, behind the best advice on a failure of the
     * device. Where nothing is wrong they are left out.
     */
    public Conclusion withChanges(List<Advice> changes) {
        boolean isFirst = verdict == Kind.GROWS || verdict == Kind.UNDETERMINED;
        if (changes.isEmpty() || !(isFirst || (verdict.judged == Verdict.OOM && resource == Resource.DEVICE))) {
            return this;
        }
        List<Advice> all = new ArrayList<>(advice);
        all.addAll(isFirst ? 0 : Math.min(1, all.size()), changes);
        return new Conclusion(verdict, resource, sentence, evidence, facts, unknown, unread, all);
    }

    /** The conclusion in a word, and of which memory it is. */
    public String head() {
        return verdict.word() + (resource == Resource.UNKNOWN ? "" : ", " + resource.words());
    }

    /** The open question, in a sentence; empty where nothing is left open. */
    @Json.Property("open")
    public String open() {
        List<String> words = new ArrayList<>();
        unknown.forEach(one -> words.add(one.words()));
        return words.isEmpty() ? "" : "not in this text: " + String.join("; ", words);
    }

    /** The name of a fact for people: a rate says what it is per. */
    public static String label(String name, Fact fact) {
        boolean isRate = name.equals("growth_per_step") && fact.text().startsWith("per ");
        return isRate ? "growth " + fact.text() : name.replace('_', ' ').toLowerCase(Locale.ROOT);
    }
}
