package dev.leakline;

import dev.leakline.read.Formats;
import dev.leakline.read.figures.LinePattern;
import dev.leakline.source.Content;
import dev.leakline.source.ReadLimits;
import java.io.IOException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A file that was read: a snapshot, a holder dump, figures, samples of a watch, looks at the host's memory, an earlier report, or a summary of ranks. */
public sealed interface Input permits Snapshot, HolderDump, Measurement, Samples, HostLooks, Report, Summary {
    /**
     * A wish of the one who reads a file.
     *
     * @param takesAnyText whether a text that says nothing about memory is an input as well, and no error
     * @param pattern finds the figures in texts; null where those are wanted that Leakline knows
     * @param progress is called now and then with the bytes that reading has come to
     */
    record Demand(boolean takesAnyText, @Nullable LinePattern pattern, LongConsumer progress) {
        /** Evidence about memory; a file without any is an error. */
        public static final Demand EVIDENCE = new Demand(false, null, _ -> {});

        /** Evidence, or any text. */
        public static final Demand ANYTHING = new Demand(true, null, _ -> {});

        /** The same with a receiver of the progress. */
        public Demand to(LongConsumer receiver) {
            return new Demand(takesAnyText, pattern, receiver);
        }

        /** The same with figures of texts that a pattern finds, if it is not null. */
        public Demand by(@Nullable LinePattern finder) {
            return new Demand(takesAnyText, finder, progress);
        }
    }

    /** Why the file could not be read to its end, or null where it could; what was whole is in the input. */
    default @Nullable String incomplete() {
        return null;
    }

    /** Returns whether it says anything about memory; a text that was taken for want of better need not. */
    default boolean isEvidence() {
        return true;
    }

    /** Reads a file of any kind that is understood; throws {@link dev.leakline.source.ReadException} where it is none. */
    static Input open(InputSource source, Demand demand) throws IOException {
        return of(
                source.name(),
                new Formats(ReadLimits.DEFAULT, demand.progress(), demand.pattern())
                        .read(source.opener(), demand.takesAnyText()));
    }

    private static Input of(String name, Content content) {
        return switch (content) {
            case Content.Recording snapshot -> new Snapshot(name, snapshot);
            case Content.Figures figures -> new Measurement(name, figures);
            case Content.Samples samples -> new Samples(name, samples);
            case Content.Looks looks -> new HostLooks(name, looks);
            case Content.Dump dump -> new HolderDump(name, dump.graph());
            case Content.Report report -> new Report(report.result());
            case Content.Summary summary -> new Summary(summary.summary());
        };
    }
}
