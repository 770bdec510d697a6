package dev.leakline.result;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Two results side by side: what changed from one to the other.
 *
 * @param before what was
 * @param after what is
 * @param findings the findings of both, what is wrong now first
 * @param devices what devices held, in order of their inputs and numbers
 * @param settings allocator settings that differ
 * @param caveats in sentences, what makes the two hard to compare
 * @param outcome whether a change has helped, in one word
 * @param summary what changed, in one sentence
 */
public record Comparison(
        Side before,
        Side after,
        List<FindingChange> findings,
        List<DeviceChange> devices,
        List<SettingChange> settings,
        List<String> caveats,
        Outcome outcome,
        String summary) {
    /** A copy with a word and a sentence that say what changed. */
    public Comparison with(Outcome word, String sentence) {
        return new Comparison(before, after, findings, devices, settings, caveats, word, sentence);
    }

    /** Returns whether nothing that is compared differs; recordings that are hard to compare may be the same for all that. */
    public boolean isSame() {
        return before.result.verdict() == after.result.verdict()
                && findings.stream().allMatch(finding -> finding.change() == Change.SAME)
                && devices.stream().allMatch(DeviceChange::isSame)
                && settings.isEmpty();
    }

    /** One side of a comparison: its name for people, such as that of a file, and what was found in it. */
    public record Side(String name, AnalysisResult result) {}

    /** Effects of a change of the program on what was wrong; informative findings do not count. */
    public enum Outcome {
        /** The problem is gone, and there is no other. */
        FIXED,
        /** It grows more slowly, or holds less. */
        REDUCED,
        /** It is as it was, or nothing was wrong and nothing is. */
        SAME,
        /** It grows faster, or more is wrong beside it. */
        WORSE,
        /** It is gone, and something else is wrong. */
        ANOTHER,
        /** The recordings do not tell. */
        UNDETERMINED;

        /** The outcome as JSON and texts have it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Changes of a finding; the most urgent first. */
    public enum Change {
        /** It was not there before. */
        NEW,
        /** It grows faster, or holds more. */
        WORSE,
        /** It is there on both sides, and the two cannot be weighed against each other. */
        UNCLEAR,
        /** It grows more slowly, or holds less. */
        BETTER,
        /** It is there no more. */
        GONE,
        /** It is there as before. */
        SAME
    }

    /** The quantity that a {@link Change} is based on. */
    public enum Basis {
        /** It is on one side only. */
        PRESENCE,
        /** Bytes that stay per step: the 95 % intervals of their slopes, where these have any width. */
        RATE,
        /** Bytes that it holds. */
        BYTES,
        /** Nothing: steps mean different things. */
        STEPS_DIFFER
    }

    /**
     * A finding, before and after; at least one of the two is there.
     *
     * @param change what became of it
     * @param basis what that was told by
     */
    public record FindingChange(
            Change change,
            Basis basis,
            @Nullable Finding before,
            @Nullable Finding after) {
        /** The finding as it is, else as it was. */
        public Finding finding() {
            return after != null ? after : Objects.requireNonNull(before);
        }

        /** The id that it had first, which stays when a change moves it. */
        public String id() {
            return before != null ? before.id() : finding().id();
        }

        /** How often the rate before goes into the rate after; NaN where one of them is not known. */
        public double ratio() {
            double was = before == null ? Double.NaN : before.bytesPerStep();
            double is = after == null ? Double.NaN : after.bytesPerStep();
            return was == 0 ? Double.NaN : is / was;
        }
    }

    /**
     * A device, before and after; at least one of the two is there.
     *
     * @param sites who held what at the two peaks, what changed most first; with the unlisted bytes they add up to the peaks
     * @param unlistedBefore bytes at the peak before of lines that its report does not name
     * @param unlistedAfter the same after
     */
    public record DeviceChange(
            @Nullable DeviceResult before,
            @Nullable DeviceResult after,
            List<SiteChange> sites,
            long unlistedBefore,
            long unlistedAfter) {
        /** The device as it is, else as it was. */
        public DeviceResult device() {
            return after != null ? after : Objects.requireNonNull(before);
        }

        /** Returns whether neither a figure nor a line differs. */
        boolean isSame() {
            return before != null
                    && after != null
                    && figures(before).equals(figures(after))
                    && unlistedBefore == unlistedAfter
                    && sites.stream().allMatch(site -> site.change() == 0);
        }

        private static List<Object> figures(DeviceResult device) {
            return List.of(
                    device.events(),
                    device.peak().bytes(),
                    device.peak().reservedBytes(),
                    device.endBytes(),
                    device.endReservedBytes(),
                    device.steps());
        }

        /** Bytes live at the peak before, 0 where the device was not there. */
        public long peakBefore() {
            return before == null ? 0 : before.peak().bytes();
        }

        /** Bytes live at the peak after. */
        public long peakAfter() {
            return after == null ? 0 : after.peak().bytes();
        }
    }

    /** A line at the two peaks; at least one of the two is there. */
    public record SiteChange(
            @Nullable SiteUse before, @Nullable SiteUse after) {
        /** The line as it is, else as it was. */
        public SiteUse use() {
            return after != null ? after : Objects.requireNonNull(before);
        }

        /** Bytes before, 0 where it had none. */
        public long bytesBefore() {
            return before == null ? 0 : before.bytes();
        }

        /** Bytes after, 0 where it has none. */
        public long bytesAfter() {
            return after == null ? 0 : after.bytes();
        }

        /** Bytes that came, negative where they went. */
        public long change() {
            return bytesAfter() - bytesBefore();
        }

        /** Returns whether the line is another one than it was. */
        public boolean hasMoved() {
            return before != null
                    && after != null
                    && before.site().frame().line() != after.site().frame().line();
        }
    }

    /** An allocator setting; null where it was not recorded. */
    public record SettingChange(
            String name, @Nullable Object before, @Nullable Object after) {}
}
