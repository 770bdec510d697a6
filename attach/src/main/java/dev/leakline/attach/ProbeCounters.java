package dev.leakline.attach;

import dev.leakline.result.JobProcess.Collected;
import dev.leakline.result.JobProcess.Cycle;
import dev.leakline.result.JobProcess.ProfiledFunction;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * The part of the probe's counters that is shown when a job ends. The rest of the file is figures, which a report reads.
 *
 * @param hasFigures whether it says how much memory was allocated
 * @param functions the functions that the job profiles, in the order of their first calls
 * @param collected what had to wait for the garbage collector; null where nothing had
 */
public record ProbeCounters(
        boolean hasFigures,
        List<ProfiledFunction> functions,
        @Nullable Collected collected) {
    /** Nothing counted. */
    public static final ProbeCounters NONE = new ProbeCounters(false, List.of(), null);

    /** Functions, and cycles; the probe writes 513 and 64 at most. */
    private static final int MOST = 1000;
    /** Characters of a name or a text; the probe cuts names at 200. */
    private static final int MOST_TEXT = 1 << 16;

    private static final int MOST_NESTING = 20;
    private static final String FIGURE = "allocated_bytes.all.current";

    /** Reads a file to its last whole line: the process may have been killed while it wrote. */
    public static ProbeCounters read(Path file) throws IOException {
        Reader reader = new Reader();
        try (InputStream in = Files.newInputStream(file);
                JsonParser parser = factory().createParser(ObjectReadContext.empty(), in)) {
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                reader.row(parser);
            }
        } catch (JacksonException e) {
            // The line that was cut.
        }
        return new ProbeCounters(
                reader.hasFigures,
                List.copyOf(reader.functions.values()),
                reader.runs == 0 ? null : new Collected(reader.freed, reader.runs, List.copyOf(reader.cycles)));
    }

    private static JsonFactory factory() {
        StreamReadConstraints constraints = StreamReadConstraints.builder()
                .maxNestingDepth(MOST_NESTING)
                .maxStringLength(MOST_TEXT)
                .maxNameLength(MOST_TEXT)
                .build();
        return JsonFactory.builder().streamReadConstraints(constraints).build();
    }

    private static final class Reader {
        /** The last row of a function says what all its calls so far took. */
        private final Map<String, ProfiledFunction> functions = new LinkedHashMap<>();

        private final List<Cycle> cycles = new ArrayList<>();
        private boolean hasFigures;
        private long freed;
        private long runs;

        private void row(JsonParser parser) {
            String name = "";
            long calls = 0;
            long raised = 0;
            double longest = 0;
            long[] most = new long[3];
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String property = parser.currentName();
                JsonToken token = parser.nextToken();
                switch (property) {
                    case "function_name" -> name = token == JsonToken.VALUE_STRING ? parser.getString() : "";
                    case "calls" -> calls = number(parser);
                    case "raised" -> raised = number(parser);
                    case "longest" -> longest = token.isNumeric() ? parser.getDoubleValue() : 0;
                    case "most" -> most = most(parser);
                    case "freed_so_far" -> freed = number(parser);
                    case "runs_so_far" -> runs = number(parser);
                    case "explained" -> cycles(parser);
                    default -> parser.skipChildren();
                }
                hasFigures |= property.equals(FIGURE);
            }
            if (calls > 0 && (functions.containsKey(name) || functions.size() < MOST)) {
                functions.put(name, new ProfiledFunction(name, calls, raised, longest, most[0], most[1], most[2]));
            }
        }

        /** Rows of a device, the peak, the most above what was there before, and what stayed: the last three of that with the highest peak. */
        private static long[] most(JsonParser parser) {
            long[] highest = new long[3];
            if (parser.currentToken() != JsonToken.START_ARRAY) {
                parser.skipChildren();
                return highest;
            }
            while (parser.nextToken() == JsonToken.START_ARRAY) {
                long[] row = new long[4];
                for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
                    row[Math.min(i, 3)] = number(parser);
                }
                if (row[1] >= highest[0]) {
                    highest = new long[] {row[1], row[2], row[3]};
                }
            }
            return highest;
        }

        private void cycles(JsonParser parser) {
            if (parser.currentToken() != JsonToken.START_ARRAY) {
                parser.skipChildren();
                return;
            }
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                String text = "";
                String leadsTo = "";
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    String property = parser.currentName();
                    boolean isText = parser.nextToken() == JsonToken.VALUE_STRING;
                    parser.skipChildren();
                    text = isText && property.equals("cycle") ? parser.getString() : text;
                    leadsTo = isText && property.equals("leads_to") ? parser.getString() : leadsTo;
                }
                if (cycles.size() < MOST) {
                    cycles.add(new Cycle(text, leadsTo));
                }
            }
        }

        private static long number(JsonParser parser) {
            if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT
                    && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
                return parser.getLongValue();
            }
            parser.skipChildren();
            return 0;
        }
    }
}
