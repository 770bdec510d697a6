package dev.leakline.read.figures;

import dev.leakline.read.terms.FigureName;
import dev.leakline.source.Content;
import dev.leakline.source.Format;
import dev.leakline.source.Head;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import dev.leakline.source.Source;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

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

    /** Returns whether a text begins with a bracket and is to be read line by line all the same. */
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
                "not a memory snapshot, and no memory figures found: " + head.describe()
                        + ". Expected a file written by torch.cuda.memory._dump_snapshot(), or memory sizes with"
                        + " their names: in a log (--pattern adds others), nvidia-smi output, memory_stats(), telemetry");
    }

    /** Tells from the first bytes of an input that begins with a bracket whether it is JSON with figures, and of which shape. */
    private static final class JsonHead {
        private static final Pattern NAME = Pattern.compile("\"([^\"\\\\]{1,99})\"\\s*:");
        /** Names that only snapshots have, which may begin with others of later versions. */
        private static final Set<String> OF_SNAPSHOTS =
                Set.of("segments", "device_traces", "segment_type", "allocator_settings", "external_annotations");

        /** Names of lists in which figures may stand much later. */
        private static final Set<String> OF_FIGURES =
                Set.of("function_name", "log_history", "timestamps", "event_type");

        /** How texts begin that are no JSON: logs, whose lines begin with a time or a rank in brackets, and Python's dictionaries. */
        private static final Pattern NO_JSON = Pattern.compile("^\\s*(?:\\[[^\\s\\[{\"\\]]|\\{[^\\s\"}])");

        private static final Pattern TIMELINE = Pattern.compile("^\\s*\\[\\s*\\[\\s*-?\\d");

        private final String head;

        /** The first characters of an input, one for each byte. */
        JsonHead(String head) {
            this.head = head;
        }

        /** Returns whether figures of memory are known to be in it, or it is a text of which nobody can tell. */
        boolean isFigures() {
            List<String> names = NAME.matcher(head)
                    .results()
                    .map((MatchResult name) -> name.group(1))
                    .toList();
            boolean isNamed = names.stream().anyMatch(name -> OF_FIGURES.contains(name) || FigureName.isSure(name));
            return names.stream().noneMatch(OF_SNAPSHOTS::contains) && (isNamed || isTimeline() || isText());
        }

        /** Returns whether it is a memory timeline of torch.profiler, which begins with a list of numbers in a list. */
        boolean isTimeline() {
            return TIMELINE.matcher(head).find();
        }

        /** Returns whether it is to be read line by line: no JSON, or JSON of which a line is a whole value, and others follow. */
        boolean isText() {
            return NO_JSON.matcher(head).find() || isLines();
        }

        private boolean isLines() {
            int end = endOfFirst();
            return end > 0
                    && !head.substring(end).isBlank()
                    && head.charAt(0) == '{'
                    && head.lastIndexOf('\n', end - 1) < 0;
        }

        /** The end of the first value, -1 where it is not in the head. */
        private int endOfFirst() {
            int depth = 0;
            boolean isQuoted = false;
            for (int i = 0; i < head.length(); i++) {
                char character = head.charAt(i);
                if (isQuoted) {
                    i += character == '\\' ? 1 : 0;
                    isQuoted = character != '"';
                } else {
                    isQuoted = character == '"';
                    depth += character == '{' || character == '[' ? 1 : character == '}' || character == ']' ? -1 : 0;
                    if (depth == 0 && !Character.isWhitespace(character)) {
                        return i + 1;
                    }
                }
            }
            return -1;
        }
    }
}
