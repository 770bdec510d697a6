package dev.leakline.read.figures;

import dev.leakline.source.Content;
import dev.leakline.source.Format;
import dev.leakline.source.Head;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import dev.leakline.source.Source;
import java.io.IOException;
import java.util.function.LongConsumer;

/**
 * Figures of memory in a document of JSON: profiles of functions, telemetry, counters, timelines. It is read once, in a bounded piece of
 * memory; what was read before a document ends too early is kept.
 */
public final class FigureFormat implements Format {
    private final ReadLimits limits;
    private final LongConsumer progress;

    /** A format that tells {@code progress} now and then how many uncompressed bytes it has come to. */
    public FigureFormat(ReadLimits limits, LongConsumer progress) {
        this.limits = limits;
        this.progress = progress;
    }

    @Override
    public boolean claims(Source source) {
        return source.head().isBracketed() && new JsonHead(source.head().text()).isFigures();
    }

    /** Whether a text begins with a bracket and is to be read line by line all the same. */
    public static boolean isText(Source source) throws IOException {
        return new JsonHead(source.head().text()).isFigures()
                && new JsonHead(source.longHead().text()).isText();
    }

    @Override
    public Content read(Source source) throws IOException {
        Head head = source.longHead();
        FigureInput input = new FigureInput(limits, progress, null);
        ReadException truncation = null;
        try {
            input.json(source.stream(), new JsonHead(head.text()).isTimeline());
        } catch (IOException e) {
            truncation = ReadException.explain(e, input.bytes());
            if (input.isEmpty() || truncation.code() == Code.LIMIT) {
                throw truncation;
            }
        }
        Content.Figures figures = input.finish(source, "JSON", truncation);
        if (figures.measurements().isEmpty()) {
            throw nothing(head);
        }
        return figures;
    }

    /** That a text or JSON holds no figures, and what would be some. */
    public static ReadException nothing(Head head) {
        return new ReadException(
                Code.NOT_A_SNAPSHOT,
                0,
                "not a memory snapshot, and no figures of memory are in it: " + head.describe()
                        + ". Expected what torch.cuda.memory._dump_snapshot() writes, or sizes beside words for memory: in a log"
                        + " (--pattern says which others), nvidia-smi's output, memory_stats(), telemetry");
    }
}
